"""Stored hits among some pages, as they were judged: to judge their relation again when a third page appears."""

from collections.abc import Collection, Iterable
from typing import Any, Final

from sqlalchemy import Row
from sqlalchemy.orm import Session

from storage.column_types import array_literal
from storage.matches.direction_reasons import decoded
from storage.matches.hits import passage_from_json
from storage.postgres.prepared_statements import Prepared
from storage.records.matches import NewPageMatch, StoredHit
from storage.types import Credit, Relation

MOST: Final = 200
"""Hits that are read, highest score first."""

_HITS: Final = """
    SELECT p.match_id, m.low_text_id, m.high_text_id, m.passages, p.low_page_id, p.high_page_id, p.source_page_id,
           p.confidence, p.reasons, p.credit, p.credit_evidence, p.relation, p.third_page_id
    FROM page_match AS p JOIN match AS m ON m.id = p.match_id
    WHERE """
_AMONG: Final = Prepared(
    "hits_among",
    {"page_ids": "bigint[]", "algorithm_version": "integer", "most": "integer"},
    f"""{_HITS} p.low_page_id = ANY(:page_ids) AND p.high_page_id = ANY(:page_ids)
      AND m.algorithm_version = :algorithm_version
    ORDER BY m.score DESC, p.id
    LIMIT :most
    """,  # columns of ours
)
_OF_PAGE: Final = Prepared(
    "stored_hits_of_page",
    {"page_id": "bigint", "algorithm_version": "integer", "most": "integer"},
    f"""{_HITS}(p.low_page_id = :page_id OR p.high_page_id = :page_id) AND m.algorithm_version = :algorithm_version
    ORDER BY m.score DESC, p.id
    LIMIT :most
    """,  # columns of ours
)


def hits_among(session: Session, page_ids: Collection[int], *, algorithm_version: int) -> list[StoredHit]:
    """Return the stored hits of which both pages are among `page_ids`, at most `MOST`."""
    if len(page_ids) <= 1:
        return []
    given = {"page_ids": array_literal(sorted(page_ids)), "algorithm_version": algorithm_version, "most": MOST}
    return _records(_AMONG.execute(session, given))


def stored_hits_of_page(session: Session, page_id: int, *, algorithm_version: int) -> list[StoredHit]:
    """Return the stored hits of a page, at most `MOST`."""
    return _records(
        _OF_PAGE.execute(session, {"page_id": page_id, "algorithm_version": algorithm_version, "most": MOST})
    )


def _records(rows: Iterable[Row[Any]]) -> list[StoredHit]:
    return [
        StoredHit(
            match_id=row.match_id,
            low_text_id=row.low_text_id,
            high_text_id=row.high_text_id,
            passages=tuple(map(passage_from_json, row.passages)),
            found=NewPageMatch(
                page_ids=(row.low_page_id, row.high_page_id),
                source_page_id=row.source_page_id,
                confidence=row.confidence,
                reasons=tuple(map(decoded, row.reasons)),
                credit=Credit(row.credit),
                credit_evidence=row.credit_evidence,
                relation=Relation(row.relation),
                third_page_id=row.third_page_id,
            ),
        )
        for row in rows
    ]
