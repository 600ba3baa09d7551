"""Commands: site, politeness, schedule, crawl."""
