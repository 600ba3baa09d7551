"""What pages share by meaning, as far as retellings of them are stored: to judge relations in view of it."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any, Final

from sqlalchemy import select, update
from sqlalchemy.orm import Session

from storage.column_types import array_literal
from storage.models.meaning import EncodedText
from storage.postgres.prepared_statements import Prepared
from storage.records.retellings import SharedByMeaning
from storage.types import Relation, RetellingState

MOST: Final = 200
"""Pairs of pages that are read, highest score first."""

_COLUMNS: Final = (
    "low_page_id, high_page_id, low_text_id, high_text_id, sentences, source_page_id, relation, third_page_id, score"
)
_NOT_DISMISSED: Final = f"state <> '{RetellingState.DISMISSED.value}'"
_OF_PAGES: Final = Prepared(
    "shared_by_meaning",
    {"page_ids": "bigint[]", "most": "integer"},
    f"""
    SELECT {_COLUMNS} FROM retelling WHERE low_page_id = ANY(:page_ids) AND {_NOT_DISMISSED}
    UNION SELECT {_COLUMNS} FROM retelling WHERE high_page_id = ANY(:page_ids) AND {_NOT_DISMISSED}
    ORDER BY score DESC, low_page_id, high_page_id LIMIT :most
    """,  # noqa: S608  # columns of ours
)
_AMONG: Final = Prepared(
    "shared_by_meaning_among",
    {"page_ids": "bigint[]", "most": "integer"},
    f"""
    SELECT {_COLUMNS} FROM retelling
    WHERE low_page_id = ANY(:page_ids) AND high_page_id = ANY(:page_ids) AND {_NOT_DISMISSED}
    ORDER BY score DESC, low_page_id, high_page_id LIMIT :most
    """,  # noqa: S608  # columns of ours
)


def shared_by_meaning(session: Session, page_ids: Collection[int]) -> list[SharedByMeaning]:
    """Return what these pages share with any others, highest score first; nothing that was dismissed."""
    return _read(session, _OF_PAGES, page_ids) if page_ids else []


def shared_among(session: Session, page_ids: Collection[int]) -> list[SharedByMeaning]:
    """Return what these pages share with each other."""
    return _read(session, _AMONG, page_ids) if len(page_ids) > 1 else []


def compare_again_soon(session: Session, text_ids: Collection[int]) -> None:
    """Have texts compared by meaning again, except those that another process is comparing: it may wait for ours."""
    rows = select(EncodedText.text_id).where(EncodedText.text_id.in_(sorted(text_ids)))
    free = session.scalars(rows.order_by(EncodedText.text_id).with_for_update(skip_locked=True)).all()
    session.execute(update(EncodedText).where(EncodedText.text_id.in_(free)).values(compared_at=None))


def _read(session: Session, statement: Prepared, page_ids: Collection[int]) -> list[SharedByMeaning]:
    rows = statement.execute(session, {"page_ids": array_literal(sorted(page_ids)), "most": MOST})
    return [
        SharedByMeaning(
            page_ids=(row.low_page_id, row.high_page_id),
            text_ids=(row.low_text_id, row.high_text_id),
            spans=(_spans(row.sentences, "left"), _spans(row.sentences, "right")),
            source_page_id=row.source_page_id,
            relation=Relation(row.relation),
            third_page_id=row.third_page_id,
        )
        for row in rows
    ]


def _spans(sentences: Sequence[Mapping[str, Any]], side: str) -> tuple[tuple[int, int], ...]:
    return tuple((one[f"{side}_start"], one[f"{side}_end"]) for one in sentences)
