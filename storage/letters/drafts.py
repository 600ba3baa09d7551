"""Drafts of notices: what a person filled in, until a letter is made of it."""

from collections.abc import Mapping
from datetime import datetime

from sqlalchemy import func, insert, select, update
from sqlalchemy.orm import Session

from storage.errors import NotKnown
from storage.models.correspondence.letters import LetterConsent, LetterDraft
from storage.postgres.rows import record_of, records_of
from storage.postgres.text import storable
from storage.records.cases import Actor
from storage.records.correspondence.notices import DraftRecord, NoticeForm

SHOWN_DRAFTS = 200


def add_draft(
    session: Session, case_id: int, form: NoticeForm, language: str, inputs: Mapping[str, str], *, actor: Actor
) -> int:
    values = {"case_id": case_id, "form": form, "language": language, **_changed(inputs, actor)}
    return session.scalars(insert(LetterDraft).values(**values).returning(LetterDraft.id)).one()


def change_draft(session: Session, draft_id: int, inputs: Mapping[str, str], *, actor: Actor) -> bool:
    """Replaces what was filled in. Returns False for a draft that was sent."""
    open_one = (LetterDraft.id == draft_id, LetterDraft.letter_id.is_(None))
    values = {**_changed(inputs, actor), "changed_at": func.clock_timestamp()}
    return session.scalar(update(LetterDraft).where(*open_one).values(**values).returning(LetterDraft.id)) is not None


def _changed(inputs: Mapping[str, str], actor: Actor) -> dict[str, object]:
    kept = {name: storable(value) for name, value in inputs.items()}
    return {"inputs": kept, "changed_by_id": actor.account_id, "changed_by": actor.name}


def get_draft(session: Session, draft_id: int) -> DraftRecord:
    """Raises NotKnown."""
    found = session.get(LetterDraft, draft_id, populate_existing=True)
    if found is None:
        raise NotKnown("draft", str(draft_id))
    return record_of(DraftRecord, found)


def open_drafts(session: Session, *, limit: int = SHOWN_DRAFTS) -> list[DraftRecord]:
    """Drafts that were not sent, newest first."""
    found = select(LetterDraft).where(LetterDraft.letter_id.is_(None)).order_by(LetterDraft.id.desc()).limit(limit)
    return records_of(DraftRecord, session.scalars(found))


def waiting_since(session: Session, draft_ids: list[int]) -> dict[int, datetime]:
    """By draft: when consent was requested that nobody has given."""
    found = (
        select(LetterConsent.draft_id, func.max(LetterConsent.asked_at).label("asked_at"))
        .where(LetterConsent.draft_id.in_(draft_ids), LetterConsent.given_at.is_(None))
        .group_by(LetterConsent.draft_id)
    )
    return {row.draft_id: row.asked_at for row in session.execute(found)}


def mark_sent(session: Session, draft_id: int, letter_id: int) -> None:
    session.execute(update(LetterDraft).where(LetterDraft.id == draft_id).values(letter_id=letter_id))


def mark_letter_sent(session: Session, case_id: int, sha256: bytes, letter_id: int) -> None:
    """Closes the drafts of a plain letter about a case to whose text (`sha256`) consent was requested."""
    of_text = select(LetterConsent.draft_id).where(LetterConsent.sha256 == sha256)
    open_ones = (LetterDraft.case_id == case_id, LetterDraft.form == NoticeForm.LETTER, LetterDraft.letter_id.is_(None))
    session.execute(update(LetterDraft).where(*open_ones, LetterDraft.id.in_(of_text)).values(letter_id=letter_id))
