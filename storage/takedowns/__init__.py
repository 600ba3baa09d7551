"""Takedowns: pages that were removed or came back, and when they are rechecked."""
