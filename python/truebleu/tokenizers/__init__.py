"""Text to tokens: the registry, and tokenizers that are other libraries."""
