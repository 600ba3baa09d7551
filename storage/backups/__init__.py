"""Dump and restore of the database, and the history of backups."""
