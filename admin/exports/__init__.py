"""Exports: CSV, XLSX, JSON, and their downloads."""
