"""Refusals of URLs with their descriptions, and errors."""
