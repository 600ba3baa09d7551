"""Boilerplate: runs of text that are on many pages, and the verdicts on them."""

from collections.abc import Collection, Iterable
from dataclasses import asdict

from sqlalchemy import and_, delete, exists, func, or_, select, text
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import Session

from fingerprint.model import ALGORITHM_VERSION
from storage.column_types import array_literal
from storage.models.matches import Boilerplate, Match
from storage.models.pages import Backlog, PageVersion, StoredFingerprint, Text
from storage.postgres.planner import indexes_forced
from storage.postgres.prepared_statements import Prepared
from storage.postgres.rows import records_of
from storage.records.candidates import BoilerplateRun, KnownRun, SeedHolder

HOLDER_SCAN = 2_000
"""Holders of a frequent seed from which a sample is chosen: a bound, not a threshold."""
SITE_SCAN = 2_000
"""Pages of one site, newest first, that are searched for holders. A smaller site is read whole, however many texts
elsewhere hold the seed.
"""
COUNTED_PAGES = 400
"""The same for counts, which run for each page that is compared."""

_HELD_ANYWHERE = """
    SELECT a.seed, h.text_id FROM asked AS a CROSS JOIN LATERAL (
        SELECT f.text_id FROM fingerprint AS f
        WHERE f.seeds @> ARRAY[a.seed] AND f.algorithm_version + 0 = :version LIMIT :scan
    ) AS h
"""
# By the pages of the site, not by the seed: of a phrase on a million pages, the first thousands may be of other sites.
# Materialized, so that the seeds of a page are tested when read, not looked up in the index.
_HELD_ON_SITE = f"""
    SELECT k.seed, o.text_id FROM of_site AS o CROSS JOIN LATERAL unnest(o.seeds) AS k(seed)
    WHERE k.seed IN (SELECT seed FROM asked)
    UNION
    ({_HELD_ANYWHERE})
"""  # noqa: S608  # constants of this module
_OF_SITE = """
    SELECT f.text_id, f.seeds
    FROM (SELECT id FROM page WHERE site_id = :site ORDER BY id DESC LIMIT :pages) AS p
    JOIN page_version AS v ON v.page_id = p.id AND v.is_current
    JOIN fingerprint AS f ON f.text_id = v.text_id AND f.algorithm_version = :version
"""
# Spread over hosts: of a footer on 20,000 pages of one site and one page each of five others, all six are seen. Only
# for those chosen, the publishers are collected.
_SAMPLE = """
    placed AS (
        SELECT h.seed, h.text_id, min(p.host) AS host
        FROM held AS h
        JOIN page_version AS v ON v.text_id = h.text_id AND v.is_current
        JOIN page AS p ON p.id = v.page_id
        WHERE CAST(:site AS bigint) IS NULL OR p.site_id = :site
        GROUP BY h.seed, h.text_id
    ), spread AS (
        SELECT *, row_number() OVER (PARTITION BY seed, host ORDER BY text_id) AS turn FROM placed
    ), ranked AS (
        SELECT *, row_number() OVER (PARTITION BY seed ORDER BY turn, text_id) AS rank FROM spread
        WHERE turn <= :bound
    ), chosen AS MATERIALIZED (
        SELECT seed, text_id, rank FROM ranked WHERE rank <= :bound
    ), published AS (
        SELECT c.text_id,
               array_agg(DISTINCT p.site_id) FILTER (WHERE p.site_id IS NOT NULL) AS site_ids,
               array_agg(DISTINCT CASE
                   WHEN p.account IS NOT NULL AND s.role IS DISTINCT FROM 'original'
                   THEN coalesce('owner:' || a.owner_id, 'account:' || p.account)
                   ELSE coalesce('owner:' || s.owner_id, 'host:' || p.host)
               END) AS owner_keys
        FROM (SELECT DISTINCT text_id FROM chosen) AS c
        JOIN page_version AS v ON v.text_id = c.text_id AND v.is_current
        JOIN page AS p ON p.id = v.page_id
        LEFT JOIN site AS s ON s.id = p.site_id
        LEFT JOIN owner_account AS a ON a.account = p.account
        WHERE CAST(:site AS bigint) IS NULL OR p.site_id = :site
        GROUP BY c.text_id
    )
    SELECT c.seed, c.text_id, coalesce(u.site_ids, '{}') AS site_ids, u.owner_keys
    FROM chosen AS c JOIN published AS u ON u.text_id = c.text_id
    ORDER BY c.seed, c.rank
"""
_ASKED = "asked AS (SELECT unnest(CAST(:seeds AS integer[])) AS seed)"
_HOLDERS = text(f"WITH {_ASKED}, held AS MATERIALIZED ({_HELD_ANYWHERE}), {_SAMPLE}")
_HOLDERS_ON_SITE = text(
    f"WITH {_ASKED}, of_site AS MATERIALIZED ({_OF_SITE}), held AS MATERIALIZED ({_HELD_ON_SITE}), {_SAMPLE}"
)
_COUNTS_ON_SITE = text(
    f"""
    WITH of_site AS MATERIALIZED ({_OF_SITE})
    SELECT key, count(*) AS texts
    FROM of_site CROSS JOIN LATERAL unnest(seeds) AS k(key)
    WHERE seeds && CAST(:seeds AS integer[]) AND key = ANY(CAST(:seeds AS integer[])) GROUP BY key
    """  # noqa: S608  # constants of this module
)


