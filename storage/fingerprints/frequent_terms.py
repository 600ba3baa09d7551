"""Frequent terms: keys that very many texts contain, and the texts that held them first.

Both are cached with the connection. Which keys are most common is read from the planner's statistics. The first holders
are cached since an index of keys cannot stop early: for a notice, all two hundred thousand entries would be read.
"""

from array import array
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from time import monotonic
from typing import Final

from sqlalchemy import text
from sqlalchemy.orm import Session

from fingerprint.model import ALGORITHM_VERSION
from storage.postgres.prepared_statements import Prepared

KINDS: Final = ("seeds", "slices")

FREQUENT_TEXTS: Final = 2_000
"""Texts from which on a key is frequent: a notice on every page, a story that everybody copied. Reading all of them
would take seconds and hardly change the ranking.
"""
FREQUENT_ASKED: Final = 8
"""Frequent keys that are looked up, rarest first: one may be the story itself."""
FREQUENT_SCAN: Final = 500
"""Texts that are read for frequent keys alone, oldest first, divided among the keys. Texts that share another key are
read anyway. More than twice what one look-up may name, and eight times what is aligned.
"""
FREQUENT_NAMED: Final = 5
"""Of these, texts named for each frequent key in any case, those that share most. A key in n texts adds 1/n: what
45,000 texts hold would rank after every phrase of a hundred, and beyond the bound in a store of a million.
"""
KEPT_S: Final = 600.0
"""Seconds for which first holders are cached; later some may be gone."""

# The most common keys as of the last ANALYZE. They are some hundred: picking them here is faster than planning a
# statement that picks them.
_COMMONEST = text(
    """
    SELECT s.attname AS kind, s.most_common_elems::text::integer[] AS keys, s.most_common_elem_freqs::float8[] AS shares
    FROM pg_class AS c
    JOIN pg_stats AS s ON s.schemaname = c.relnamespace::regnamespace::text AND s.tablename = c.relname
    WHERE c.oid = 'fingerprint'::regclass AND s.attname IN ('seeds', 'slices') AND NOT s.inherited
      AND s.most_common_elems IS NOT NULL
    """
)
# `is_settled`: the time of an ANALYZE is visible before its result, so statistics read at once may be older.
_COUNTED = Prepared(
    "keys_counted",
    {},
    """
    SELECT c.reltuples AS texts, at, at < now() - interval '10 seconds' AS is_settled
    FROM pg_class AS c
    CROSS JOIN LATERAL greatest(
        pg_stat_get_last_analyze_time(c.oid), pg_stat_get_last_autoanalyze_time(c.oid)
    ) AS at
    WHERE c.oid = 'fingerprint'::regclass
    """,
)
# In the order of the table, which is that of insertion, and so without a sort.
_FIRST_HOLDERS = {
    kind: Prepared(
        f"first_holders_of_{kind}",
        {"key": "integer", "version": "integer", "most": "integer"},
        f"""
        SELECT f.text_id FROM fingerprint AS f
        WHERE f.{kind} && ARRAY[:key] AND f.algorithm_version + 0 = :version
        LIMIT :most
        """,  # noqa: S608  (of two names that stand above)
    )
    for kind in KINDS
}
_KEPT: Final = "zhiwen_frequent_terms"


@dataclass(eq=False, slots=True)
class KeyStatistics:
    """Statistics of common keys as of `counted_at`; None: not to be cached.

    `shares`: by kind of key, the share of `texts` that holds each of the most common keys, 0…1. `holders`: the first
    holders of frequent keys, with the time of the look-up.
    """

    counted_at: datetime | None
    shares: Mapping[str, Mapping[int, float]]
    texts: float = 0.0
    holders: dict[tuple[str, int], tuple[float, "array[int]"]] = field(default_factory=dict)

    def among(self, wanted: Iterable[int], kind: str, hot: int) -> dict[int, int]:
        """Those of `wanted` that at least `hot` texts contain, with the number of texts, rarest first."""
        shares = self.shares.get(kind, {})
        found = [(key, shares[key] * self.texts) for key in wanted if key in shares]
        return {key: max(1, round(texts)) for key, texts in sorted(found, key=_rarest_first) if texts >= hot}

    def first_holders(self, session: Session, kind: str, keys: Collection[int]) -> list[int]:
        """Ids of texts that contain any of the keys, in order: for each key, equally many of the first stored."""
        found: set[int] = set()
        for_each = FREQUENT_SCAN // max(1, len(keys))
        for key in keys:
            looked_up, holders = self.holders.get((kind, key), (None, None))
            if holders is None or looked_up is None or monotonic() - looked_up > KEPT_S:
                asked = {"key": key, "version": ALGORITHM_VERSION, "most": FREQUENT_SCAN}
                holders = array("q", _FIRST_HOLDERS[kind].execute(session, asked).scalars())
                self.holders[kind, key] = monotonic(), holders
            found.update(holders[:for_each])
        return sorted(found)


def known(session: Session) -> KeyStatistics:
    """The statistics cached with the session's connection, read again after an ANALYZE."""
    counted = _COUNTED.execute(session, {}).one()
    info = session.connection().info
    kept: KeyStatistics | None = info.get(_KEPT)
    if kept is None or kept.counted_at is None or kept.counted_at != counted.at:
        # The shares end with three more: the minimum, the maximum, and that of NULL.
        shares = {row.kind: dict(zip(row.keys, row.shares, strict=False)) for row in session.execute(_COMMONEST)}
        kept = info[_KEPT] = KeyStatistics(counted.at if counted.is_settled else None, shares)
    kept.texts = counted.texts
    return kept


def _rarest_first(pair: tuple[int, float]) -> tuple[float, int]:
    return pair[1], pair[0]
