"""Lists of cases: what they filter, count and show."""
