"""Notices by addressee."""
