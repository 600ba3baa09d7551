"""Reasons why matched text counts less, one a file."""
