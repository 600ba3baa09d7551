"""Texts that wait for their vectors, and those that wait to be compared by meaning: claimed by row locks."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Final

from sqlalchemy import ColumnElement, func, select, text, update
from sqlalchemy.orm import Session

from storage.matches.backlog import ERROR_CHARS, delay_after
from storage.models.meaning import EncodedText, MeaningBackground
from storage.models.pages import Text
from storage.postgres.copy_rows import copy_rows
from storage.postgres.text import storable
from storage.records.meaning import MeaningCounts, StoredBackground
from storage.types import FOUND_ON_THE_WEB

LATE: Final = 10_000
"""Ids below the newest text at which a text may still appear: ids are given out before transactions end."""
MOST_CHARS: Final = 300_000
"""Characters of a text that are read: those that are encoded are among them."""

_BELOW: Final = 2**62
_PENDING: Final = """
    FROM text AS t
    WHERE t.id > (SELECT reached_id FROM meaning_background WHERE id = :background)
        AND NOT EXISTS (SELECT FROM encoded_text e WHERE e.text_id = t.id AND e.background_id = :background)
"""
# Found on the web, as opposed to handed in by the people of this installation.
_PUBLIC: Final = f"""
        AND EXISTS (SELECT FROM page_version v JOIN page p ON p.id = v.page_id
            WHERE v.text_id = t.id AND p.found_by IN ({", ".join(map(repr, map(str, FOUND_ON_THE_WEB)))}))
