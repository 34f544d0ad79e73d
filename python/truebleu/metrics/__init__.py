"""Metrics: settings, rows that add up, scores."""
