"""Saving matches of texts and hits of pages, those of many pages together.

Rows are written in the order of their texts and pages, so that two savers cannot deadlock.
"""

import json
from collections.abc import Collection, Iterable, Sequence
from dataclasses import fields
from typing import TYPE_CHECKING, Any, Final

from sqlalchemy import delete, exists, func, select
from sqlalchemy.orm import Session

from storage.column_types import array_literal
from storage.matches.direction_reasons import encoded
from storage.matches.hits import _of_text, _other_text
from storage.models.matches import Match, PageMatch
from storage.postgres.prepared_statements import Prepared
from storage.postgres.rows import records_of
from storage.postgres.text import storable
from storage.records.differences import Differences
from storage.records.matches import Evidence, KnownHit, NewHit, NewMatch, NewPageMatch, Passage, SeenMatch

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

_MATCH_COLUMNS: Final = {
    **dict.fromkeys(("low_text_id", "high_text_id"), "bigint"),
    **{"algorithm_version": "integer", "kind": "text", "longest": "integer"},
    **dict.fromkeys(("score", "low_share", "high_share"), "float8"),
    **dict.fromkeys(("passages", "evidence"), "jsonb"),
}
_REPLACED: Final = ("score", "low_share", "high_share", "longest", "passages", "evidence")
_PAGE_COLUMNS: Final = {
    **dict.fromkeys(("low_page_id", "high_page_id", "source_page_id"), "bigint"),
    **{"confidence": "float8", "reasons": "text[]", "credit": "text", "credit_evidence": "text"},
    **{"relation": "text", "third_page_id": "bigint"},
}
_JUDGED: Final = tuple(name for name in _PAGE_COLUMNS if name not in ("low_page_id", "high_page_id"))


def _names(record: "type[DataclassInstance]") -> tuple[str, ...]:
    return tuple(field.name for field in fields(record))


_OF_EVIDENCE: Final = _names(Evidence)
_OF_PASSAGE: Final = _names(Passage)
_OF_DIFFERENCES: Final = _names(Differences)


def _listed(columns: Iterable[str], *, of: str = "") -> str:
    return ", ".join(f"{of}{name}" for name in columns)


def _typed(columns: dict[str, str]) -> str:
    return ", ".join(f"{name} {kind}" for name, kind in columns.items())


def _set(columns: Iterable[str]) -> str:
    return ", ".join(f"{name} = excluded.{name}" for name in columns)


# Whether a kind is replaced differs by row, and `excluded` holds only columns of the table.
_STORE_MATCHES: Final = Prepared(
    "matches_stored",
    {"rows": "jsonb"},
    f"""
    WITH given AS MATERIALIZED (
        SELECT * FROM jsonb_to_recordset(:rows) AS r({_typed(_MATCH_COLUMNS)}, from_copy boolean)
    )
    INSERT INTO match ({_listed(_MATCH_COLUMNS)})
    SELECT {_listed(_MATCH_COLUMNS)} FROM given ORDER BY low_text_id, high_text_id
    ON CONFLICT (low_text_id, high_text_id, algorithm_version) DO UPDATE SET {_set(_REPLACED)}, kind = CASE
        WHEN (SELECT from_copy FROM given AS g WHERE (g.low_text_id, g.high_text_id, g.algorithm_version)
              = (excluded.low_text_id, excluded.high_text_id, excluded.algorithm_version))
        THEN excluded.kind ELSE match.kind END
    RETURNING id, low_text_id, high_text_id, algorithm_version, xmax = 0 AS is_new
    """,  # noqa: S608  # columns of ours
)
_STORE_HITS: Final = Prepared(
    "hits_stored",
    {"rows": "jsonb"},
    f"""
    INSERT INTO page_match (match_id, {_listed(_PAGE_COLUMNS)})
    SELECT match_id, {_listed(_PAGE_COLUMNS)}
    FROM jsonb_to_recordset(:rows) AS r(match_id bigint, {_typed(_PAGE_COLUMNS)})
    ORDER BY match_id, low_page_id, high_page_id
    ON CONFLICT (match_id, low_page_id, high_page_id) DO UPDATE SET {_set(_JUDGED)}
    RETURNING id, match_id, low_page_id, high_page_id
    """,  # noqa: S608  # columns of ours
)
_KNOWN: Final = Prepared(
    "hits_known",
    {"text_ids": "bigint[]"},
    """
    SELECT m.id AS match_id, m.low_text_id, m.high_text_id, m.algorithm_version,
           p.id AS hit_id, p.low_page_id, p.high_page_id
    FROM (SELECT * FROM match WHERE low_text_id = ANY(:text_ids)
          UNION SELECT * FROM match WHERE high_text_id = ANY(:text_ids)) AS m
    LEFT JOIN page_match AS p ON p.match_id = m.id
    """,
)


