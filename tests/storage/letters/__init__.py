"""Letters in the store."""
