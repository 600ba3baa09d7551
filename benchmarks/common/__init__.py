"""Shared parts of the benchmarks: workers, process memory, generated texts."""
