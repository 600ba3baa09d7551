"""Alert events of new retellings: of pages of ours, once per pair of pages."""

from collections.abc import Collection

from sqlalchemy import or_, select
from sqlalchemy.orm import Session

from storage.jobs import alert_events
from storage.meaning.retelling_list import is_listed
from storage.models.meaning import Retelling
from storage.models.pages import Page
from storage.models.sites import Site
from storage.records.alerts import AlertKind
from storage.types import CaseQueue, Relation, RetellingState, SiteRole


def ids_of_text(session: Session, text_id: int) -> list[int]:
    """The ids of the open retellings of pages with this text, on either side."""
    of_text = or_(Retelling.low_text_id == text_id, Retelling.high_text_id == text_id)
    is_open = Retelling.state == RetellingState.OPEN
    return list(session.scalars(select(Retelling.id).where(of_text, is_open).order_by(Retelling.id)))


def raise_retelling_events(session: Session, retelling_ids: Collection[int]) -> int:
    """Raise an event for each of these that is new and open, with one page of ours, of which nothing says that both
    have it from elsewhere, and that is no hit. Returns how many were raised; repeating it raises none.
    """
    rows = session.execute(
        select(Retelling.id, Retelling.low_page_id, Retelling.high_page_id, Retelling.source_page_id, Retelling.kind)
        .where(Retelling.id.in_(list(retelling_ids)), is_listed())
        .where(Retelling.state == RetellingState.OPEN, Retelling.relation == Relation.COPY)
        .order_by(Retelling.id)
    ).all()
    sides = _sides(session, {page for row in rows for page in (row.low_page_id, row.high_page_id)})
    raised = 0
    for row in rows:
        pages = (row.source_page_id, row.low_page_id + row.high_page_id - row.source_page_id)
        ours = next((page for page in pages if sides[page][1] is SiteRole.ORIGINAL), None)
        if ours is None:
            continue
        theirs = pages[0] + pages[1] - ours
        queue = CaseQueue.COPIED if ours == row.source_page_id else CaseQueue.WE_MAY_BE_COPIER
        details = {"retelling": row.id, "match_kind": row.kind.value, "queue": queue.value}
        others = {"other_site": sides[theirs][0], "other_owner": sides[theirs][2]}
        details |= {name: value for name, value in others.items() if value is not None}
        key = f"{row.low_page_id}:{row.high_page_id}"
        site_id = sides[ours][0]
        raised += alert_events.raise_event(
            session, AlertKind.RETELLING_FOUND, key=key, site_id=site_id, details=details
        )
    return raised


def _sides(session: Session, page_ids: Collection[int]) -> dict[int, tuple[int | None, SiteRole | None, int | None]]:
    """The site of each page, its role and its owner."""
    rows = session.execute(
        select(Page.id, Site.id, Site.role, Site.owner_id)
        .outerjoin(Site, Site.id == Page.site_id)
        .where(Page.id.in_(list(page_ids)))
    )
    return {page_id: (site_id, role, owner_id) for page_id, site_id, role, owner_id in rows}
