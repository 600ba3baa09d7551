"""Tables as declarations, one file per noun. Importing this package registers all of them on the metadata."""

from storage.models import (
    access,
    alerts,
    cases,
    desk,
    evidence,
    frontier,
    matches,
    meaning,
    operation,
    originals,
    pages,
    people,
    sites,
    submissions,
    upkeep,
    watch,
)

__all__ = [
    "access",
    "alerts",
    "cases",
    "desk",
    "evidence",
    "frontier",
    "matches",
    "meaning",
    "operation",
    "originals",
    "pages",
    "people",
    "sites",
    "submissions",
    "upkeep",
    "watch",
]
