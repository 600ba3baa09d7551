"""Seed-chain-extend text alignment, and the differences inside a passage."""
