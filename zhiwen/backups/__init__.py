"""Backups: create, archive, manifest, restore, retention."""
