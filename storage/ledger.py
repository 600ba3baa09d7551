"""Everything that is stored, for whoever draws a balance: which addresses, refused for what, paired with which."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from sqlalchemy import text
from sqlalchemy.orm import Session

from storage import captures

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
_LOAD: Final = text(
    """SELECT (SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()) AS connections,
        pg_database_size(current_database()) AS bytes, (SELECT count(*) FROM page) AS pages,
        (SELECT count(*) FROM backlog) AS waiting,
        (SELECT count(*) FROM zhiwen_queue.procrastinate_jobs WHERE status IN ('todo', 'doing')) AS queued"""
)
MANY: Final = 1_000_000


@dataclass(frozen=True, slots=True)
class Ledger:
    """`pages`: number by address, and whether it is known to be gone. `uncaptured`: pages of open cases that are
    still to be captured. All of it is read into memory: for stores of some hundred thousand pages.
    """

    pages: Mapping[str, tuple[int, bool]]
    refused: Mapping[str, str]
    pairs: frozenset[tuple[int, int]]
    twice: int
    without_fingerprint: int
    waiting: int
    set_aside: int
    cases: int
    uncaptured: int
    versions: int


@dataclass(frozen=True, slots=True)
class StoreLoad:
    """How much there is at the moment, and how many connections are open."""

    connections: int
    bytes: int
    pages: int
    waiting: int
    queued: int


def ledger(session: Session) -> Ledger:
    sums = session.execute(_SUMS).one()
    return Ledger(
        pages={row.url: (row.id, row.is_gone) for row in session.execute(_PAGES)},
        refused={row.url: row.refusal for row in session.execute(_REFUSED)},
        pairs=frozenset((low, high) for low, high in session.execute(_PAIRS)),
        uncaptured=len(captures.pending(session, limit=MANY)),
        **sums._mapping,
    )


def store_load(session: Session) -> StoreLoad:
    return StoreLoad(**session.execute(_LOAD).one()._mapping)
