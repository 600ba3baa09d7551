"""How many disguised copies are found, and how many innocents are left alone."""
