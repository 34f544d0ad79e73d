"""From text to tokens: the registry of tokenizers, and those of other libraries."""
