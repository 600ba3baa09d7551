"""Decisions about a response or a failed request: frozen values, made without I/O."""
