"""Candidate retrieval and its pruning."""
