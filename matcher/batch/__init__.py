"""Candidates of very many texts at once: the look-ups of `matcher.retrieval.candidates` as sweeps over sorted files."""
