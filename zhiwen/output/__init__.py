"""Output of commands: terminal, progress, JSON shapes."""
