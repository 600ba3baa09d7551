"""A ledger of the whole store for tests and benchmarks: pages, refusals, pairs and sums."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from sqlalchemy import text
from sqlalchemy.orm import Session

from storage.postgres.rows import record_of
from storage.records.case_states import OPEN_STATES

_PAGES: Final = text("SELECT url, id, gone_at IS NOT NULL AS is_gone FROM page")
_REFUSED: Final = text("SELECT url, refusal FROM frontier_url WHERE refusal IS NOT NULL")
_PAIRS: Final = text("SELECT low_page_id, high_page_id FROM page_match")
_SUMS: Final = text(
    """SELECT (SELECT count(*) - count(DISTINCT url) FROM page) AS twice,
        (SELECT count(*) FROM page_version v WHERE v.is_current
            AND NOT EXISTS (SELECT 1 FROM fingerprint f WHERE f.text_id = v.text_id)) AS without_fingerprint,
        (SELECT count(*) FROM backlog) AS waiting,
        (SELECT count(*) FROM zhiwen_queue.procrastinate_jobs WHERE status = 'failed') AS set_aside,
        (SELECT count(*) FROM "case") AS cases, (SELECT count(*) FROM page_version) AS versions"""
)
_CAPTURES: Final = text(
    """
    WITH due AS (
        SELECT id AS case_id, our_page_id AS page_id, opened_at AS since FROM "case" WHERE state = ANY(:open)
        UNION ALL
        SELECT p.case_id, p.their_page_id, p.found_at FROM case_page AS p
        JOIN "case" AS c ON c.id = p.case_id WHERE c.state = ANY(:open) AND p.gone_at IS NULL
    ), waits AS (
        SELECT extract(epoch FROM coalesce(c.at, clock_timestamp()) - d.since) AS seconds, c.at IS NULL AS is_missing
        FROM due AS d LEFT JOIN case_capture AS c ON c.case_id = d.case_id AND c.page_id = d.page_id
    )
    SELECT count(*) FILTER (WHERE is_missing) AS uncaptured, count(*) FILTER (WHERE seconds > 60) AS late,
           coalesce(percentile_cont(0.5) WITHIN GROUP (ORDER BY seconds) FILTER (WHERE NOT is_missing), 0)::float8
               AS median_wait_s,
           greatest(coalesce(max(seconds), 0), 0)::float8 AS longest_wait_s
    FROM waits
    """
)
_LOAD: Final = text(
    """SELECT (SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()) AS connections,
        pg_database_size(current_database()) AS bytes, (SELECT count(*) FROM page) AS pages,
        (SELECT count(*) FROM backlog) AS waiting,
        (SELECT count(*) FROM zhiwen_queue.procrastinate_jobs WHERE status IN ('todo', 'doing')) AS queued"""
)


@dataclass(frozen=True, slots=True)
class Captured:
    """Captures of the pages of open cases: how many are missing, how many took more than a minute, and the wait from
    being found to the capture (or until now) in seconds.
    """

    uncaptured: int = 0
    late: int = 0
    median_wait_s: float = 0.0
    longest_wait_s: float = 0.0


@dataclass(frozen=True, slots=True)
class Ledger:
    """`pages`: id and whether it is gone, by URL. Read into memory: for stores of some hundred thousand pages."""

    pages: Mapping[str, tuple[int, bool]]
    refused: Mapping[str, str]
    pairs: frozenset[tuple[int, int]]
    twice: int
    without_fingerprint: int
    waiting: int
    set_aside: int
    cases: int
    versions: int
    captured: Captured = field(default_factory=Captured)


@dataclass(frozen=True, slots=True)
class StoreLoad:
    """Row counts, size and open connections at this moment."""

    connections: int
    bytes: int
    pages: int
    waiting: int
    queued: int


def ledger(session: Session) -> Ledger:
    captured = session.execute(_CAPTURES, {"open": [state.value for state in OPEN_STATES]}).one()
    return record_of(
        Ledger,
        session.execute(_SUMS).one(),
        pages={row.url: (row.id, row.is_gone) for row in session.execute(_PAGES)},
        refused={row.url: row.refusal for row in session.execute(_REFUSED)},
        pairs=frozenset((low, high) for low, high in session.execute(_PAIRS)),
        captured=record_of(Captured, captured),
    )


def store_load(session: Session) -> StoreLoad:
    return record_of(StoreLoad, session.execute(_LOAD).one())
