"""What crawls keep in the database: URL frontier, runs, rate limits, politeness, site profile."""
