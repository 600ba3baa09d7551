"""One text against the store: candidates in turn, pairs of pages, check."""
