"""Confidence intervals and significance tests for any metric."""
