"""Backgrounds: what sentences of the store look like to an encoder. Vectors of two backgrounds are never compared."""

from typing import Final

import numpy as np
import numpy.typing as npt
from sqlalchemy import ColumnElement, delete, exists, func, insert, select, true, update
from sqlalchemy.orm import Session

from storage.models.meaning import EncodedText, MeaningBackground
from storage.models.pages import Page, PageVersion, Text, TextFamily
from storage.records.meaning import StoredBackground
from storage.types import FOUND_ON_THE_WEB

ENOUGH: Final = 30
"""Texts of different stories from which a background can be made."""
MADE_OF: Final = 400
"""Texts that it is made of at most."""
DELETED_AT_ONCE: Final = 500
"""Encoded texts deleted in one transaction; each has some twenty passages."""
_LOCK: Final = 0x7A68_6267


def stored_background(session: Session, encoder: str) -> StoredBackground | None:
    """Return the background that searches with this encoder use; None if there is none yet."""
    number = serving_id(session, encoder)
    return None if number is None else background(session, number)


def serving_id(session: Session, encoder: str) -> int | None:
    """Return the id of that background: two reads of it are the same as long as the id is."""
    return session.scalar(
        select(MeaningBackground.id)
        .where(MeaningBackground.encoder == encoder, MeaningBackground.is_serving)
        .order_by(MeaningBackground.id.desc())
        .limit(1)
    )


def background(session: Session, number: int) -> StoredBackground | None:
    row = session.get(MeaningBackground, number)
    if row is None:
        return None
    sample = np.frombuffer(row.sample, dtype=np.float16).reshape(-1, row.size).astype(np.float32)
    mean = np.frombuffer(row.mean, dtype=np.float32)
    return StoredBackground(row.id, row.encoder, row.size, mean, sample, row.texts, row.is_serving)


def background_encoder(session: Session, number: int) -> str | None:
    """Return the encoder of a background; None if that is not stored, or not any more."""
    return session.scalar(select(MeaningBackground.encoder).where(MeaningBackground.id == number))


def building_id(session: Session, encoder: str) -> int | None:
    """Return the id of the background that is to replace the serving one; None if none is being built."""
    return session.scalar(
        select(MeaningBackground.id)
        .where(MeaningBackground.encoder == encoder, ~MeaningBackground.is_serving)
        .order_by(MeaningBackground.id.desc())
        .limit(1)
    )


def sample_texts(session: Session, *, only_public: bool = False) -> list[str]:
    """Return the texts that a background is made of: of each story one, at most `MADE_OF`, in an order that depends on
    the texts alone; empty if there are fewer than `ENOUGH`. `only_public`: only those that were found on the web.
    """
    rows = session.execute(
        select(func.left(Text.body, 50_000).label("body"), func.coalesce(TextFamily.family_id, Text.id).label("family"))
        .outerjoin(TextFamily, TextFamily.text_id == Text.id)
        .where(is_public() if only_public else true())
        .order_by(Text.sha256)
        .limit(2 * MADE_OF)
    )
    one_each: dict[int, str] = {}
    for row in rows:
        one_each.setdefault(row.family, row.body)
    return list(one_each.values())[:MADE_OF] if len(one_each) >= ENOUGH else []


def is_public() -> ColumnElement[bool]:
    """Whether a text was found on the web, as opposed to handed in by the people of this installation."""
    return exists(
        select(PageVersion.id)
        .join(Page, Page.id == PageVersion.page_id)
        .where(PageVersion.text_id == Text.id, Page.found_by.in_(FOUND_ON_THE_WEB))
    )


def has_enough_texts(session: Session) -> bool:
    some = select(Text.id).limit(ENOUGH).subquery()
    return (session.scalar(select(func.count()).select_from(some)) or 0) >= ENOUGH


def lock_backgrounds(session: Session) -> None:
    """Wait for other processes that make a background, until the end of the transaction."""
    session.execute(select(func.pg_advisory_xact_lock(_LOCK)))


def text_count(session: Session) -> int:
    return session.scalar(select(func.count()).select_from(Text)) or 0


def keep_background(
    session: Session,
    encoder: str,
    *,
    mean: npt.NDArray[np.float32],
    sample: npt.NDArray[np.float32],
    texts: int,
    is_serving: bool,
) -> int:
    """Store a background and return its id."""
    values = {
        "encoder": encoder,
        "size": len(mean),
        "mean": mean.astype(np.float32).tobytes(),
        "sample": sample.astype(np.float16).tobytes(),
        "texts": texts,
        "is_serving": is_serving,
    }
    number: int = session.execute(insert(MeaningBackground).values(values).returning(MeaningBackground.id)).scalar_one()
    return number


def serve(session: Session, number: int) -> None:
    """Make a complete background the one that searches use."""
    session.execute(update(MeaningBackground).where(MeaningBackground.id == number).values(is_serving=True))


def superseded(session: Session, number: int) -> list[int]:
    """Return the ids of backgrounds older than this one, of any encoder."""
    older = select(MeaningBackground.id).where(MeaningBackground.id < number).order_by(MeaningBackground.id)
    return list(session.scalars(older))


def delete_some(session: Session, number: int) -> bool:
    """Delete a bounded part of what belongs to a background, at last itself. Return whether something is left."""
    some = select(EncodedText.text_id).where(EncodedText.background_id == number).limit(DELETED_AT_ONCE)
    gone = session.execute(
        delete(EncodedText)
        .where(EncodedText.background_id == number, EncodedText.text_id.in_(some))
        .returning(EncodedText.text_id)
    ).all()
    if gone:
        return True
    session.execute(delete(MeaningBackground).where(MeaningBackground.id == number))
    return False
