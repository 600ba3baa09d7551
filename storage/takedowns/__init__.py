"""Pages that were taken down or came back, and when to recheck."""
