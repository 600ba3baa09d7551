"""Flask plumbing: session, forms, pagination, rate limits, labels."""
