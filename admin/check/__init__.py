"""Blueprint of checks: input, kept results, files checked together, certificates, submissions."""
