"""The corpus of the benchmarks: reading, splitting, word lists."""
