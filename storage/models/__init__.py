"""Tables as declarations, one file per noun. Importing this package registers all of them on the metadata."""

from storage.models import cases, evidence, matches, pages, people, sites

__all__ = ["cases", "evidence", "matches", "pages", "people", "sites"]
