"""Look-ups by fingerprint: candidates, frequent keys, boilerplate, recomputing."""
