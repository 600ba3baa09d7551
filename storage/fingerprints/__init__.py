"""Look-ups by fingerprint: candidates, frequent keys, boilerplate, set-aside texts, recomputing."""
