"""Results of many visits at once."""

from collections.abc import Sequence
from typing import Final

from sqlalchemy import text
from sqlalchemy.orm import Session

from storage.records.crawl import Visit

_SETTLE: Final = text(
    """
    UPDATE frontier_url SET
        url = visit.url, kind = visit.kind, state = visit.state, tier = visit.tier, visited_at = visit.at,
        due_at = visit.due_at, attempts = visit.attempts, refusal = visit.refusal, etag = visit.etag,
        last_modified = visit.last_modified, visits = visit.visits, changes = visit.changes,
        observed_s = visit.observed_s, leased_until = NULL, leased_by = NULL
    FROM unnest(
        CAST(:id AS bigint[]), CAST(:url AS text[]), CAST(:kind AS text[]), CAST(:state AS text[]),
        CAST(:tier AS smallint[]), CAST(:at AS timestamptz[]), CAST(:due_at AS timestamptz[]),
        CAST(:attempts AS integer[]), CAST(:refusal AS text[]), CAST(:etag AS text[]),
        CAST(:last_modified AS text[]), CAST(:visits AS integer[]), CAST(:changes AS integer[]),
        CAST(:observed_s AS double precision[])
    ) AS visit (
        id, url, kind, state, tier, at, due_at, attempts, refusal, etag, last_modified, visits, changes, observed_s
    )
    WHERE frontier_url.id = visit.id
    """
)


def settle_all(session: Session, visits: Sequence[Visit]) -> None:
    """Stores the results of claims and frees them, as `frontier.settle` does one. No claim may be named twice."""
    if not visits:
        return
    columns: dict[str, list[object]] = {
        name: [getattr(visit, name) for visit in visits]
        for name in ("id", "url", "at", "due_at", "attempts", "etag", "last_modified")
    }
    columns |= {
        "kind": [visit.kind.value for visit in visits],
        "state": [visit.state.value for visit in visits],
        "tier": [int(visit.tier) for visit in visits],
        "refusal": [None if visit.refusal is None else str(visit.refusal) for visit in visits],
        "visits": [visit.history.visits for visit in visits],
        "changes": [visit.history.changes for visit in visits],
        "observed_s": [visit.history.observed_s for visit in visits],
    }
    session.execute(_SETTLE, columns)
