"""Blueprint of checks: input, result, submissions."""
