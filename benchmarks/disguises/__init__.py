"""The disguises of copies, one set for all benchmarks. Each one tracks the origin of every character."""
