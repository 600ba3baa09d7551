"""Who writes letters: contact data, signatory, heading and seal, entered once for all letters."""

from collections.abc import Mapping
from typing import Final

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from storage.models.correspondence.letters import Letterhead
from storage.postgres.rows import columns_of, record_or_none
from storage.postgres.text import storable
from storage.postgres.writes import upsert
from storage.records.correspondence.letters import LetterheadRecord

WORDS: Final[Mapping[str, int]] = {
    "organisation": 200,
    "contact": 100,
    "telephone": 60,
    "mail": 254,
    "address": 400,
    "postcode": 20,
    "signatory": 100,
    "identity": 200,
    "representative": 100,
    "heading": 400,
}
"""The fields with their longest values, in characters."""
MOST_MINUTES: Final = 1_440
_KEY: Final = {"id": 1}


def letterhead(session: Session) -> LetterheadRecord:
    """As entered; empty before."""
    columns = columns_of(LetterheadRecord, Letterhead, has_seal=Letterhead.seal.is_not(None))
    return record_or_none(LetterheadRecord, session.execute(select(*columns))) or LetterheadRecord()


def seal(session: Session) -> bytes | None:
    """The picture of the seal, a PNG file; None without one."""
    return session.scalar(select(Letterhead.seal))


def set_letterhead(
    session: Session,
    words: Mapping[str, str],
    *,
    mail_channel_id: int | None,
    outbox_minutes: int,
    changed_by: str,
) -> None:
    """Stores the words (`WORDS`), each cut at its bound. The seal stays. Raises ValueError for an unknown field or
    minutes out of bounds.
    """
    unknown = words.keys() - WORDS.keys()
    if unknown or not 0 <= outbox_minutes <= MOST_MINUTES:
        message = f"not a letterhead: {', '.join(sorted(unknown)) or outbox_minutes}; see WORDS and MOST_MINUTES"
        raise ValueError(message)
    values: dict[str, object] = {name: storable(value[: WORDS[name]]) for name, value in words.items()}
    values |= {"mail_channel_id": mail_channel_id, "outbox_minutes": outbox_minutes}
    upsert(session, Letterhead, _KEY, values | {"changed_by": changed_by, "changed_at": func.now()})


def set_seal(session: Session, picture: bytes | None, *, changed_by: str) -> None:
    """Stores the seal; None removes it."""
    upsert(session, Letterhead, _KEY, {"seal": picture, "changed_by": changed_by, "changed_at": func.now()})
