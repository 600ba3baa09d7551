"""Exports of the desk's lists: their columns, and the rows that match their filters."""

from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from itertools import islice
from typing import TYPE_CHECKING, Final
from zoneinfo import ZoneInfo

from flask_babel import lazy_gettext as _l

from admin.cases.columns import CASE_COLUMNS
from admin.cases.query import Asker, parse_case_query
from admin.exports.downloads import Column, ExportList, Rows
from admin.hits.query import parse_hit_query
from admin.identity.permissions import actor
from admin.identity.time_zone import viewer_zone
from admin.pages.query import parse_page_query
from admin.retellings.query import parse_retelling_query
from storage.cases import listing
from storage.crawl import runs
from storage.matches import hits
from storage.meaning import retelling_list
from storage.pages import search, text_index
from storage.pages.search import FoundPage, FoundPages, PageFilter
from storage.records.cases import CaseRecord
from storage.records.crawl import RunRecord
from storage.records.matches import HitRecord
from storage.records.retellings import RetellingRecord
from storage.records.sites import SiteRecord
from storage.sites import sites

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

LISTED_URLS: Final = 20
PAGE_CHUNK: Final = 1_000


def _hits(session: "Session", arguments: Mapping[str, str], limit: int) -> Rows[HitRecord]:
    return Rows(hits.stream_hits(session, parse_hit_query(arguments).where, limit=limit))


def _retellings(session: "Session", arguments: Mapping[str, str], limit: int) -> Rows[RetellingRecord]:
    where = parse_retelling_query(arguments).where
    return Rows(retelling_list.stream_retellings(session, where, limit=limit))


def _sites(session: "Session", _arguments: Mapping[str, str], limit: int) -> Rows[SiteRecord]:
    return Rows(sites.list_sites(session)[:limit])


def _runs(session: "Session", arguments: Mapping[str, str], limit: int) -> Rows[RunRecord]:
    runs.close_lost(session)
    return Rows(runs.list_runs(session, site=arguments.get("site") or None, limit=limit))


def _cases(session: "Session", arguments: Mapping[str, str], limit: int) -> Rows[CaseRecord]:
    asker = Asker(actor().id, datetime.now(UTC), ZoneInfo(viewer_zone()))
    query = parse_case_query(arguments, asker)
    return Rows(listing.list_cases(session, query.where, order=query.order, limit=limit))


def _pages(session: "Session", arguments: Mapping[str, str], limit: int) -> Rows[FoundPage]:
    found_index = text_index.state(session)
    query = parse_page_query(arguments, bodies=found_index is not None and found_index.is_ready)
    first = search.search_pages(session, query.where, limit=PAGE_CHUNK)
    return Rows(islice(_following(session, query.where, first), limit), first.is_cut)


def _following(session: "Session", where: PageFilter, found: FoundPages) -> Iterator[FoundPage]:
    """All pages of a search, after its first chunk `found`."""
    yield from found.pages
    while found.has_more:
        found = search.search_pages(session, where, limit=PAGE_CHUNK, below=found.pages[-1].id)
        yield from found.pages


def _joined(values: Iterable[str]) -> str:
    return " ".join(list(values)[:LISTED_URLS])


def _pages_of(run: RunRecord) -> int:
    return run.counters.get("pages/fetched", 0)


HITS: Final[ExportList[HitRecord]] = ExportList(
    "hits",
    _l("Matches"),
    (
        Column("id", _l("Number"), lambda hit: hit.id),
        Column("score", _l("Score"), lambda hit: round(hit.score, 4)),
        Column("kind", _l("Kind"), lambda hit: hit.kind.value, "kind"),
        Column("copy_title", _l("Title of the copy"), lambda hit: hit.copy.title),
        Column("copy_url", _l("URL of the copy"), lambda hit: hit.copy.url),
        Column("copy_site", _l("Site of the copy"), lambda hit: hit.copy.site_name or hit.copy.host),
        Column("copy_owner", _l("Owner of the copy"), lambda hit: hit.copy.owner_name),
        Column("copy_published_at", _l("Copy published"), lambda hit: hit.copy.published_at),
        Column("copy_first_seen_at", _l("Copy first seen"), lambda hit: hit.copy.first_seen_at),
        Column("copy_chars", _l("Characters of the copy"), lambda hit: hit.copy.chars),
        Column("copy_share", _l("Share of the copy"), lambda hit: round(hit.copy.share, 4)),
        Column("source_title", _l("Title of the source"), lambda hit: hit.source.title),
        Column("source_url", _l("URL of the source"), lambda hit: hit.source.url),
        Column("source_site", _l("Site of the source"), lambda hit: hit.source.site_name or hit.source.host),
        Column("source_owner", _l("Owner of the source"), lambda hit: hit.source.owner_name),
        Column("source_published_at", _l("Source published"), lambda hit: hit.source.published_at),
        Column("source_first_seen_at", _l("Source first seen"), lambda hit: hit.source.first_seen_at),
        Column("source_share", _l("Share of the source"), lambda hit: round(hit.source.share, 4)),
        Column("longest", _l("Longest passage"), lambda hit: hit.longest),
        Column("credit", _l("Credit"), lambda hit: hit.credit.value, "credit"),
        Column("confidence", _l("Confidence of the direction"), lambda hit: round(hit.confidence, 4)),
        Column("found_at", _l("Found"), lambda hit: hit.created_at),
    ),
    _hits,
)

