"""The benchmarks, run by `zhiwen bench`."""
