"""Simulations too long for every test run; see ``make campaign``."""
