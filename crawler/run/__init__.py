"""One crawl of one site: its process, its watch, its record."""
