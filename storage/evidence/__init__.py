"""Append-only evidence: hash chain, chain store, timestamps."""
