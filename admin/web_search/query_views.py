"""What search services were asked for, and how they answered."""

from typing import Final

from flask import Blueprint, render_template, request

from admin.web.db_session import database
from admin.web.pagination import Paging, counted_to
from admin.web.query_fields import QueryFields
from admin.web_search.common import declared_or_none, spent
from admin.web_search.find_views import our_site_names
from storage.records.web_search import QueryFilter
from storage.web_search import lists

MOST: Final = 5_000
_ANSWERED: Final = {"answered": True, "failed": False}

blueprint = Blueprint("discovery_queries", __name__, url_prefix="/discovery/queries")


@blueprint.get("")
def index() -> str:
    fields = QueryFields(request.args, ("service", "site", "outcome", "article"))
    outcome = fields.one_of("outcome", _ANSWERED)
    where = QueryFilter(
        service=fields.text("service"),
        site=fields.text("site"),
        is_answered=None if outcome is None else _ANSWERED[outcome],
        page_id=fields.number("article", 10**9 - 1),
    )
    total = lists.count_queries(database(), where, bound=counted_to(fields.page, most=MOST))
    paging = Paging(fields.page, total)
    return render_template(
        "web_search/queries.html",
        queries=lists.list_queries(database(), where, limit=paging.size, offset=paging.offset),
        paging=paging,
        asked=fields.asked,
        services=lists.asked_services(database()),
        sites=our_site_names(),
        spent=spent(),
        declared=declared_or_none(),
    )
