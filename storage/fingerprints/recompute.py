"""Texts that need a fingerprint of the current algorithm version: claimed by row locks, like the backlog."""

from collections.abc import Mapping

from sqlalchemy import delete, func, select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import Session

from fingerprint.model import Fingerprint
from storage.models.pages import Backlog, PageVersion, Recompute, StoredFingerprint, Text
from storage.pages.saving import save_fingerprints


def waiting(session: Session) -> int:
    return session.scalar(select(func.count()).select_from(Recompute)) or 0


def ask_for_all(session: Session) -> int:
    """Queues every stored text. Returns how many wait."""
    texts = select(Text.id).order_by(Text.id)
    session.execute(insert(Recompute).from_select(["text_id"], texts).on_conflict_do_nothing())
    return waiting(session)


def claim(session: Session, *, limit: int) -> dict[int, str]:
    """Locks up to `limit` texts that no other worker holds. Returns their bodies by id."""
    statement = (
        select(Text.id, Text.body)
        .join(Recompute, Recompute.text_id == Text.id)
        .order_by(Text.id)
        .limit(limit)
        .with_for_update(of=Recompute, skip_locked=True)
    )
    return {row.id: row.body for row in session.execute(statement)}


def keep(session: Session, found: Mapping[int, Fingerprint]) -> None:
    """Replaces the fingerprints of these texts and puts their current versions on the backlog."""
    ids = list(found)
    session.execute(delete(StoredFingerprint).where(StoredFingerprint.text_id.in_(ids)))
    save_fingerprints(session, found)
    versions = select(PageVersion.id).where(PageVersion.text_id.in_(ids), PageVersion.is_current)
    session.execute(
        insert(Backlog).from_select(["page_version_id"], versions.order_by(PageVersion.id)).on_conflict_do_nothing()
    )
    session.execute(delete(Recompute).where(Recompute.text_id.in_(ids)))
