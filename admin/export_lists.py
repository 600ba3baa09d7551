"""What of each list goes into a file: the columns, and the rows that its filters name."""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Final

from flask_babel import lazy_gettext as _l

from admin.exports import Column, ExportList
from admin.hit_query import parse_hit_query
from storage import matches, runs, sites
from storage.records import HitRecord, RunRecord, SiteRecord

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

LISTED_URLS: Final = 20


def _hits(session: "Session", arguments: Mapping[str, str], limit: int) -> Iterable[HitRecord]:
    return matches.stream_hits(session, parse_hit_query(arguments).where, limit=limit)


def _sites(session: "Session", _arguments: Mapping[str, str], limit: int) -> Iterable[SiteRecord]:
    return sites.list_sites(session)[:limit]


def _runs(session: "Session", arguments: Mapping[str, str], limit: int) -> Iterable[RunRecord]:
    return runs.list_runs(session, site=arguments.get("site") or None, limit=limit)


def _joined(values: Iterable[str]) -> str:
    return " ".join(list(values)[:LISTED_URLS])


def _pages_of(run: RunRecord) -> int:
    return run.counters.get("pages/fetched", 0)


HITS: Final[ExportList[HitRecord]] = ExportList(
    "hits",
    _l("Hits"),
    (
        Column("id", _l("Number"), lambda hit: hit.id),
        Column("score", _l("Score"), lambda hit: round(hit.score, 4)),
        Column("kind", _l("Kind"), lambda hit: hit.kind.value),
        Column("copy_title", _l("Title of the copy"), lambda hit: hit.copy.title),
        Column("copy_url", _l("Address of the copy"), lambda hit: hit.copy.url),
        Column("copy_site", _l("Site of the copy"), lambda hit: hit.copy.site_name or hit.copy.host),
        Column("copy_owner", _l("Owner of the copy"), lambda hit: hit.copy.owner_name),
        Column("copy_published_at", _l("Copy published"), lambda hit: hit.copy.published_at),
        Column("copy_first_seen_at", _l("Copy first seen"), lambda hit: hit.copy.first_seen_at),
        Column("copy_chars", _l("Characters of the copy"), lambda hit: hit.copy.chars),
        Column("copy_share", _l("Share of the copy"), lambda hit: round(hit.copy.share, 4)),
        Column("source_title", _l("Title of the source"), lambda hit: hit.source.title),
        Column("source_url", _l("Address of the source"), lambda hit: hit.source.url),
        Column("source_site", _l("Site of the source"), lambda hit: hit.source.site_name or hit.source.host),
        Column("source_owner", _l("Owner of the source"), lambda hit: hit.source.owner_name),
        Column("source_published_at", _l("Source published"), lambda hit: hit.source.published_at),
        Column("source_first_seen_at", _l("Source first seen"), lambda hit: hit.source.first_seen_at),
        Column("source_share", _l("Share of the source"), lambda hit: round(hit.source.share, 4)),
        Column("longest", _l("Longest passage"), lambda hit: hit.longest),
        Column("credit", _l("Credit"), lambda hit: hit.credit.value),
        Column("confidence", _l("Confidence of the direction"), lambda hit: round(hit.confidence, 4)),
        Column("found_at", _l("Found"), lambda hit: hit.created_at),
    ),
    _hits,
)

SITES: Final[ExportList[SiteRecord]] = ExportList(
    "sites",
    _l("Sites"),
    (
        Column("name", _l("Site"), lambda site: site.name),
        Column("owner", _l("Owner"), lambda site: site.owner_name),
        Column("role", _l("Role"), lambda site: site.settings.role.value),
        Column("hosts", _l("Hosts"), lambda site: _joined(site.settings.hosts)),
        Column("start_urls", _l("Start addresses"), lambda site: _joined(site.settings.start_urls)),
        Column("rights", _l("Rights"), lambda site: site.settings.rights.value),
        Column("enabled", _l("Enabled"), lambda site: site.settings.enabled),
    ),
    _sites,
)

RUNS: Final[ExportList[RunRecord]] = ExportList(
    "runs",
    _l("Runs"),
    (
        Column("id", _l("Number"), lambda run: run.id),
        Column("site", _l("Site"), lambda run: run.site_name),
        Column("trigger", _l("Started by"), lambda run: run.trigger),
        Column("started_at", _l("Started"), lambda run: run.started_at),
        Column("ended_at", _l("Ended"), lambda run: run.ended_at),
        Column("exit_reason", _l("Outcome"), lambda run: run.exit_reason),
        Column("pages_fetched", _l("pages fetched"), _pages_of),
        Column("articles_new", _l("new articles"), lambda run: run.counters.get("articles/new", 0)),
        Column("articles_changed", _l("changed articles"), lambda run: run.counters.get("articles/changed", 0)),
    ),
    _runs,
)

LISTS: Final = (HITS, SITES, RUNS)
