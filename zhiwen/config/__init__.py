"""Settings and their parsers."""
