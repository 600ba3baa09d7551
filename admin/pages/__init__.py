"""Blueprint of pages: list, versions, stories, pictures."""
