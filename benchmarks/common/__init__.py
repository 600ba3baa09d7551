"""What several benchmarks share: workers, process memory, made-up texts."""
