"""Title, headline, authors, dates, language and rights of a page."""
