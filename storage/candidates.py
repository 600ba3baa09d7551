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
# so those that are near enough are looked up once more: in their order, until there are enough.
_BY_BANDS = text(
    """
    WITH near AS MATERIALIZED (
        SELECT DISTINCT text_id, simhash, bit_count((simhash # CAST(:simhash AS bigint))::bit(64)) AS distance FROM (
            SELECT text_id, simhash FROM fingerprint WHERE band_0 = ANY(:band_0)
            UNION ALL SELECT text_id, simhash FROM fingerprint WHERE band_1 = ANY(:band_1)
            UNION ALL SELECT text_id, simhash FROM fingerprint WHERE band_2 = ANY(:band_2)
            UNION ALL SELECT text_id, simhash FROM fingerprint WHERE band_3 = ANY(:band_3)
        ) AS found
        WHERE bit_count((simhash # CAST(:simhash AS bigint))::bit(64)) <= :distance AND text_id <> :self
    )
    SELECT n.text_id, n.distance, (SELECT count(*) FROM near) AS total
    FROM (SELECT * FROM near ORDER BY distance, text_id) AS n
    CROSS JOIN LATERAL (
        SELECT FROM fingerprint AS f
        WHERE f.text_id = n.text_id AND f.algorithm_version = :version AND f.simhash = n.simhash
    ) AS current
    ORDER BY n.distance, n.text_id
    LIMIT :bound
    """
)

HOT_TEXTS = 2_000
"""Texts from which on a key is hot: a notice on every page, a story that everybody copied. To read them all for each
question would take seconds, and ranks nothing: each adds next to nothing to any of them.
"""
HOT_ENTRIES = 100_000
"""Entries of the index that are read for hot keys, the rarest of these first; one key is asked for however many."""
HOT_SCAN = 2_000
"""Texts that are read for hot keys alone, oldest first. Those that share another key too are read anyway."""

# What the database knows of the commonest keys since it last counted (ANALYZE), which it does by itself.
_HOT = """
    SELECT known.key, greatest(1, round(known.share * c.reltuples))::bigint AS texts,
           {proves_nothing} AS proves_nothing
    FROM pg_class AS c
    JOIN pg_stats AS s ON s.schemaname = c.relnamespace::regnamespace::text AND s.tablename = c.relname
    CROSS JOIN LATERAL unnest(s.most_common_elems::text::{type}[], s.most_common_elem_freqs) AS known(key, share)
    WHERE c.oid = 'fingerprint'::regclass AND s.attname = '{column}' AND NOT s.inherited
      AND known.share * c.reltuples >= :hot AND known.key = ANY(CAST(:keys AS {type}[]))
    ORDER BY texts, known.key
"""
_PROVES_NOTHING = """
    EXISTS (SELECT FROM boilerplate AS b WHERE b.site_id IS NULL AND b.seed = known.key AND b.proves_nothing)
"""
_HOT_SEEDS = text(_HOT.format(column="seeds", type="integer", proves_nothing=_PROVES_NOTHING))
_HOT_SLICES = text(_HOT.format(column="slices", type="integer", proves_nothing="false"))

# `algorithm_version + 0`: the primary key must not look usable, or the planner reads every row through it.
#
# One statement gives the frequency of each key found and the texts that hold them, ranked by what they share.
# A key that stands in n texts adds 1/n: a popular story's thousand copies together weigh no more than one rare key
# of each of its keys would, so they cannot crowd out the only source of another passage.
_BY_KEYS = """
    WITH read AS MATERIALIZED (
        SELECT f.text_id, f.{column} AS keys FROM fingerprint AS f
        WHERE f.{column} && CAST(:rare AS {type}[]) AND f.algorithm_version + 0 = :version AND f.text_id <> :self
        UNION ALL
        (SELECT f.text_id, f.{column} FROM fingerprint AS f
         WHERE f.{column} && CAST(:hot_asked AS {type}[]) AND NOT f.{column} && CAST(:rare AS {type}[])
           AND f.algorithm_version + 0 = :version AND f.text_id <> :self
         LIMIT :scan)
    ), held AS MATERIALIZED (
        SELECT r.text_id, k.key FROM read AS r CROSS JOIN LATERAL unnest(r.keys) AS k(key)
        WHERE k.key = ANY(CAST(:keys AS {type}[]))
    ), hot AS (
        SELECT key, texts FROM unnest(CAST(:hot_keys AS {type}[]), CAST(:hot_texts AS bigint[])) AS h(key, texts)
    ), frequency AS (
        SELECT key, greatest(count(text_id), max(hot.texts)) AS texts
        FROM held FULL JOIN hot USING (key) GROUP BY key
    ), ranked AS (
        SELECT text_id, count(*) AS shared, sum(1.0 / texts)::float8 AS rarity, array_agg(key) AS keys
        FROM held JOIN frequency USING (key) GROUP BY text_id
    )
    (SELECT true AS is_text, text_id AS id, shared AS number, rarity, keys, count(*) OVER () AS total
     FROM ranked ORDER BY rarity DESC, shared DESC, text_id LIMIT :bound)
    UNION ALL
    SELECT false, key, texts, 0, NULL, 0 FROM frequency
"""
_FORCED = text("SET LOCAL enable_seqscan = off")
_ALONE = text("SET LOCAL enable_seqscan = off; SET LOCAL max_parallel_workers_per_gather = 0")
_AS_BEFORE = text("SET LOCAL enable_seqscan = on; SET LOCAL max_parallel_workers_per_gather TO DEFAULT")

