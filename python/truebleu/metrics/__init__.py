"""Metrics: their settings, statistics, scores and signatures."""