# One pass over the table beats a look-up for each of its keys; the version is in the row.
_FREQUENT = """
    SELECT key, count(*) AS texts
    FROM fingerprint AS f CROSS JOIN LATERAL unnest(f.seeds) AS k(key)
    WHERE f.algorithm_version = :version {only}
    GROUP BY key HAVING count(*) >= :least
"""
_OF_WAITING = """
    AND key IN (
        SELECT unnest(w.seeds) FROM backlog AS b JOIN page_version AS v ON v.id = b.page_version_id
        JOIN fingerprint AS w ON w.text_id = v.text_id AND w.algorithm_version = :version
    )
"""
_FREQUENT_ANYWHERE, _FREQUENT_OF_WAITING = (text(_FREQUENT.format(only=only)) for only in ("", _OF_WAITING))

# Of stories and not of texts: an article that several of our sites have is one.
_OUR_STORIES = Prepared(
    "our_stories_by_seed",
    {"seeds": "integer[]", "version": "integer", "scan": "integer"},
    """
    SELECT h.seed, count(DISTINCT coalesce(t.family_id, -h.text_id)) AS stories
    FROM (SELECT unnest(CAST(:seeds AS integer[])) AS seed) AS a
    CROSS JOIN LATERAL (
        SELECT a.seed, f.text_id FROM fingerprint AS f
        WHERE f.seeds @> ARRAY[a.seed] AND f.algorithm_version + 0 = :version LIMIT :scan
    ) AS h
    LEFT JOIN text_family AS t ON t.text_id = h.text_id
    WHERE EXISTS (
        SELECT FROM page_version AS v JOIN page AS p ON p.id = v.page_id JOIN site AS s ON s.id = p.site_id
        WHERE v.text_id = h.text_id AND v.is_current AND s.role = 'original'
    )
    GROUP BY h.seed
    """,
)
_OUR_SCAN = 200
"""Texts that hold a seed that are looked at for being ours: enough to find five stories."""

_CLAIM_WAITING = text("SELECT pg_advisory_xact_lock(hashtext('zhiwen survey'), :number)")
_CLAIM = text("SELECT pg_try_advisory_xact_lock(hashtext('zhiwen survey'), :number)")


