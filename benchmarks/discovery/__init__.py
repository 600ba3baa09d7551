"""Benchmark of discovery: copies on hosts that nobody named, found through a real metasearch server and index."""
