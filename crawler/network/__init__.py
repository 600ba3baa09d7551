"""Requests and responses: SSRF guard, download handler, failures, raw bytes, pace."""
