"""What commands print: terminal, progress, JSON shapes."""
