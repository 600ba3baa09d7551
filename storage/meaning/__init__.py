"""Texts encoded by meaning: their vectors, what is near them, and the retellings found among them."""
