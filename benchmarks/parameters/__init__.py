"""Comparison of key densities: recall, number of candidates and cost of each setting."""