"""


def _pending(only_public: bool) -> str:
    return _PENDING + (_PUBLIC if only_public else "")


# What was compared with the same encoder is not compared again, unless its text is.
_KEEP: Final = text(
    """
    INSERT INTO encoded_text (text_id, background_id, passages, compared_at)
    SELECT k.text_id, :background, k.passages, (
        SELECT max(e.compared_at) FROM encoded_text e JOIN meaning_background b ON b.id = e.background_id
        WHERE e.text_id = k.text_id AND b.encoder = :encoder)
    FROM unnest(CAST(:ids AS bigint[]), CAST(:passages AS integer[])) AS k(text_id, passages)
    ON CONFLICT DO NOTHING RETURNING text_id
    """
)


def claim(
    session: Session, background_id: int, *, limit: int, below: int | None = None, only_public: bool = False
) -> dict[int, str]:
    """Lock up to `limit` texts without vectors that no other process holds, newest first. Return their bodies by id.

    `below`: only texts with a lower id. `only_public`: only those that were found on the web.
    """
    # FOR NO KEY UPDATE: whoever stores a page with this text meanwhile does not wait.
    statement = (
        f"SELECT t.id, left(t.body, :chars) AS body {_pending(only_public)} AND t.id < :below"
        " ORDER BY t.id DESC LIMIT :limit FOR NO KEY UPDATE OF t SKIP LOCKED"
    )
    asked = {"background": background_id, "below": below or _BELOW, "limit": limit, "chars": MOST_CHARS}
    return {row.id: row.body for row in session.execute(text(statement), asked)}


def waiting(session: Session, background_id: int, *, only_public: bool = False) -> int:
    """Return the number of texts without vectors."""
    statement = f"SELECT count(*) {_pending(only_public)}"
    return int(session.execute(text(statement), {"background": background_id}).scalar_one())


def is_any_waiting(session: Session, background_id: int, *, only_public: bool = False) -> bool:
    statement = f"SELECT EXISTS (SELECT {_pending(only_public)})"
    return bool(session.execute(text(statement), {"background": background_id}).scalar_one())


def keep(
    session: Session,
    background: StoredBackground,
    found: Mapping[int, Sequence[str]],
    *,
    chinese: Collection[int] = (),
) -> None:
    """Store the vectors of texts, one string of 0 and 1 a passage. `chinese`: ids of those in Chinese."""
    if not found:
        return
    counted = {text_id: len(passages) for text_id, passages in found.items()}
    values = {"ids": list(counted), "passages": list(counted.values())}
    # A text whose lock was freed between the reading of this transaction and its claim has its vectors already.
    new = session.scalars(_KEEP, values | {"background": background.id, "encoder": background.encoder}).all()
    rows: Iterable[tuple[object, ...]] = (
        (number, background.id, bits, place, number in chinese)
        for number in new
        for place, bits in enumerate(found[number])
    )
    copy_rows(session, "passage_vector", ("text_id", "background_id", "bits", "number", "is_chinese"), rows)


def encoded_count(session: Session, background_id: int, *, limit: int) -> int:
    """Return the number of encoded texts, counted up to `limit`."""
    some = select(EncodedText.text_id).where(EncodedText.background_id == background_id).limit(limit).subquery()
    return session.scalar(select(func.count()).select_from(some)) or 0


def newest_text(session: Session) -> int:
    return session.scalar(select(func.max(Text.id))) or 0


def note_reached(session: Session, background_id: int, newest: int) -> None:
    """Remember that all texts up to some below `newest` are encoded."""
    reached = max(0, newest - LATE)
    session.execute(
        update(MeaningBackground)
        .where(MeaningBackground.id == background_id, MeaningBackground.reached_id < reached)
        .values(reached_id=reached)
    )


def claim_uncompared(session: Session, background_id: int) -> int | None:
    """Lock the newest encoded text that is to be compared by meaning now and that no other process holds."""
    return session.scalar(
        select(EncodedText.text_id)
        .where(*_to_compare(background_id), EncodedText.not_before <= func.now())
        .order_by(EncodedText.text_id.desc())
        .limit(1)
        .with_for_update(skip_locked=True)
    )


def note_compared(session: Session, text_id: int) -> None:
    values = {"compared_at": func.now(), "attempts": 0, "error": None}
    session.execute(update(EncodedText).where(EncodedText.text_id == text_id).values(values))


def note_failed(session: Session, text_id: int, error: str) -> None:
    """Postpone a text that could not be compared, as the literal comparison postpones its own, and store the error."""
    values = {
        "attempts": EncodedText.attempts + 1,
        "error": storable(error[:ERROR_CHARS]),
        "not_before": func.now() + delay_after(EncodedText.attempts),
    }
    session.execute(update(EncodedText).where(EncodedText.text_id == text_id).values(values))


def uncompared(session: Session, background_id: int) -> int:
    """Return the number of encoded texts that wait to be compared."""
    return session.scalar(select(func.count()).where(*_to_compare(background_id))) or 0


def is_any_uncompared(session: Session, background_id: int) -> bool:
    """Return whether a text is to be compared now; one that failed waits for its time."""
    some = select(EncodedText.text_id).where(*_to_compare(background_id), EncodedText.not_before <= func.now())
    return session.scalar(some.limit(1)) is not None


def _to_compare(background_id: int) -> tuple[ColumnElement[bool], ...]:
    return EncodedText.background_id == background_id, EncodedText.compared_at.is_(None)


def compare_again(session: Session, text_ids: Iterable[int]) -> None:
    """Have these texts compared by meaning again, such as those of pages whose owner has changed."""
    values = {"compared_at": None, "not_before": func.now()}
    session.execute(update(EncodedText).where(EncodedText.text_id.in_(list(text_ids))).values(values))


def counts(session: Session, background_id: int) -> MeaningCounts:
    encoded = session.execute(
        select(
            func.count().label("encoded"),
            func.count(EncodedText.compared_at).label("compared"),
            func.count().filter(EncodedText.compared_at.is_(None), EncodedText.attempts > 0).label("failed"),
        ).where(EncodedText.background_id == background_id)
    ).one()
    texts = session.scalar(select(func.count()).select_from(Text)) or 0
    return MeaningCounts(texts, encoded.encoded, encoded.compared, encoded.failed)
