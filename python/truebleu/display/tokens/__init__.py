"""Texts token by token: how each of them counts, marked by color and line."""
