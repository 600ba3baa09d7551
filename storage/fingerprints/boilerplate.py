"""Boilerplate: runs of text that are on many pages, and the verdicts on them."""

from collections.abc import Collection
from dataclasses import asdict

from sqlalchemy import ColumnElement, and_, delete, exists, func, or_, select, text
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import Session

from fingerprint.model import ALGORITHM_VERSION
from storage.models.matches import Boilerplate, Match
from storage.models.pages import Backlog, PageVersion, StoredFingerprint, Text
from storage.postgres.prepared_statements import Prepared
from storage.postgres.rows import records_of
from storage.postgres.writes import upsert
from storage.records.candidates import BoilerplateRun, KnownRun, SeedHolder
from storage.types import array_literal

HOLDER_SCAN = 2_000
"""Holders of a frequent seed from which a sample is chosen: a bound, not a threshold."""
SITE_SCAN = 2_000
"""Pages of one site, newest first, that are searched for holders. A smaller site is read whole, however many texts
elsewhere hold the seed.
"""
COUNTED_PAGES = 400
"""The same for counts, which run for each page that is compared."""

_HELD_ANYWHERE = """
    SELECT f.text_id FROM fingerprint AS f
    WHERE f.seeds @> ARRAY[CAST(:seed AS integer)] AND f.algorithm_version + 0 = :version LIMIT :scan
"""
# By the pages of the site, not by the seed: of a phrase on a million pages, the first thousands may be of other sites.
# Materialized, so that the seeds of a page are tested when read, not looked up in the index.
_HELD_ON_SITE = f"""
    SELECT text_id FROM of_site WHERE seeds @> ARRAY[CAST(:seed AS integer)]
    UNION
    ({_HELD_ANYWHERE})
"""  # noqa: S608  # constants of this module
_OF_SITE = """
    SELECT f.text_id, f.seeds
    FROM (SELECT id FROM page WHERE site_id = :site ORDER BY id DESC LIMIT :pages) AS p
    JOIN page_version AS v ON v.page_id = p.id AND v.is_current
    JOIN fingerprint AS f ON f.text_id = v.text_id AND f.algorithm_version = :version
"""
# Spread over hosts: of a footer on 20,000 pages of one site and one page each of five others, all six are seen.
_SAMPLE = """
    placed AS (
        SELECT h.text_id, min(p.host) AS host,
               array_agg(DISTINCT p.site_id) FILTER (WHERE p.site_id IS NOT NULL) AS site_ids,
               array_agg(DISTINCT coalesce('owner:' || s.owner_id, 'host:' || p.host)) AS owner_keys
        FROM held AS h
        JOIN page_version AS v ON v.text_id = h.text_id AND v.is_current
        JOIN page AS p ON p.id = v.page_id
        LEFT JOIN site AS s ON s.id = p.site_id
        WHERE CAST(:site AS bigint) IS NULL OR p.site_id = :site
        GROUP BY h.text_id
    ), spread AS (
        SELECT *, row_number() OVER (PARTITION BY host ORDER BY text_id) AS turn FROM placed
    )
    SELECT s.text_id, t.body, coalesce(s.site_ids, '{}') AS site_ids, s.owner_keys
    FROM spread AS s JOIN text AS t ON t.id = s.text_id
    ORDER BY s.turn, s.text_id LIMIT :bound
"""
_HOLDERS = text(f"WITH held AS MATERIALIZED ({_HELD_ANYWHERE}), {_SAMPLE}")
_HOLDERS_ON_SITE = text(f"WITH of_site AS MATERIALIZED ({_OF_SITE}), held AS MATERIALIZED ({_HELD_ON_SITE}), {_SAMPLE}")
_COUNTS_ON_SITE = text(
    f"""
    WITH of_site AS MATERIALIZED ({_OF_SITE})
    SELECT key, count(*) AS texts
    FROM of_site CROSS JOIN LATERAL unnest(seeds) AS k(key)
    WHERE seeds && CAST(:seeds AS integer[]) AND key = ANY(CAST(:seeds AS integer[])) GROUP BY key
    """  # noqa: S608  # constants of this module
)


# One pass over the table beats a look-up for each of its keys; the version is in the row.
_FREQUENT = text(
    """
    SELECT key, count(*) AS texts
    FROM fingerprint AS f CROSS JOIN LATERAL unnest(f.seeds) AS k(key)
    WHERE f.algorithm_version = :version
    GROUP BY key HAVING count(*) >= :least
    """
)


_KNOWN = Prepared(
    "runs_known",
    {"seeds": "integer[]"},
    """
    SELECT site_id, seed, proves_nothing, texts, CASE WHEN proves_nothing THEN units ELSE '' END AS units
    FROM boilerplate WHERE seed = ANY(:seeds) ORDER BY seed, site_id NULLS FIRST
    """,
)

