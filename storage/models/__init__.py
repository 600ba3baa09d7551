"""Tables as declarations, one file per noun. Importing this package registers all of them on the metadata."""

from storage.models import cases, evidence, frontier, matches, pages, people, sites

__all__ = ["cases", "evidence", "frontier", "matches", "pages", "people", "sites"]