def store_matches(session: Session, matches: Sequence[SeenMatch]) -> list[tuple[int, bool]]:
    """Stores matches, one per pair of texts and algorithm version; a later judgement replaces an earlier one. Each pair
    is given once.

    Returns the id of each, and whether it is new. Only the copying side shows the kind reliably (a mosaic is visible in
    the page made of it): seen from the source, a stored kind stays.
    """
    if not matches:
        return []
    rows = [_match_row(seen.match) | {"from_copy": seen.from_copy} for seen in matches]
    stored = _STORE_MATCHES.execute(session, {"rows": _as_json(rows)})
    found = {(row.low_text_id, row.high_text_id, row.algorithm_version): (row.id, row.is_new) for row in stored}
    return [found[seen.match.key] for seen in matches]


def store_hits(session: Session, hits: Sequence[NewHit]) -> list[int]:
    """Stores hits, each given once; a later judgement replaces an earlier one. Returns their ids."""
    if not hits:
        return []
    rows = _STORE_HITS.execute(session, {"rows": _as_json([_hit_row(hit) for hit in hits])})
    found = {(row.match_id, row.low_page_id, row.high_page_id): row.id for row in rows}
    return [found[hit.match_id, min(hit.found.page_ids), max(hit.found.page_ids)] for hit in hits]


def store_match(session: Session, match: NewMatch, *, seen_from_copy: bool = True) -> tuple[int, bool]:
    """`store_matches` for one."""
    return store_matches(session, [SeenMatch(match, from_copy=seen_from_copy)])[0]


def store_page_match(session: Session, match_id: int, found: NewPageMatch) -> int:
    """`store_hits` for one."""
    return store_hits(session, [NewHit(match_id, found)])[0]


def known_hits(session: Session, text_ids: Collection[int]) -> list[KnownHit]:
    """The matches of these texts with the pages that show them, one record per pair of pages."""
    return records_of(KnownHit, _KNOWN.execute(session, {"text_ids": array_literal(text_ids)}))


def matched_texts(session: Session, text_id: int, *, algorithm_version: int) -> set[int]:
    """Ids of the texts that `text_id` matches, including itself if it is on several pages."""
    statement = select(_other_text(text_id)).where(_of_text(text_id), Match.algorithm_version == algorithm_version)
    return set(session.scalars(statement))


def wording_shared(session: Session, text_id: int, *, algorithm_version: int) -> dict[int, float]:
    """By the id of each text that `text_id` matches, the greater share of the two texts that is common wording, 0…1."""
    share = func.greatest(Match.low_share, Match.high_share)
    statement = select(_other_text(text_id), share).where(
        _of_text(text_id), Match.algorithm_version == algorithm_version
    )
    return {row[0]: row[1] for row in session.execute(statement)}


def remove_hits(session: Session, hit_ids: Collection[int]) -> None:
    """Removes hits, and the matches that no hit shows any more."""
    if not hit_ids:
        return
    wanted = select(PageMatch.id).where(PageMatch.id.in_(sorted(hit_ids))).order_by(PageMatch.id).with_for_update()
    present = session.scalars(wanted).all()
    removed = session.scalars(delete(PageMatch).where(PageMatch.id.in_(present)).returning(PageMatch.match_id)).all()
    shown = exists().where(PageMatch.match_id == Match.id)
    session.execute(delete(Match).where(Match.id.in_(removed), ~shown))


def _values(record: object, names: Iterable[str]) -> dict[str, Any]:
    # Unlike `dataclasses.asdict`, without a deep copy: a batch of copies has thousands of passages.
    return {name: getattr(record, name) for name in names}


def _match_row(match: NewMatch) -> dict[str, Any]:
    passages = [_passage_row(passage) for passage in match.passages]
    return _values(match, _MATCH_COLUMNS) | {"passages": passages, "evidence": _values(match.evidence, _OF_EVIDENCE)}


def _passage_row(passage: Passage) -> dict[str, Any]:
    return _values(passage, _OF_PASSAGE) | {"differences": _values(passage.differences, _OF_DIFFERENCES)}


def _hit_row(hit: NewHit) -> dict[str, Any]:
    low, high = sorted(hit.found.page_ids)
    values = _values(hit.found, _JUDGED)
    reasons = [storable(encoded(reason)) for reason in hit.found.reasons]
    return values | {"match_id": hit.match_id, "low_page_id": low, "high_page_id": high, "reasons": reasons}


def _as_json(rows: list[dict[str, Any]]) -> str:
    return json.dumps(rows, ensure_ascii=False)