# A story on thousands of sites is judged on each: verdicts of other sites count only where a run proves nothing.
_KNOWN = Prepared(
    "runs_known",
    {"seeds": "integer[]", "sites": "bigint[]"},
    """
    SELECT site_id, seed, proves_nothing, texts, CASE WHEN proves_nothing THEN units ELSE '' END AS units,
        set_aside_id, owner_key
    FROM boilerplate
    WHERE seed = ANY(:seeds) AND (site_id IS NULL OR proves_nothing OR site_id = ANY(:sites))
    ORDER BY seed, site_id NULLS FIRST, set_aside_id NULLS FIRST
    """,
)

_PROVE_NOTHING = Prepared(
    "seeds_that_prove_nothing",
    {"seeds": "integer[]"},
    """
    SELECT seed FROM boilerplate
    WHERE seed = ANY(:seeds) AND site_id IS NULL AND set_aside_id IS NULL AND proves_nothing
    """,
)


_SET_ASIDE = Prepared(
    "seeds_set_aside", {}, "SELECT DISTINCT seed FROM boilerplate WHERE set_aside_id IS NOT NULL ORDER BY seed"
)

_VERDICT_KEY = ("seed", "site_id", "set_aside_id")


def frequent_seeds(session: Session, *, at_least: int, of_waiting: bool = False) -> dict[int, int]:
    """Seeds of the current version that are in `at_least` texts, with the number of texts; `of_waiting`: only seeds of
    texts on the backlog.
    """
    parameters = {"version": ALGORITHM_VERSION, "least": at_least}
    statement = _FREQUENT_OF_WAITING if of_waiting else _FREQUENT_ANYWHERE
    return {row.key: row.texts for row in session.execute(statement, parameters)}


def claim_seeds(session: Session, first: int, *, wait: bool) -> bool:
    """Claim the seeds from `first` on for this transaction; return whether no other holds them. `wait`: until then."""
    return session.scalar(_CLAIM_WAITING if wait else _CLAIM, {"number": first}) is not False


def holders(
    session: Session, seeds: Collection[int], *, bound: int, site_id: int | None = None
) -> dict[int, list[SeedHolder]]:
    """For each of these seeds up to `bound` current texts that contain it, spread over hosts; with `site_id`, of one
    site. Seeds that no such text contains are left out.
    """
    parameters = {"seeds": array_literal(seeds), "version": ALGORITHM_VERSION, "scan": HOLDER_SCAN}
    parameters |= {"bound": bound, "site": site_id} | ({} if site_id is None else {"pages": SITE_SCAN})
    with indexes_forced(session, alone=True):
        rows = session.execute(_HOLDERS if site_id is None else _HOLDERS_ON_SITE, parameters).all()
    found: dict[int, list[SeedHolder]] = {}
    for row, holder in zip(rows, records_of(SeedHolder, rows), strict=True):
        found.setdefault(row.seed, []).append(holder)
    return found


def counts_on_site(session: Session, site_id: int, seeds: Collection[int]) -> dict[int, int]:
    """Number of the newest pages of a site that contain each of these seeds; seeds in none are left out."""
    if not seeds:
        return {}
    asked = {"seeds": array_literal(seeds), "version": ALGORITHM_VERSION, "site": site_id, "pages": COUNTED_PAGES}
    return {row.key: row.texts for row in session.execute(_COUNTS_ON_SITE, asked)}


def known_runs(session: Session, seeds: Collection[int], *, site_ids: Collection[int] = ()) -> list[KnownRun]:
    """The verdicts on these seeds that hold for all sites, those by which they prove nothing on some site, and all
    others of these sites.
    """
    if not seeds:
        return []
    asked = {"seeds": array_literal(seeds), "sites": array_literal(site_ids)}
    return records_of(KnownRun, _KNOWN.execute(session, asked))


def prove_nothing_anywhere(session: Session, seeds: Collection[int]) -> set[int]:
    """Those of these seeds that were learned to prove nothing on any site."""
    if not seeds:
        return set()
    return set(_PROVE_NOTHING.execute(session, {"seeds": array_literal(seeds)}).scalars())


