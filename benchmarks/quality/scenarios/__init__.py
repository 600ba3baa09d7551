"""Families of copies and innocents, and the scratch store."""
