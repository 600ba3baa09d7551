"""Platforms on which many authors publish: whose a page is, and what the platform says instead of a page."""
