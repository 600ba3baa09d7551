"""Measures extraction on labelled pages: how much of each article comes home, and how much else."""
