"""URL discovery on a site: feeds and sitemaps, site proposal, preview."""
