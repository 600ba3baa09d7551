"""Settings: declarations, parsers, loading, secret key."""
