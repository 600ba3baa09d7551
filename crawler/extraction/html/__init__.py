"""Characters and blocks of an HTML page."""
