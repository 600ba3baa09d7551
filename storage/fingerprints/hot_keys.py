"""Keys that very many texts hold: which they are, and the texts that held them first.

Both are kept with the connection. The database counts the commonest keys when it thinks fit; and an index of keys
cannot stop early: to find who held a key first, all two hundred thousand entries of a notice's are read and sorted.
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

HOT_TEXTS: Final = 2_000
"""Texts from which on a key is hot: a notice on every page, a story that everybody copied. To read them all for each
question would take seconds, and ranks nothing: each adds next to nothing to any of them.
"""
HOT_ASKED: Final = 8
"""Hot keys that are asked for, the rarest: a phrase that three thousand texts have and the story may both be there."""
HOT_SCAN: Final = 500
"""Texts that are read for hot keys alone, as many for each of them, oldest first, and kept of each. Those that share
another key too are read anyway. It is more than twice what one source may name and eight times what is aligned.
"""
HOT_NAMED: Final = 5
"""Of these so many are named for each hot key whatever else is, those that share most. A key in n texts adds 1/n: what
45,000 texts hold comes after every phrase that a hundred have, and in a store of a million it came beyond the bound.
"""
KEPT_S: Final = 600.0
"""Seconds after which who held a key first is looked up anew, since some of these texts may be gone."""

# What the database knows of the commonest keys since it last counted (ANALYZE), which it does by itself. They are some
# hundred, and to plan a statement that picks those asked for takes longer than to pick them here.
_COMMONEST = text(
    """
    SELECT s.attname AS kind, s.most_common_elems::text::integer[] AS keys, s.most_common_elem_freqs::float8[] AS shares
    FROM pg_class AS c
    JOIN pg_stats AS s ON s.schemaname = c.relnamespace::regnamespace::text AND s.tablename = c.relname
    WHERE c.oid = 'fingerprint'::regclass AND s.attname IN ('seeds', 'slices') AND NOT s.inherited
      AND s.most_common_elems IS NOT NULL
    """
)
# `is_settled`: it tells when it counted before others see what it counted, so what is read now might be of the time
# before.
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
# In the order of the table, which is that of storing, and so without a sort.
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
_KEPT: Final = "zhiwen_hot_keys"


@dataclass(eq=False, slots=True)
class Known:
    """What is known of common keys since `counted_at`; None: nothing that would be kept.

    `shares`: by kind of key, which share of `texts` holds each of the commonest. `holders`: of hot keys who held them
    first, and when that was looked up. They are as few as the commonest keys.
    """

    counted_at: datetime | None
    shares: Mapping[str, Mapping[int, float]]
    texts: float = 0.0
    holders: dict[tuple[str, int], tuple[float, "array[int]"]] = field(default_factory=dict)

    def among(self, wanted: Iterable[int], kind: str, hot: int) -> dict[int, int]:
        """Of the keys wanted those that `hot` texts or more hold, with how many these are, rarest first."""
        shares = self.shares.get(kind, {})
        found = [(key, shares[key] * self.texts) for key in wanted if key in shares]
        return {key: max(1, round(texts)) for key, texts in sorted(found, key=_rarest_first) if texts >= hot}

    def first_holders(self, session: Session, kind: str, keys: Collection[int]) -> list[int]:
        """Texts that hold any of the keys: of each as many of those first stored, in order."""
        found: set[int] = set()
        for_each = HOT_SCAN // max(1, len(keys))
        for key in keys:
            looked_up, holders = self.holders.get((kind, key), (None, None))
            if holders is None or looked_up is None or monotonic() - looked_up > KEPT_S:
                asked = {"key": key, "version": ALGORITHM_VERSION, "most": HOT_SCAN}
                holders = array("q", _FIRST_HOLDERS[kind].execute(session, asked).scalars())
                self.holders[kind, key] = monotonic(), holders
            found.update(holders[:for_each])
        return sorted(found)


def known(session: Session) -> Known:
    """What the session's connection knows, read anew once the database has counted again."""
    counted = _COUNTED.execute(session, {}).one()
    info = session.connection().info
    kept: Known | None = info.get(_KEPT)
    if kept is None or kept.counted_at is None or kept.counted_at != counted.at:
        # Of the shares three more are the least, the most, and of NULL.
        shares = {row.kind: dict(zip(row.keys, row.shares, strict=False)) for row in session.execute(_COMMONEST)}
        kept = info[_KEPT] = Known(counted.at if counted.is_settled else None, shares)
    kept.texts = counted.texts
    return kept


def _rarest_first(pair: tuple[int, float]) -> tuple[float, int]:
    return pair[1], pair[0]
