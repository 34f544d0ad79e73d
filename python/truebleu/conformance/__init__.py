"""The conformance kit: cases with known answers, and programs that are asked for theirs."""