def our_stories(session: Session, seeds: Collection[int]) -> int:
    """In how many stories of ours the seed of these that is in most of them stands, counted among the first texts."""
    if not seeds:
        return 0
    asked = {"seeds": array_literal(seeds), "version": ALGORITHM_VERSION, "scan": _OUR_SCAN}
    with indexes_forced(session, alone=True):
        return max((row.stories for row in _OUR_STORIES.execute(session, asked)), default=0)


def save_verdicts(session: Session, runs: Iterable[BoilerplateRun]) -> None:
    """Stores the verdicts on seeds, replacing earlier ones; in a fixed order, so that two workers cannot deadlock."""
    by_key = {(run.seed, run.site_id or 0, run.set_aside_id or 0): run for run in runs}
    if not by_key:
        return
    rows = [asdict(run) for _, run in sorted(by_key.items())]
    statement = insert(Boilerplate)
    decided = {name: statement.excluded[name] for name in rows[0] if name not in _VERDICT_KEY}
    session.execute(
        statement.on_conflict_do_update(index_elements=_VERDICT_KEY, set_=decided | {"decided_at": func.now()}), rows
    )


def set_aside_seeds(session: Session) -> list[int]:
    """The seeds of all texts that people have set aside, ascending."""
    return list(_SET_ASIDE.execute(session, {}).scalars())


def forget_all(session: Session) -> int:
    """Deletes all learned verdicts. Returns how many. Repeated runs are judged again when next met."""
    learned = delete(Boilerplate).where(Boilerplate.set_aside_id.is_(None))
    return len(session.scalars(learned.returning(Boilerplate.id)).all())


def requeue(session: Session, *, text_ids: Collection[int] = (), seeds: Collection[int] = ()) -> int:
    """Puts current versions of these texts, and of all that contain any of these seeds, back on the backlog if they
    have matches: their evidence changed. Returns how many.
    """
    wanted = []
    if text_ids:
        wanted.append(PageVersion.text_id.in_(text_ids))
    if seeds:
        holds = select(StoredFingerprint.text_id).where(
            StoredFingerprint.seeds.overlap(list(seeds)), StoredFingerprint.algorithm_version + 0 == ALGORITHM_VERSION
        )
        wanted.append(PageVersion.text_id.in_(holds))
    # Nearly all texts that hold a repeated run have no match: a young store has none at all.
    if not wanted or session.scalar(select(Match.id).limit(1)) is None:
        return 0
    has_match = exists().where(or_(Match.low_text_id == PageVersion.text_id, Match.high_text_id == PageVersion.text_id))
    versions = select(PageVersion.id).where(or_(*wanted), PageVersion.is_current, has_match)
    with indexes_forced(session):
        added = session.scalars(
            insert(Backlog)
            .from_select(["page_version_id"], versions.order_by(PageVersion.id))
            .on_conflict_do_nothing()
            .returning(Backlog.page_version_id)
        ).all()
    return len(added)


def matched_before(session: Session, new_text_id: int, pairs: Collection[tuple[int, int]]) -> set[int]:
    """The first text of each pair that was matched before `new_text_id` was stored: to be matched again.

    Happens once: when they are matched again, `new_text_id` is known. So texts cannot requeue each other forever.
    """
    if not pairs:
        return set()
    stored_at = select(Text.created_at).where(Text.id == new_text_id).scalar_subquery()
    wanted = [
        and_(Match.low_text_id == low, Match.high_text_id == high)
        for low, high in {(min(pair), max(pair)) for pair in pairs}
    ]
    matched = select(Match.low_text_id, Match.high_text_id).where(or_(*wanted), Match.created_at < stored_at)
    found = {(row.low_text_id, row.high_text_id) for row in session.execute(matched)}
    return {pair[0] for pair in pairs if (min(pair), max(pair)) in found}
