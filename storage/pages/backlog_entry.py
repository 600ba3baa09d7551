"""Putting versions on the backlog."""

from collections.abc import Iterable

from sqlalchemy import select
from sqlalchemy.dialects.postgresql import Insert, insert
from sqlalchemy.orm import Session

from storage.models.pages import Backlog, Page, PageVersion


def enqueue_site(session: Session, site_id: int) -> None:
    """Puts all pages of a site on the backlog, as `enqueue` does."""
    versions = (
        select(PageVersion.id)
        .join(Page, Page.id == PageVersion.page_id)
        .where(Page.site_id == site_id, PageVersion.is_current)
        .order_by(PageVersion.id)
    )
    session.execute(_waiting_for(insert(Backlog).from_select(["page_version_id"], versions)))


def _waiting_for(statement: Insert) -> Insert:
    # An update that changes nothing: unlike DO NOTHING it waits for whoever is about to delete the row.
    return statement.on_conflict_do_update(
        index_elements=[Backlog.page_version_id], set_={"attempts": Backlog.attempts}
    )


def enqueue(session: Session, version_ids: Iterable[int]) -> None:
    """Puts versions on the backlog, to be compared with the store; one already there stays as it is.

    A version that a worker is just comparing, with what was stored when it began, is waited for and put there again.
    """
    rows = [{"page_version_id": version_id} for version_id in sorted(set(version_ids))]
    if rows:
        session.execute(_waiting_for(insert(Backlog)), rows)