_BY_SEEDS = text(_BY_KEYS.format(column="seeds", type="integer"))
_BY_SLICES = text(_BY_KEYS.format(column="slices", type="integer"))


@contextmanager
def indexes_forced(session: Session, *, alone: bool = False) -> Iterator[None]:
    """The planner takes `&&` for a condition that one row in a hundred meets and would read the whole table instead.

    `alone`: nor does it start processes to help, which from some 100,000 texts on takes longer than a look-up by keys.
    """
    session.execute(_ALONE if alone else _FORCED)
    yield
    session.execute(_AS_BEFORE)


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


def by_seeds(
    session: Session, seeds: Iterable[int], *, bound: int, self_id: int = NO_TEXT, hot: int = HOT_TEXTS
) -> Hits:
    """Texts that hold any of the seeds, at most `bound`, those that share the rarest first; how many were cut; how
    often each seed stands in other texts.

    Of seeds that `hot` texts or more hold, the frequency is what the database estimates. For these alone only some of
    the texts are read, and none where it is known that the seed proves nothing anywhere: they are counted as cut.
    """
    return _by_keys(session, (_HOT_SEEDS, _BY_SEEDS), seeds, bound=bound, self_id=self_id, hot=hot)


def by_slices(
    session: Session, slices: Iterable[int], *, bound: int, self_id: int = NO_TEXT, hot: int = HOT_TEXTS
) -> Hits:
    """The same of slices."""
    return _by_keys(session, (_HOT_SLICES, _BY_SLICES), slices, bound=bound, self_id=self_id, hot=hot)


def _by_keys(
    session: Session,
    statements: tuple[TextClause, TextClause],
    keys: Iterable[int],
    *,
    bound: int,
    self_id: int,
    hot: int,
) -> Hits:
    wanted = sorted(set(keys))
    if not wanted:
        return Hits()
    find_hot, find = statements
    all_keys = _literal(wanted)
    common = session.execute(find_hot, {"keys": all_keys, "hot": hot}).all()
    often = {row.key: row.texts for row in common}
    asked = affordable([(row.key, row.texts) for row in common if not row.proves_nothing])
    parameters = {
        "keys": all_keys,
        "rare": _literal(key for key in wanted if key not in often),
        "hot_asked": _literal(asked),
        "hot_keys": _literal(often),
        "hot_texts": _literal(often.values()),
        "scan": HOT_SCAN,
        "bound": bound,
        "self": self_id,
        "version": ALGORITHM_VERSION,
    }
    rows = session.execute(find, parameters).all()
    hits = tuple(TextHit(row.id, row.number, row.rarity, tuple(sorted(row.keys))) for row in rows if row.is_text)
    total = next((row.total for row in rows if row.is_text), 0)
    frequencies = {row.id: row.number for row in rows if not row.is_text}
    return Hits(hits, max(total, *often.values(), 0) - len(hits), frequencies)


def _literal(numbers: Iterable[int]) -> str:
    """An array as one value: of nine hundred the database would read each as an expression of its own."""
    return "{" + ",".join(map(str, numbers)) + "}"


def affordable(hot: Sequence[tuple[int, int]], *, most: int = HOT_ENTRIES) -> list[int]:
    """Of keys with their frequencies, rarest first, those that are asked for: with `most` entries, or a single one."""
    asked: list[int] = []
    entries = 0
    for key, texts in hot:
        entries += texts
        if asked and entries > most:
            break
        asked.append(key)
    return asked


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
