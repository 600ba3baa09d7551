"""Commands: check, match, rematch, recompute, licence."""
