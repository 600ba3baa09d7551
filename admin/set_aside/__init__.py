"""Blueprint of texts that are set aside as proving nothing."""
