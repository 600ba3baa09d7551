"""The consent of a second person to the text of a notice: requested, given, and checked when the notice is sent."""

import hashlib
from collections.abc import Iterable
from datetime import datetime

from sqlalchemy import func, select, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import Session

from storage.errors import NotConsented
from storage.models.correspondence.letters import LetterConsent, LetterDraft
from storage.models.people import Account
from storage.postgres.rows import records_of
from storage.postgres.text import storable
from storage.records.cases import Actor
from storage.records.correspondence.notices import Consented, ConsentRecord, ConsentWay, GateReason, NoticeForm
from storage.types import AccountRole


def digest(text: str) -> bytes:
    """SHA-256 of the text as it is stored."""
    return hashlib.sha256(storable(text).encode()).digest()


def joined(reasons: Iterable[GateReason]) -> str:
    return ",".join(sorted(reason.value for reason in reasons))


def ask(
    session: Session, draft_id: int, text: str, reasons: Iterable[GateReason], *, actor: Actor, at: datetime
) -> None:
    """Requests consent to this text for these reasons; again, it changes nothing."""
    values = {
        "draft_id": draft_id,
        "sha256": digest(text),
        "reasons": joined(reasons),
        "asked_at": at,
        "asked_by_id": actor.account_id,
        "asked_by": actor.name,
    }
    session.execute(insert(LetterConsent).values(**values).on_conflict_do_nothing())


def consents_of(session: Session, draft_id: int) -> list[ConsentRecord]:
    """Requests for a draft with their answers, newest first."""
    found = select(LetterConsent).where(LetterConsent.draft_id == draft_id).order_by(LetterConsent.id.desc())
    return records_of(ConsentRecord, session.scalars(found))


def give(session: Session, consent_id: int, way: ConsentWay, *, actor: Actor, at: datetime) -> bool:
    """Records a consent. Returns False if it was given before. The caller has checked who may give it."""
    values = {"given_at": at, "given_by_id": actor.account_id, "given_by": actor.name, "way": way}
    open_one = (LetterConsent.id == consent_id, LetterConsent.given_at.is_(None))
    return (
        session.scalar(update(LetterConsent).where(*open_one).values(**values).returning(LetterConsent.id)) is not None
    )


def is_given(session: Session, case_id: int, form: NoticeForm, text: str, reasons: Iterable[GateReason]) -> bool:
    """Whether somebody has consented to exactly this text, for these reasons at least."""
    given = (
        select(LetterConsent.reasons)
        .join(LetterDraft, LetterDraft.id == LetterConsent.draft_id)
        .where(LetterDraft.case_id == case_id, LetterDraft.form == form)
        .where(LetterConsent.sha256 == digest(text), LetterConsent.given_at.is_not(None))
    )
    wanted = {reason.value for reason in reasons}
    return any(wanted <= set(found.split(",")) for found in session.scalars(given))


def check(session: Session, case_id: int, form: NoticeForm, body: str, consented: Consented | None) -> None:
    """Raises NotConsented unless the text that `body` begins with has the consent that it needs."""
    if consented is None or not consented.reasons:
        return
    text = storable(consented.text)
    if not body.startswith(text) or not is_given(session, case_id, form, text, consented.reasons):
        raise NotConsented(joined(consented.reasons))


def others_who_may_send(session: Session, account_id: int | None) -> int:
    """How many other accounts may send letters."""
    may_send = (AccountRole.REVIEWER, AccountRole.MANAGER, AccountRole.ADMINISTRATOR)
    others = (Account.enabled, Account.role.in_(may_send), Account.id != (account_id or 0))
    return session.scalar(select(func.count()).select_from(Account).where(*others)) or 0
