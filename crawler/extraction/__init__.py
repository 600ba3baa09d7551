"""Extracts an article from a response, or refuses it with a reason."""