_PROVE_NOTHING = Prepared(
    "seeds_that_prove_nothing",
    {"seeds": "integer[]"},
    "SELECT seed FROM boilerplate WHERE seed = ANY(:seeds) AND site_id IS NULL AND proves_nothing",
)


def frequent_seeds(session: Session, *, at_least: int) -> dict[int, int]:
    """Seeds of the current version that are in `at_least` texts, with the number of texts."""
    parameters = {"version": ALGORITHM_VERSION, "least": at_least}
    return {row.key: row.texts for row in session.execute(_FREQUENT, parameters)}


def holders(
    session: Session, seed: int, *, algorithm_version: int, bound: int, site_id: int | None = None
) -> list[SeedHolder]:
    """Up to `bound` current texts that contain `seed`, spread over hosts; with `site_id`, of one site."""
    parameters = {"seed": seed, "version": algorithm_version, "scan": HOLDER_SCAN, "bound": bound, "site": site_id}
    statement = _HOLDERS if site_id is None else _HOLDERS_ON_SITE
    asked = parameters | ({} if site_id is None else {"pages": SITE_SCAN})
    return records_of(SeedHolder, session.execute(statement, asked))


def counts_on_site(session: Session, site_id: int, seeds: Collection[int]) -> dict[int, int]:
    """Number of the newest pages of a site that contain each of these seeds; seeds in none are left out."""
    if not seeds:
        return {}
    asked = {"seeds": array_literal(seeds), "version": ALGORITHM_VERSION, "site": site_id, "pages": COUNTED_PAGES}
    return {row.key: row.texts for row in session.execute(_COUNTS_ON_SITE, asked)}


def known_runs(session: Session, seeds: Collection[int]) -> list[KnownRun]:
    """The verdicts on these seeds, for all sites and for each."""
    if not seeds:
        return []
    return records_of(KnownRun, _KNOWN.execute(session, {"seeds": array_literal(seeds)}))


def prove_nothing_anywhere(session: Session, seeds: Collection[int]) -> set[int]:
    """Those of these seeds that prove nothing on any site."""
    if not seeds:
        return set()
    return set(_PROVE_NOTHING.execute(session, {"seeds": array_literal(seeds)}).scalars())


def save_verdict(session: Session, run: BoilerplateRun) -> None:
    """Stores the verdict on a seed, replacing an earlier one."""
    key = {"site_id": run.site_id, "seed": run.seed}
    decided = {name: value for name, value in asdict(run).items() if name not in key} | {"decided_at": func.now()}
    upsert(session, Boilerplate, key, decided)


def forget_all(session: Session) -> int:
    """Deletes all verdicts. Returns how many. Repeated runs are judged again when next met."""
    return len(session.scalars(delete(Boilerplate).returning(Boilerplate.id)).all())


def requeue_matched(session: Session, text_ids: Collection[int]) -> int:
    """Puts current versions of these texts that have matches back on the backlog: their evidence changed."""
    return _requeue(session, PageVersion.text_id.in_(text_ids))


def requeue_holders(session: Session, seed: int, *, algorithm_version: int) -> int:
    """The same for all texts that contain `seed`."""
    holds = select(StoredFingerprint.text_id).where(
        StoredFingerprint.seeds.contains([seed]), StoredFingerprint.algorithm_version + 0 == algorithm_version
    )
    return _requeue(session, PageVersion.text_id.in_(holds))


def requeue_older(session: Session, new_text_id: int, pairs: Collection[tuple[int, int]]) -> int:
    """The same for the first text of each pair that was matched before `new_text_id` was stored.

    Happens once: when they are matched again, `new_text_id` is known. So texts cannot requeue each other forever.
    """
    if not pairs:
        return 0
    stored_at = select(Text.created_at).where(Text.id == new_text_id).scalar_subquery()
    wanted = [
        and_(Match.low_text_id == low, Match.high_text_id == high)
        for low, high in {(min(pair), max(pair)) for pair in pairs}
    ]
    matched = select(Match.low_text_id, Match.high_text_id).where(or_(*wanted), Match.created_at < stored_at)
    found = {(row.low_text_id, row.high_text_id) for row in session.execute(matched)}
    return requeue_matched(session, [pair[0] for pair in pairs if (min(pair), max(pair)) in found])


def _requeue(session: Session, wanted: ColumnElement[bool]) -> int:
    has_match = exists().where(or_(Match.low_text_id == PageVersion.text_id, Match.high_text_id == PageVersion.text_id))
    versions = select(PageVersion.id).where(and_(wanted, PageVersion.is_current, has_match))
    added = session.scalars(
        insert(Backlog)
        .from_select(["page_version_id"], versions.order_by(PageVersion.id))
        .on_conflict_do_nothing()
        .returning(Backlog.page_version_id)
    )
    return len(added.all())
