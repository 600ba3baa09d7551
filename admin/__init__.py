"""The desk: the web interface for reviewing cases and hits."""
