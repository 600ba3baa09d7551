"""Kinds of alert channels, one a file: addresses, limits, protocol."""
