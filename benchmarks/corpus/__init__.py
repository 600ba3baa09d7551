"""The articles that benchmarks work on: reading, splitting, word lists."""
