"""Tables as declarations, one file per noun. Importing this package registers all of them on the metadata."""

from storage.models import cases, desk, evidence, frontier, matches, operation, pages, people, sites, submissions

__all__ = ["cases", "desk", "evidence", "frontier", "matches", "operation", "pages", "people", "sites", "submissions"]