RETELLINGS: Final[ExportList[RetellingRecord]] = ExportList(
    "retellings",
    _l("Possible retellings"),
    (
        Column("id", _l("Number"), lambda found: found.id),
        Column("score", _l("Score"), lambda found: round(found.score, 4)),
        Column("kind", _l("Kind"), lambda found: found.kind.value, "kind"),
        Column("state", _l("State"), lambda found: found.state.value, "retelling_state"),
        Column("relation", _l("Relation"), lambda found: found.relation.value, "relation"),
        Column("third_url", _l("Common source"), lambda found: found.third_url),
        Column("copy_title", _l("Title of the similar page"), lambda found: found.copy.title),
        Column("copy_url", _l("URL of the similar page"), lambda found: found.copy.url),
        Column("copy_site", _l("Site of the similar page"), lambda found: found.copy.site_name or found.copy.host),
        Column("copy_owner", _l("Owner of the similar page"), lambda found: found.copy.owner_name),
        Column("copy_published_at", _l("Similar page published"), lambda found: found.copy.published_at),
        Column("copy_share", _l("Similar share of its sentences"), lambda found: round(found.copy.share, 4)),
        Column("source_title", _l("Title of the source"), lambda found: found.source.title),
        Column("source_url", _l("URL of the source"), lambda found: found.source.url),
        Column("source_site", _l("Site of the source"), lambda found: found.source.site_name or found.source.host),
        Column("source_owner", _l("Owner of the source"), lambda found: found.source.owner_name),
        Column("source_published_at", _l("Source published"), lambda found: found.source.published_at),
        Column("source_share", _l("Similar share of the source"), lambda found: round(found.source.share, 4)),
        Column("sentences", _l("Similar sentences"), lambda found: len(found.sentences)),
        Column("in_order", _l("In order"), lambda found: found.in_order),
        Column("figures_shared", _l("Figures that agree"), lambda found: found.figures[0]),
        Column("figures_most", _l("Figures compared"), lambda found: found.figures[1]),
        Column("confidence", _l("Confidence of the direction"), lambda found: round(found.confidence, 4)),
        Column("case", _l("Case"), lambda found: found.case_id),
        Column("found_at", _l("Found"), lambda found: found.found_at),
    ),
    _retellings,
)

SITES: Final[ExportList[SiteRecord]] = ExportList(
    "sites",
    _l("Sites"),
    (
        Column("name", _l("Site"), lambda site: site.name),
        Column("owner", _l("Owner"), lambda site: site.owner_name),
        Column("role", _l("Role"), lambda site: site.settings.role.value, "role"),
        Column("hosts", _l("Hosts"), lambda site: _joined(site.settings.hosts)),
        Column("start_urls", _l("Start URLs"), lambda site: _joined(site.settings.start_urls)),
        Column("rights", _l("Rights"), lambda site: site.settings.rights.value, "rights"),
        Column("enabled", _l("Enabled"), lambda site: site.settings.enabled),
    ),
    _sites,
)

RUNS: Final[ExportList[RunRecord]] = ExportList(
    "runs",
    _l("Crawls"),
    (
        Column("id", _l("Number"), lambda run: run.id),
        Column("site", _l("Site"), lambda run: run.site_name),
        Column("trigger", _l("Started by"), lambda run: run.trigger),
        Column("started_at", _l("Started"), lambda run: run.started_at),
        Column("ended_at", _l("Ended"), lambda run: run.ended_at),
        Column("exit_reason", _l("Outcome"), lambda run: run.exit_reason, "exit"),
        Column("pages_fetched", _l("pages fetched"), _pages_of),
        Column("articles_new", _l("new articles"), lambda run: run.counters.get("articles/new", 0)),
        Column("articles_changed", _l("changed articles"), lambda run: run.counters.get("articles/changed", 0)),
    ),
    _runs,
)

CASES: Final[ExportList[CaseRecord]] = ExportList(
    "cases",
    _l("Cases"),
    tuple(
        Column(column.file or column.field, column.label, column.value, column.words)
        for column in CASE_COLUMNS
        if column.file is not None
    ),
    _cases,
)

PAGES: Final[ExportList[FoundPage]] = ExportList(
    "pages",
    _l("Pages"),
    (
        Column("id", _l("Number"), lambda page: page.id),
        Column("title", _l("Title"), lambda page: page.title),
        Column("author", _l("Author"), lambda page: page.author),
        Column("url", _l("Web address"), lambda page: page.url),
        Column("site", _l("Site"), lambda page: page.site_name or page.host),
        Column("owner", _l("Owner"), lambda page: page.owner_name),
        Column("characters", _l("Characters"), lambda page: page.chars),
        Column("published_at", _l("Published"), lambda page: page.published_at),
        Column("first_seen_at", _l("First seen"), lambda page: page.first_seen_at),
        Column("last_seen_at", _l("Last seen"), lambda page: page.last_seen_at),
        Column("gone_at", _l("Removed since"), lambda page: page.gone_at),
        Column("found_by", _l("Found by"), lambda page: page.found_by.value, "found_by"),
    ),
    _pages,
)

LISTS: Final = (HITS, RETELLINGS, SITES, RUNS, CASES, PAGES)
