"""What crawls learned of each site's pages."""

from collections.abc import Iterable

from sqlalchemy import func
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import Session

from storage.models.frontier import SiteKnowledgeRow
from storage.postgres.rows import record_of
from storage.records.crawl import Learned


def get_learned(session: Session, site_id: int) -> Learned:
    found = session.get(SiteKnowledgeRow, site_id)
    return Learned() if found is None else record_of(Learned, found)


def set_learned(session: Session, site_id: int, *, marks: Iterable[int], list_shapes: Iterable[str]) -> None:
    """Replaces what was learned before. `marks` are signed 64-bit numbers."""
    learned = {"marks": sorted(marks), "list_shapes": sorted(list_shapes), "learned_at": func.now()}
    statement = insert(SiteKnowledgeRow).values(site_id=site_id, **learned)
    session.execute(statement.on_conflict_do_update(index_elements=[SiteKnowledgeRow.site_id], set_=learned))
