"""What pages are made of: compiled templates, used styles, safe links, charts, invisible characters."""
