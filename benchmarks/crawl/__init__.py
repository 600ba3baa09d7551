"""Benchmark of long crawls: speed and memory, on a generated site."""
