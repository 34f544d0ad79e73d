"""Confidence intervals and significance tests, on rows of any metric."""
