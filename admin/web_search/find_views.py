"""What search services found for articles of ours, and what became of it."""

from typing import Final

from flask import Blueprint, render_template, request

from admin.web import labels
from admin.web.db_session import database
from admin.web.pagination import Paging, counted_to
from admin.web.query_fields import QueryFields
from admin.web.url_converters import LARGEST_KEY
from admin.web_search.common import declared_or_none
from admin.web_search.labels import SEARCH_TABLES
from storage.records.web_search import FindFilter
from storage.sites import sites
from storage.types import FindState, SiteRole
from storage.web_search import lists

MOST: Final = 5_000
"""Finds that can be paged through; the filters reach all others."""

blueprint = Blueprint("discovery", __name__, url_prefix="/discovery")
labels.register(blueprint, SEARCH_TABLES)


@blueprint.get("")
def index() -> str:
    fields = QueryFields(request.args, ("state", "site", "host", "q", "article"))
    where = FindFilter(
        state=fields.word("state", FindState),
        site=fields.text("site"),
        host=fields.text("host"),
        text=fields.text("q"),
        page_id=fields.number("article", min(LARGEST_KEY, 10**9 - 1)),
    )
    total = lists.count_finds(database(), where, bound=counted_to(fields.page, most=MOST))
    paging = Paging(fields.page, total)
    return render_template(
        "web_search/finds.html",
        finds=lists.list_finds(database(), where, limit=paging.size, offset=paging.offset),
        paging=paging,
        asked=fields.asked,
        states=FindState,
        sites=our_site_names(),
        totals=lists.discovery_totals(database()),
        declared=declared_or_none(),
    )


def our_site_names() -> list[str]:
    return [site.name for site in sites.list_sites(database()) if site.settings.role is SiteRole.ORIGINAL]
