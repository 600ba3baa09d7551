"""The profile of each site, learned by its crawls."""

from collections.abc import Iterable

from sqlalchemy import func
from sqlalchemy.orm import Session

from storage.models.frontier import SiteKnowledgeRow
from storage.postgres.rows import record_of
from storage.postgres.writes import upsert
from storage.records.crawl import Learned


def get_learned(session: Session, site_id: int) -> Learned:
    found = session.get(SiteKnowledgeRow, site_id)
    return Learned() if found is None else record_of(Learned, found)


def set_learned(session: Session, site_id: int, *, marks: Iterable[int], list_shapes: Iterable[str]) -> None:
    """Replaces the profile. `marks`: signed 64-bit hashes of blocks."""
    learned = {"marks": sorted(marks), "list_shapes": sorted(list_shapes), "learned_at": func.now()}
    upsert(session, SiteKnowledgeRow, {"site_id": site_id}, learned)
