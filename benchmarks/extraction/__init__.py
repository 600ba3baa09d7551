"""Benchmark of extraction on labelled pages: recall of each article, and extra text."""
