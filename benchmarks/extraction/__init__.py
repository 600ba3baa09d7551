"""Measures extraction on labelled pages: how much of each article is extracted, and how much else."""
