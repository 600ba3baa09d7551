"""Downloader middlewares, one a file."""
