"""Passages for the screen: side by side, excerpts, sources. Pure."""
