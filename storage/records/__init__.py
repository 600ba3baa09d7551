"""Frozen values that cross the border of storage, one file per noun; no SQL, no framework."""
