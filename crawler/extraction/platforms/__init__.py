"""Platforms of many authors, one a file: the account of a page, notices, barriers."""
