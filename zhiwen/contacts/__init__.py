"""Whom to write to: searches for contacts, run from the settings, within the pace of each host."""
