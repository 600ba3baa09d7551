"""Blueprint of texts that people set aside as proving nothing."""
