"""Distribution of the stored fingerprints and their keys, from samples of bounded size."""

from dataclasses import dataclass, replace
from datetime import date
from typing import Any, Final

from sqlalchemy import select, text
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import Session

from fingerprint.model import ALGORITHM_VERSION
from storage.models.matches import Boilerplate
from storage.models.originals import ComparisonDay
from storage.models.sites import Site
from storage.postgres.rows import columns_of, records_of

BANDS_SAMPLED: Final = 10_000
KEYS_SAMPLED: Final = 2_000
SHOWN_KEYS: Final = 8
BAND_VALUES: Final = 1 << 16

_BANDS: Final = text(
    """
    WITH sample AS (
        SELECT band_0, band_1, band_2, band_3 FROM fingerprint
        WHERE algorithm_version + 0 = :version AND simhash IS NOT NULL ORDER BY text_id DESC LIMIT :bound
    ), counted AS (
        SELECT b.band, b.value, count(*) AS texts FROM sample
        CROSS JOIN LATERAL (VALUES (0, band_0), (1, band_1), (2, band_2), (3, band_3)) AS b(band, value)
        GROUP BY b.band, b.value
    )
    SELECT band, sum(texts)::bigint AS texts, count(*) AS distinct, max(texts) AS most,
        sum(texts * texts)::float8 / sum(texts) AS met
    FROM counted GROUP BY band ORDER BY band
    """
)
_KEYS: Final = """
    WITH sample AS (
        SELECT {column} AS keys FROM fingerprint
        WHERE algorithm_version + 0 = :version ORDER BY text_id DESC LIMIT :bound
    ), counted AS (
        SELECT key, count(*) AS texts FROM sample CROSS JOIN LATERAL unnest(keys) AS k(key) GROUP BY key
    )
    SELECT key, texts, (SELECT count(*) FROM sample) AS sampled, (SELECT sum(texts)::bigint FROM counted) AS all_keys,
        (SELECT count(*) FROM counted) AS distinct_keys,
        (SELECT sum(texts * texts)::float8 / sum(texts) FROM counted) AS met
    FROM counted ORDER BY texts DESC, key LIMIT :shown
"""


@dataclass(frozen=True, slots=True)
class BandSkew:
    """`met`: texts of the sample that a look-up of this band finds on average; 1 if all differ."""

    band: int
    texts: int
    distinct: int
    most: int
    met: float

    @property
    def even(self) -> float:
        """The same for uniformly distributed values."""
        return 1 + (self.texts - 1) / BAND_VALUES


@dataclass(frozen=True, slots=True)
class FrequentKey:
    key: int
    texts: int
    sample: str = ""
    """The run of text around a seed, if it was judged as boilerplate or not."""
    proves_nothing: bool | None = None
    """None: not judged."""


@dataclass(frozen=True, slots=True)
class KeySkew:
    """The distribution of slices or seeds in a sample of texts."""

    texts: int
    keys: int
    distinct: int
    met: float
    frequent: tuple[FrequentKey, ...]


@dataclass(frozen=True, slots=True)
class LearnedRun:
    """A run of text that proves nothing, with its counts. `site` None: on all sites."""

    site: str | None
    sample: str
    texts: int
    families: int
    owners: int


@dataclass(frozen=True, slots=True)
class ComparisonsOfDate:
    day: date
    compared: int
    matched: int
    failed: int
    cut: int


def band_skew(session: Session) -> list[BandSkew]:
    """The distribution of the four bands in the newest texts."""
    rows = session.execute(_BANDS, {"version": ALGORITHM_VERSION, "bound": BANDS_SAMPLED})
    return records_of(BandSkew, rows)


def slice_skew(session: Session) -> KeySkew:
    return _key_skew(session, "slices")


def seed_skew(session: Session) -> KeySkew:
    """The distribution of seeds, with verdicts on the most frequent ones."""
    skew = _key_skew(session, "seeds")
    seeds = [one.key for one in skew.frequent]
    found = select(Boilerplate.seed, Boilerplate.sample, Boilerplate.proves_nothing).where(
        Boilerplate.seed.in_(seeds), Boilerplate.set_aside_id.is_(None)
    )
    judged = {seed: (sample, nothing) for seed, sample, nothing in session.execute(found.order_by(Boilerplate.id))}
    return replace(skew, frequent=tuple(_judged(one, judged) for one in skew.frequent))


def _judged(found: FrequentKey, judged: dict[int, tuple[str, bool]]) -> FrequentKey:
    sample, nothing = judged.get(found.key, ("", None))
    return replace(found, sample=sample, proves_nothing=nothing)


def _key_skew(session: Session, column: str) -> KeySkew:
    asked = {"version": ALGORITHM_VERSION, "bound": KEYS_SAMPLED, "shown": SHOWN_KEYS}
    rows = session.execute(text(_KEYS.format(column=column)), asked).all()
    if not rows:
        return KeySkew(0, 0, 0, 0.0, ())
    first = rows[0]
    frequent = tuple(FrequentKey(row.key, row.texts) for row in rows)
    return KeySkew(first.sampled, first.all_keys, first.distinct_keys, first.met, frequent)


def learned_runs(session: Session, *, limit: int) -> list[LearnedRun]:
    """What was learned to prove nothing, most widespread first."""
    rows = session.execute(
        select(*columns_of(LearnedRun, Boilerplate, site=Site.name))
        .outerjoin(Site, Site.id == Boilerplate.site_id)
        .where(Boilerplate.proves_nothing, Boilerplate.set_aside_id.is_(None))
        .order_by(Boilerplate.texts.desc(), Boilerplate.id)
        .limit(limit)
    )
    return records_of(LearnedRun, rows)


def note_comparisons(session: Session, day: date, *, compared: int, matched: int, failed: int, cut: int) -> None:
    """Adds to the figures of a date. Commit at once: all workers wait for this row."""
    added: dict[str, Any] = {"compared": compared, "matched": matched, "failed": failed, "cut": cut}
    sums = {name: getattr(ComparisonDay, name) + value for name, value in added.items()}
    statement = insert(ComparisonDay).values(day=day, **added)
    session.execute(statement.on_conflict_do_update(index_elements=[ComparisonDay.day], set_=sums))


def comparisons_by_date(session: Session, since: date) -> list[ComparisonsOfDate]:
    """Figures by date, in order; dates without comparisons are left out."""
    columns = columns_of(ComparisonsOfDate, ComparisonDay)
    rows = session.execute(select(*columns).where(ComparisonDay.day >= since).order_by(ComparisonDay.day))
    return records_of(ComparisonsOfDate, rows)
