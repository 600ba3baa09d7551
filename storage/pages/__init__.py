"""Pages and their versions: saving, reading, history, search, text index."""
