"""Lists from their newest entry on, in pieces: each begins below the number at which the one before ended."""

from sqlalchemy.orm import Session

from storage.matches.filters import hit_ids
from storage.matches.hits import hits_by_id
from storage.models.matches import PageMatch
from storage.records.matches import HitFilter, HitRecord


def hits_below(session: Session, where: HitFilter, *, below: int | None, limit: int) -> list[HitRecord]:
    """Hits that fit, the last found first, with numbers below `below`."""
    wanted = hit_ids(session, where).order_by(None).order_by(PageMatch.id.desc()).limit(limit)
    if below is not None:
        wanted = wanted.where(PageMatch.id < below)
    return hits_by_id(session, session.scalars(wanted).all())
