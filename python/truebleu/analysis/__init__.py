"""Explanations of scores, the scores of other tools, and searches for settings."""
