"""Who might be kin: four look-ups, each by an index, each bounded, best first."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager

from sqlalchemy import TextClause, select, text
from sqlalchemy.orm import Session

from fingerprint.model import ALGORITHM_VERSION
from storage.models.pages import StoredFingerprint, Text, TextFamily
from storage.records import Hits, StoredText, TextHit
from storage.types import to_signed

NO_TEXT = 0
"""An id no text has: for a question about a text that is not stored."""

# An OR over the bands would not use the covering columns: four index-only scans do. They do not tell the version,
# so the few that are near enough are looked up once more.
_BY_BANDS = text(
    """
    WITH near AS (
        SELECT DISTINCT text_id, simhash FROM (
            SELECT text_id, simhash FROM fingerprint WHERE band_0 = ANY(:band_0)
            UNION ALL SELECT text_id, simhash FROM fingerprint WHERE band_1 = ANY(:band_1)
            UNION ALL SELECT text_id, simhash FROM fingerprint WHERE band_2 = ANY(:band_2)
            UNION ALL SELECT text_id, simhash FROM fingerprint WHERE band_3 = ANY(:band_3)
        ) AS found
        WHERE bit_count((simhash # CAST(:simhash AS bigint))::bit(64)) <= :distance AND text_id <> :self
    )
    SELECT text_id, bit_count((simhash # CAST(:simhash AS bigint))::bit(64)) AS distance, count(*) OVER () AS total
    FROM near JOIN fingerprint USING (text_id, simhash) WHERE algorithm_version = :version
    ORDER BY distance, text_id LIMIT :bound
    """
)

# `algorithm_version + 0`: the primary key must not look usable, or the planner reads every row through it.
#
# One statement gives the frequency of each key found and the texts that hold them, ranked by what they share.
# A key that stands in n texts adds 1/n: a popular story's thousand copies together weigh no more than one rare key
# of each of its keys would, so they cannot crowd out the only source of another passage.
_BY_KEYS = """
    WITH held AS MATERIALIZED (
        SELECT f.text_id, k.key
        FROM fingerprint AS f CROSS JOIN LATERAL unnest(f.{column}) AS k(key)
        WHERE f.{column} && CAST(:keys AS {type}[]) AND f.algorithm_version + 0 = :version
          AND f.text_id <> :self AND k.key = ANY(CAST(:keys AS {type}[]))
    ), frequency AS (
        SELECT key, count(*) AS texts FROM held GROUP BY key
    ), ranked AS (
        SELECT text_id, count(*) AS shared, sum(1.0 / texts)::float8 AS rarity, array_agg(key) AS keys
        FROM held JOIN frequency USING (key) GROUP BY text_id
    )
    (SELECT true AS is_text, text_id AS id, shared AS number, rarity, keys, count(*) OVER () AS total
     FROM ranked ORDER BY rarity DESC, shared DESC, text_id LIMIT :bound)
    UNION ALL
    SELECT false, key, texts, 0, NULL, 0 FROM frequency
"""
_BY_SEEDS = text(_BY_KEYS.format(column="seeds", type="integer"))
_BY_SLICES = text(_BY_KEYS.format(column="slices", type="integer"))


@contextmanager
def indexes_forced(session: Session) -> Iterator[None]:
    """The planner takes `&&` for a condition that every row meets and would read the whole table instead."""
    session.execute(text("SET LOCAL enable_seqscan = off"))
    yield
    session.execute(text("SET LOCAL enable_seqscan = on"))


def by_digest(session: Session, sha256: bytes) -> int | None:
    return session.scalar(select(Text.id).where(Text.sha256 == sha256))


def by_bands(
    session: Session,
    simhash: int,
    probes: Sequence[Collection[int]],
    *,
    distance: int,
    bound: int,
    self_id: int = NO_TEXT,
) -> tuple[list[tuple[int, int]], int]:
    """Texts within `distance` bits that equal one of the `probes` in its band: (id, distance), and how many were cut.

    `probes` holds the values to look up in each of the four bands; with the bands of `simhash` itself every text
    within 3 bits is found, with their one-bit neighbours too every text within 7.
    """
    values = {f"band_{number}": list(wanted) for number, wanted in enumerate(probes)}
    asked = {"simhash": to_signed(simhash), "version": ALGORITHM_VERSION, "self": self_id}
    parameters = values | asked | {"distance": distance, "bound": bound}
    rows = session.execute(_BY_BANDS, parameters).all()
    found = [(row.text_id, row.distance) for row in rows]
    return found, (rows[0].total - len(rows) if rows else 0)


def by_seeds(session: Session, seeds: Iterable[int], *, bound: int, self_id: int = NO_TEXT) -> Hits:
    return _by_keys(session, _BY_SEEDS, seeds, bound=bound, self_id=self_id)


def by_slices(session: Session, slices: Iterable[int], *, bound: int, self_id: int = NO_TEXT) -> Hits:
    return _by_keys(session, _BY_SLICES, slices, bound=bound, self_id=self_id)


def _by_keys(session: Session, statement: TextClause, keys: Iterable[int], *, bound: int, self_id: int) -> Hits:
    wanted = sorted(set(keys))
    if not wanted:
        return Hits()
    parameters = {"keys": wanted, "bound": bound, "self": self_id, "version": ALGORITHM_VERSION}
    rows = session.execute(statement, parameters).all()
    hits = tuple(TextHit(row.id, row.number, row.rarity, tuple(sorted(row.keys))) for row in rows if row.is_text)
    total = next((row.total for row in rows if row.is_text), 0)
    frequencies = {row.id: row.number for row in rows if not row.is_text}
    return Hits(hits, total - len(hits), frequencies)


def texts_by_id(session: Session, ids: Collection[int]) -> dict[int, StoredText]:
    """The texts with what is needed to judge them."""
    statement = (
        select(Text.id, Text.body, StoredFingerprint, TextFamily.family_id)
        .join(StoredFingerprint, StoredFingerprint.text_id == Text.id)
        .outerjoin(TextFamily, TextFamily.text_id == Text.id)
        .where(Text.id.in_(ids), StoredFingerprint.algorithm_version == ALGORITHM_VERSION)
    )
    return {
        text_id: StoredText(
            id=text_id,
            body=body,
            simhash=found.simhash,
            slices=frozenset(found.slices),
            seeds=frozenset(found.seeds),
            family_id=family_id,
        )
        for text_id, body, found, family_id in session.execute(statement)
    }
