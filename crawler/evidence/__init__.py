"""What servers answered, kept in a chain: files, entries, captures, and the proof that all is as it was."""
