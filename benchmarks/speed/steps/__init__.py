"""One measured step a file."""
