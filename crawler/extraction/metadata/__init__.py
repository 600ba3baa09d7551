"""Title, author, dates, language and rights of a page."""
