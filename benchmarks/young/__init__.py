"""Benchmark of young stores: distinguishes notices from copies before any boilerplate is learned."""
