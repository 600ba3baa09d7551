"""Frozen values passed to and from storage, one file per noun; no SQL, no framework."""
