"""One page, fetched outside of a crawl."""
