"""Adding versions to the backlog."""

from collections.abc import Iterable

from sqlalchemy import select
from sqlalchemy.dialects.postgresql import Insert, insert
from sqlalchemy.orm import Session

from storage.models.pages import Backlog, Page, PageVersion


def enqueue_site(session: Session, site_id: int) -> None:
    """Puts all current versions of a site on the backlog, as `enqueue` does."""
    versions = (
        select(PageVersion.id)
        .join(Page, Page.id == PageVersion.page_id)
        .where(Page.site_id == site_id, PageVersion.is_current)
        .order_by(PageVersion.id)
    )
    session.execute(_waiting_for(insert(Backlog).from_select(["page_version_id"], versions)))


def _waiting_for(statement: Insert) -> Insert:
    # An update that changes nothing: unlike DO NOTHING it waits for a worker that is about to delete the row.
    return statement.on_conflict_do_update(
        index_elements=[Backlog.page_version_id], set_={"attempts": Backlog.attempts}
    )


def enqueue(session: Session, version_ids: Iterable[int]) -> None:
    """Puts versions on the backlog; those already there stay unchanged.

    Waits for a version that a worker is comparing, and adds it again: the worker sees only what was stored when it
    began.
    """
    rows = [{"page_version_id": version_id} for version_id in sorted(set(version_ids))]
    if rows:
        session.execute(_waiting_for(insert(Backlog)), rows)
