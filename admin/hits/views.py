"""Hits: the list, and one hit side by side."""

from dataclasses import dataclass
from typing import Final

from flask import Blueprint, abort, render_template, request

from admin.cases.common import case_query
from admin.hits.direction_text import reasons_in_words
from admin.hits.labels import HIT_TABLES
from admin.hits.query import HitQuery, parse_hit_query
from admin.passages.side_by_side import Pair, present
from admin.passages.source_split import lanes, unexplained
from admin.web import labels
from admin.web.answers import or_404
from admin.web.db_session import database
from admin.web.pagination import Paging, counted_to
from admin.web.replica_reads import reads_replica
from storage.cases import page_pairs
from storage.matches import hits as match_hits
from storage.pages import history, pages
from storage.records.matches import HitRecord
from storage.records.pages import PageRecord
from storage.sites import owners, sites
from storage.types import Credit, MatchKind, SiteRole

MOST_COUNTED: Final = 5_000
"""A hundred pages of a list: nobody goes further, and counting all costs more than showing one page."""
SHOWN_SOURCES: Final = 40
"""Sources of one page in one picture; more cannot be distinguished."""

blueprint = Blueprint("hits", __name__, url_prefix="/hits")
labels.register(blueprint, HIT_TABLES)
blueprint.add_app_template_filter(reasons_in_words)


@blueprint.get("")
@reads_replica
def index() -> str:
    query = parse_hit_query(request.args)
    bound = counted_to(query.page, most=MOST_COUNTED, is_searched=query.where.text is not None)
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
    )


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


@dataclass(frozen=True, slots=True)
class HitView:
    hit: HitRecord
    copy_page: PageRecord
    source_page: PageRecord
    pair: Pair


@blueprint.get("/<key:hit_id>")
def detail(hit_id: int) -> str:
    view = _view_or_404(hit_id)
    hit, copy = view.hit, view.hit.copy
    found = match_hits.hits_of_copy(database(), copy.page_id, text_id=copy.text_id, limit=SHOWN_SOURCES)
    return render_template(
        "hits/hit.html",
        hit=hit,
        copy_page=view.copy_page,
        source_page=view.source_page,
        pair=view.pair,
        lanes=lanes(found, copy.chars),
        unexplained=unexplained(found, copy.chars),
        case=page_pairs.case_of_pages(database(), (copy.page_id, hit.source.page_id)),
        query=case_query(),
        versions=history.versions_of_pages(database(), [copy.page_id, hit.source.page_id]),
    )


def _view_or_404(hit_id: int) -> HitView:
    hit = or_404(match_hits.get_hit(database(), hit_id))
    found = pages.pages_by_id(database(), [hit.copy.page_id, hit.source.page_id])
    copy_page, source_page = (found.get(side.page_id) for side in (hit.copy, hit.source))
    copy, source = (pages.text_body(database(), side.text_id) for side in (hit.copy, hit.source))
    if copy_page is None or source_page is None or copy is None or source is None:
        # A page of the hit was removed between two queries of this request.
        abort(404)
    return HitView(hit, copy_page, source_page, present(copy, source, hit.passages))
