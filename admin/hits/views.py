"""Hits: the list, and one hit side by side."""

from typing import Any, Final

from flask import Blueprint, render_template, request

from admin.cases.common import case_or_404, case_query
from admin.cases.reading import Reading, reading_of, requested_exclusions
from admin.cases.review import context_of, pages_to_show, view_of
from admin.hits.direction_text import reasons_in_words
from admin.hits.labels import HIT_TABLES
from admin.hits.query import HitQuery, parse_hit_query
from admin.web import labels
from admin.web.answers import or_404
from admin.web.db_session import database
from admin.web.pagination import Paging, counted_to
from admin.web.replica_reads import reads_replica
from storage.cases import detail as case_detail
from storage.cases import page_pairs
from storage.matches import hits as match_hits
from storage.pages import history
from storage.sites import owners, sites
from storage.types import Credit, MatchKind, SiteRole

MOST_COUNTED: Final = 10_000
"""Nobody goes further, and counting all costs more than showing one page."""

blueprint = Blueprint("hits", __name__, url_prefix="/hits")
labels.register(blueprint, HIT_TABLES)
blueprint.add_app_template_filter(reasons_in_words)


@blueprint.get("")
@reads_replica
def index() -> str:
    query = parse_hit_query(request.args)
    bound = _bound(query)
    found = match_hits.ids_of_hits(database(), query.where, bound=bound)
    paging = Paging(query.page, len(found))
    hits = match_hits.hits_by_id(database(), found[paging.offset : paging.offset + paging.size])
    return render_template(
        "hits/hits.html",
        hits=hits,
        paging=paging,
        query=query,
        choices=_choices(query),
        is_cut=len(found) == bound,
        most_counted=MOST_COUNTED,
    )


def _bound(query: HitQuery) -> int:
    """How many hits are counted: a filter that is tested for each hit ends some pages after the one that is shown."""
    where = query.where
    if where.site or where.owner or where.role or where.text or where.min_share > 0:
        return counted_to(query.page, most=MOST_COUNTED, is_searched=where.text is not None)
    return MOST_COUNTED


def _choices(query: HitQuery) -> dict[str, list[str]]:
    """Values of the filters; a requested name that no longer exists stays among them."""
    site_names = [site.name for site in sites.list_sites(database())]
    owner_names = [owner.name for owner in owners.list_owners(database())]
    return {
        "site": _with(site_names, query.fields.get("site")),
        "owner": _with(owner_names, query.fields.get("owner")),
        "kind": list(MatchKind),
        "credit": list(Credit),
        "role": list(SiteRole),
    }


def _with(names: list[str], requested: str | None) -> list[str]:
    return names if requested is None or requested in names else [requested, *names]


@blueprint.get("/<key:hit_id>")
def detail(hit_id: int) -> str:
    reading = or_404(reading_of(hit_id, requested_exclusions()))
    hit = reading.hit
    case = page_pairs.case_of_pages(database(), (hit.copy.page_id, hit.source.page_id))
    versions = history.versions_of_pages(database(), [hit.copy.page_id, hit.source.page_id])
    of_case = {"view": None, "query": case_query()} if case is None else _of_case(case[0], reading)
    return render_template("hits/hit.html", **{"reading": reading, "versions": versions, **of_case})


def _of_case(case_id: int, reading: Reading) -> dict[str, Any]:
    """What the page shows of the case that the hit belongs to: the same decisions and facts as its own page."""
    case, hit = case_or_404(case_id), reading.hit
    theirs = hit.copy.page_id if hit.source.page_id == case.our_page_id else hit.source.page_id
    page = case_detail.page_of_case(database(), case.id, theirs)
    view = view_of(case, pages_to_show(case), page, reading)
    return {**context_of(view, reading), "menu_entry": "case"}
