"""Texts by meaning: backgrounds, encoded texts, the nearest passages and their index."""
