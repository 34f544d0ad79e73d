"""What was given: outputs of systems, references, test sets and statistics, read once."""
