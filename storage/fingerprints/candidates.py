"""Candidate retrieval: four indexed queries, each bounded, best candidates first."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import accumulate, chain
from typing import Any, Final

import numpy as np
from sqlalchemy import Row
from sqlalchemy.orm import Session

from fingerprint.model import ALGORITHM_VERSION
from storage.column_types import array_literal, to_signed
from storage.fingerprints import boilerplate, frequent_terms
from storage.postgres.prepared_statements import Prepared
from storage.postgres.rows import records_of
from storage.records.candidates import Hits, KeyHits, StoredText

NO_TEXT = 0
"""An id that no text has: for a query text that is not stored."""

# Four index-only scans instead of an OR, which would not use the covering columns. Each leaves out what those before it
# found: removing duplicates among fifty thousand copies of one story afterwards takes longer than reading them. The
# index has no version, so the nearest are looked up by id, in order, until there are enough. (LIMIT 1, or the planner
# joins the whole table.) Sorting tens of thousands takes a third of the time, so only the `reach` nearest are sorted;
# all, if too many of these have no fingerprint of the current version.
_BY_BANDS = Prepared(
    "texts_by_bands",
    {
        **{f"band_{number}": "integer[]" for number in range(4)},
        **{"simhash": "bigint", "distance": "integer", "self": "bigint", "version": "integer"},
        **{"bound": "integer", "reach": "integer"},
    },
    """
    WITH near AS MATERIALIZED (
        SELECT text_id, simhash, bit_count((simhash # :simhash)::bit(64)) AS distance FROM (
            SELECT text_id, simhash FROM fingerprint WHERE band_0 = ANY(:band_0)
            UNION ALL SELECT text_id, simhash FROM fingerprint WHERE band_1 = ANY(:band_1)
                AND (simhash >> 48 & 65535)::integer <> ALL(:band_0)
            UNION ALL SELECT text_id, simhash FROM fingerprint WHERE band_2 = ANY(:band_2)
                AND (simhash >> 48 & 65535)::integer <> ALL(:band_0)
                AND (simhash >> 32 & 65535)::integer <> ALL(:band_1)
            UNION ALL SELECT text_id, simhash FROM fingerprint WHERE band_3 = ANY(:band_3)
                AND (simhash >> 48 & 65535)::integer <> ALL(:band_0)
                AND (simhash >> 32 & 65535)::integer <> ALL(:band_1)
                AND (simhash >> 16 & 65535)::integer <> ALL(:band_2)
        ) AS found
        WHERE bit_count((simhash # :simhash)::bit(64)) <= :distance AND text_id <> :self
    )
    SELECT best.text_id, best.distance, counted.total
    FROM (SELECT count(*) AS total FROM near) AS counted
    LEFT JOIN (
        SELECT DISTINCT ON (n.distance, n.text_id) n.text_id, n.distance
        FROM (SELECT * FROM near ORDER BY distance, text_id LIMIT :reach) AS n
        CROSS JOIN LATERAL (
            SELECT FROM fingerprint AS f
            WHERE f.text_id = n.text_id AND f.algorithm_version = :version AND f.simhash = n.simhash
            LIMIT 1
        ) AS current
        ORDER BY n.distance, n.text_id
        LIMIT :bound
    ) AS best ON true
    ORDER BY best.distance, best.text_id
    """,
)
NEAREST = 2
"""Near simhashes that are read for each wanted, unless too few of these have a current fingerprint."""

_KEY_PARAMETERS = {
    **dict.fromkeys(("keys", "rare", "frequent_asked", "frequent_keys"), "integer[]"),
    **dict.fromkeys(("frequent_texts", "first_holders"), "bigint[]"),
    **{"scan": "integer", "named": "integer", "bound": "integer", "self": "bigint", "version": "integer"},
}


_TEXTS_BY_KEYS: Final = """
    WITH by_rare AS MATERIALIZED (
        SELECT f.text_id, f.{column} AS keys FROM fingerprint AS f
        WHERE f.{column} && :rare AND f.algorithm_version + 0 = :version AND f.text_id <> :self
    ), texts AS MATERIALIZED (
        SELECT text_id, keys, false AS is_extra FROM by_rare
        UNION ALL
        (SELECT f.text_id, f.{column}, true FROM fingerprint AS f
         WHERE f.text_id = ANY(:first_holders) AND f.algorithm_version = :version
           AND f.text_id <> :self AND f.text_id NOT IN (SELECT text_id FROM by_rare)
         ORDER BY f.text_id LIMIT :scan)
    ), postings AS MATERIALIZED (
        SELECT text_id, key, is_extra FROM (SELECT text_id, unnest(keys) AS key, is_extra FROM texts) AS every
        WHERE key IN (SELECT unnest(:keys))
    ), counted AS (
        SELECT key, count(*) AS texts FROM postings GROUP BY key
    ), estimated AS (
        SELECT key, texts FROM unnest(:frequent_keys, :frequent_texts) AS h(key, texts)
    ), frequency AS MATERIALIZED (
        SELECT key, greatest(c.texts, e.texts) AS texts, 1.0 / greatest(c.texts, e.texts) AS rarity
        FROM counted AS c FULL JOIN estimated AS e USING (key)
    ), ranked AS MATERIALIZED (
        SELECT text_id, count(*) AS shared, sum(rarity)::float8 AS rarity, bool_or(is_extra) AS is_extra
        FROM postings JOIN frequency USING (key) GROUP BY text_id
    ), ranked_by_key AS (
        SELECT text_id, shared, rarity,
               row_number() OVER (PARTITION BY key ORDER BY shared DESC, rarity DESC, text_id) AS rank
        FROM postings JOIN ranked USING (text_id) WHERE ranked.is_extra AND key = ANY(:frequent_asked)
    ), chosen AS (
        (SELECT text_id, shared, rarity FROM ranked ORDER BY rarity DESC, shared DESC, text_id LIMIT :bound)
        UNION
        SELECT text_id, shared, rarity FROM ranked_by_key WHERE rank <= :named
    )
    SELECT true AS is_text, text_id AS id, shared AS number, rarity, array_agg(key) AS keys,
           (SELECT count(*) FROM ranked) AS total
    FROM chosen JOIN postings USING (text_id) GROUP BY text_id, shared, rarity
    UNION ALL
    SELECT false, key, texts, 0, NULL, 0 FROM frequency
"""
"""`algorithm_version + 0`: the primary key must not look usable, or the planner reads every row through it."""


def _texts_by_keys(column: str) -> Prepared:
    """One statement returns the frequency of each key found, and the texts that hold any, ranked by what they share.

    A key in n texts adds 1/n to a text's rarity: a popular story's thousand copies together weigh no more than one
    rare key of each of its keys would, so they cannot crowd out the only source of another passage. Nor can phrases of
    some hundred texts crowd out the story: of the texts read for frequent keys alone, the best for each key are named
    in any case.

    `by_rare`: texts with a rare key. `texts`: these, and the first holders of frequent keys (`is_extra`). `postings`:
    (text, key) for the keys asked. `frequency`: texts per key, for frequent keys what the planner's statistics say.
    `ranked`: what each text shares. `ranked_by_key`: the extra texts for each frequent key. `chosen`: what is returned.
    """
    return Prepared(
        f"texts_by_{column}",
        _KEY_PARAMETERS,
        _TEXTS_BY_KEYS.format(column=column),
    )


_TEXTS_BY_KIND = {"seeds": _texts_by_keys("seeds"), "slices": _texts_by_keys("slices")}


def _of_texts(name: str, columns: str) -> Prepared:
    return Prepared(
        name,
        {"ids": "bigint[]", "version": "integer"},
        f"""
        SELECT {columns}
        FROM text AS t
        JOIN fingerprint AS f ON f.text_id = t.id AND f.algorithm_version = :version
        LEFT JOIN text_family AS g ON g.text_id = t.id
        WHERE t.id = ANY(:ids)
        """,  # noqa: S608  # columns of ours
    )


_TEXTS = _of_texts("texts_to_compare", "t.id, t.body, g.family_id")
_FAMILIES = _of_texts("families_to_compare", "t.id, g.family_id")


def by_bands(
    session: Session,
    simhash: int,
    probes: Sequence[Collection[int]],
    *,
    distance: int,
    bound: int,
    self_id: int = NO_TEXT,
) -> tuple[list[tuple[int, int]], int]:
    """Texts within `distance` bits that have one of the `probes` in its band: (id, distance) pairs, nearest first, and
    how many more were left out by `bound`.

    `simhash`: 64 bits, unsigned. `probes`: the values (16 bits) to look up in each of the four bands. The bands of
    `simhash` itself find every text within 3 bits; with their one-bit neighbours, every text within 7.
    """
    values = {f"band_{number}": array_literal(wanted) for number, wanted in enumerate(probes)}
    asked = {"simhash": to_signed(simhash), "version": ALGORITHM_VERSION, "self": self_id}
    parameters = values | asked | {"distance": distance, "bound": bound}
    reach = NEAREST * bound
    rows = _BY_BANDS.execute(session, parameters | {"reach": reach}).all()
    total, found = rows[0].total, _near(rows)
    if len(found) < bound and total > reach:
        found = _near(_BY_BANDS.execute(session, parameters | {"reach": None}).all())
    return found, (total - len(found) if found else 0)


def _near(rows: Sequence[Row[Any]]) -> list[tuple[int, int]]:
    return [(row.text_id, row.distance) for row in rows if row.text_id is not None]


def by_keys(
    session: Session,
    *,
    seeds: Iterable[int] = (),
    slices: Iterable[int] = (),
    bound: int,
    self_id: int = NO_TEXT,
    hot: int = frequent_terms.FREQUENT_TEXTS,
) -> KeyHits:
    """Texts that contain any of the keys: of each kind at most `bound`, those that share the rarest keys first, with
    the number left out and the frequency of each key found in other texts.

    For keys in `hot` texts or more, the frequency is the planner's estimate. For these keys alone only some texts are
    read, and none if the seed is known to prove nothing anywhere; the others count as left out. Some of those read are
    returned beyond `bound`.
    """
    wanted_seeds, wanted_slices = sorted(set(seeds)), sorted(set(slices))
    if not wanted_seeds and not wanted_slices:
        return KeyHits()
    known = frequent_terms.known(session)
    bounds = {"scan": frequent_terms.FREQUENT_SCAN, "named": frequent_terms.FREQUENT_NAMED}
    bounds |= {"bound": bound, "self": self_id, "version": ALGORITHM_VERSION}
    hot_seeds = known.among(wanted_seeds, "seeds", hot)
    nothing = boilerplate.prove_nothing_anywhere(session, hot_seeds)
    hot_slices = known.among(wanted_slices, "slices", hot)
    return KeyHits(
        seeds=_holders(session, known, "seeds", wanted_seeds, hot_seeds, passed_over=nothing, bounds=bounds),
        slices=_holders(session, known, "slices", wanted_slices, hot_slices, passed_over=(), bounds=bounds),
    )


def _holders(
    session: Session,
    known: frequent_terms.KeyStatistics,
    kind: str,
    wanted: list[int],
    often: Mapping[int, int],
    *,
    passed_over: Collection[int],
    bounds: dict[str, int],
) -> Hits:
    """`often`: the frequent keys among `wanted` with their number of texts, rarest first. `passed_over`: those of them
    that are not looked up.
    """
    if not wanted:
        return Hits()
    asked = [key for key in often if key not in passed_over][: frequent_terms.FREQUENT_ASKED]
    keys = array_literal(wanted)
    parameters = {
        "keys": keys,
        "rare": array_literal(key for key in wanted if key not in often) if often else keys,
        "frequent_asked": array_literal(asked),
        "first_holders": array_literal(known.first_holders(session, kind, asked)),
        "frequent_keys": array_literal(often),
        "frequent_texts": array_literal(often.values()),
    }
    rows = _TEXTS_BY_KIND[kind].execute(session, parameters | bounds).all()
    hits = sorted((row for row in rows if row.is_text), key=lambda row: (-row.rarity, -row.number, row.id))
    held = [sorted(row.keys) for row in hits]
    total = next((row.total for row in rows if row.is_text), 0)
    frequencies = {row.id: row.number for row in rows if not row.is_text}
    return Hits(
        [row.id for row in hits],
        [row.rarity for row in hits],
        list(accumulate(map(len, held))),
        np.fromiter(chain.from_iterable(held), dtype=np.int32),
        max(total, *often.values(), 0) - len(hits),
        frequencies,
    )


def texts_by_id(session: Session, ids: Collection[int]) -> dict[int, StoredText]:
    """The texts with these ids, with what is needed to judge them."""
    asked = {"ids": array_literal(ids), "version": ALGORITHM_VERSION}
    return {found.id: found for found in records_of(StoredText, _TEXTS.execute(session, asked))}


def families_by_id(session: Session, ids: Collection[int]) -> dict[int, int | None]:
    """The families of those of these texts that are stored with a current fingerprint."""
    asked = {"ids": array_literal(ids), "version": ALGORITHM_VERSION}
    return {row.id: row.family_id for row in _FAMILIES.execute(session, asked)}
