"""Text in, fingerprint out. Pure: imports nothing of ours, does no input or output beyond its own tables."""
