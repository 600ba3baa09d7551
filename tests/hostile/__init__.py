"""Attacks from outside, kept as tests: a file a family."""
