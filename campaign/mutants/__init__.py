"""Faults put into the package one at a time, to see which tests find them."""
