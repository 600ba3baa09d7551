"""The stored passages nearest to those of a text, by the index of pgvector."""

from collections.abc import Collection, Sequence
from typing import Final

from sqlalchemy import text
from sqlalchemy.orm import Session

from storage.column_types import array_literal
from storage.meaning import vector_index
from storage.postgres.rows import records_of
from storage.records.meaning import NearPassage

MOST_IN_VIEW: Final = 1_000
"""The extension's own limit."""


def nearest_passages(
    session: Session,
    background_id: int,
    asked: Sequence[str],
    *,
    is_chinese: bool,
    limit: int,
    in_view: int = 100,
    not_texts: Collection[int] = (),
    not_families: Collection[int] = (),
) -> list[NearPassage]:
    """Return for each asked passage, a string of 0 and 1, the `limit` nearest of a background, nearest first.

    `is_chinese`: among the texts known to be in Chinese, or among all others. Some may be missed: the index is
    approximate. `in_view`: passages that its search keeps in view (hnsw.ef_search): the more, the fewer are missed, and
    the longer it takes. Passages of `not_texts`, and of texts of `not_families`, are passed over. Empty without
    pgvector.
    """
    schema = vector_index.extension_schema(session)
    if schema is None or not asked:
        return []
    size = len(asked[0])
    # Where texts are passed over, the search goes on until there are enough.
    _set_search(session, min(MOST_IN_VIEW, max(in_view, limit)), goes_on=bool(not_texts or not_families))
    distance = f"p.bits::bit({size}) OPERATOR({schema}.<~>) q.bits::bit({size})"
    # Number and language stand in the statement, or the planner could not tell that the index holds such passages.
    condition = vector_index.CHINESE if is_chinese else vector_index.OTHERS
    statement = f"""
        SELECT q.number - 1 AS asked, near.text_id, coalesce(f.family_id, near.text_id) AS family_id, near.distance,
            near.number, {is_chinese} AS is_chinese
        FROM unnest(CAST(:asked AS text[])) WITH ORDINALITY AS q(bits, number)
        CROSS JOIN LATERAL (
            SELECT p.text_id, p.number, ({distance})::integer AS distance FROM passage_vector AS p
            WHERE p.background_id = {int(background_id)} AND p.{condition}{_passed_over(not_texts, not_families)}
            ORDER BY {distance} LIMIT :limit
        ) AS near
        LEFT JOIN text_family AS f ON f.text_id = near.text_id
        ORDER BY q.number, near.distance, near.text_id
    """  # noqa: S608  # numbers and the name of a schema
    values = {
        "asked": list(asked),
        "limit": limit,
        "not_texts": array_literal(not_texts),
        "not_families": array_literal(not_families),
    }
    return records_of(NearPassage, session.execute(text(statement), values))


def _passed_over(not_texts: Collection[int], not_families: Collection[int]) -> str:
    """Return the condition that leaves these texts out, as it is added to others."""
    texts = " AND p.text_id <> ALL(CAST(:not_texts AS bigint[]))"
    families = (
        " AND NOT EXISTS (SELECT FROM text_family g"
        " WHERE g.text_id = p.text_id AND g.family_id = ANY(CAST(:not_families AS bigint[])))"
    )
    return (texts if not_texts else "") + (families if not_families else "")


def _set_search(session: Session, in_view: int, *, goes_on: bool) -> None:
    """Set how the index is searched, until the end of the transaction."""
    session.execute(
        text(
            "SELECT set_config('hnsw.ef_search', :in_view, true), set_config('hnsw.iterative_scan', :goes_on, true),"
            " set_config('max_parallel_workers_per_gather', '0', true)"
        ),
        {"in_view": str(in_view), "goes_on": "relaxed_order" if goes_on else "off"},
    )
