"""What commands print: terminal, progress, JSON shapes, words of refusals."""
