"""What to do with a response or a failed request: frozen decisions, made without I/O."""
