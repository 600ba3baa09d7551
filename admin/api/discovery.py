"""Discovery by search services: what was found, which hosts are proposed, and the counts."""

from typing import Any, Final

from marshmallow import Schema, fields

from admin.api.asking import Caller
from admin.api.fields import PieceQuery, RequestSchema, key, one_of, piece, pieces_of, words, words_of
from admin.api.routes import READS, Routes
from admin.web.db_session import database
from storage.records.web_search import FindFilter, QueryFilter
from storage.types import FindState, HostDecision
from storage.web_search import finds, lists

MOST_HOSTS: Final = 1_000

routes = Routes("discovery", "Copies on the open web, found by search services.")


class FindsQuery(PieceQuery):
    state = one_of(FindState)
    site = words(200, about="The name of the site of ours whose article it was found for.")
    host = words(300, about="The host of the page found.")
    page_id = key(about="The article of ours.")
    text = words(400, least=1, about="Part of a title or address, on either side.")


class FindItem(Schema):
    """A page that search services returned for an article of ours. Title and address are as the services say."""

    id = fields.Integer(required=True)
    page_id = fields.Integer(required=True, metadata={"description": "The article of ours."})
    our_url = fields.String(required=True)
    our_title = fields.String(required=True)
    site = fields.String(required=True, allow_none=True, attribute="site_name")
    url = fields.String(required=True)
    host = fields.String(required=True)
    title = fields.String(required=True)
    services = fields.List(fields.String(), required=True)
    state = fields.String(required=True, metadata={"enum": list(FindState)})
    reason = fields.String(
        required=True, allow_none=True, metadata={"description": "Why it was left out, or could not be read."}
    )
    found_at = fields.DateTime(required=True)
    fetched_at = fields.DateTime(required=True, allow_none=True)
    their_page_id = fields.Integer(required=True, allow_none=True, metadata={"description": "If it is stored."})
    case_id = fields.Integer(required=True, allow_none=True)


class QueriesQuery(PieceQuery):
    service = words(40, about="The name of a search service.")
    site = words(200, about="The name of a site of ours.")
    page_id = key(about="The article of ours.")


class QueryItem(Schema):
    """A query to a search service, which counts from `booked_at` on, answered or not."""

    id = fields.Integer(required=True)
    service = fields.String(required=True)
    phrase = fields.String(required=True)
    site = fields.String(required=True, allow_none=True, attribute="site_name")
    page_id = fields.Integer(required=True, allow_none=True)
    price = fields.Float(required=True)
    booked_at = fields.DateTime(required=True)
    ended_at = fields.DateTime(required=True, allow_none=True)
    fault = fields.String(required=True, allow_none=True, metadata={"description": "Why it brought no results."})
    results = fields.Integer(required=True)


class HostItem(Schema):
    """A host that belongs to no site, and on which copies of ours were found."""

    host = fields.String(required=True)
    articles = fields.Integer(required=True, metadata={"description": "Of ours, of which it has copies."})
    copies = fields.Integer(required=True)
    last_found_at = fields.DateTime(required=True)
    example = fields.String(required=True, metadata={"description": "The address of one of them."})


class HostsAnswer(Schema):
    """Hosts that wait for a decision, those with most copies first, and the ignored ones."""

    items = fields.List(fields.Nested(HostItem), required=True)
    ignored = fields.List(fields.String(), required=True)


class NoQuery(RequestSchema):
    """Nothing to choose."""


class DiscoveryAnswer(Schema):
    """Counts since the beginning."""

    articles = fields.Integer(required=True, metadata={"description": "Of ours that were asked about."})
    queries = fields.Integer(required=True)
    failed = fields.Integer(required=True, metadata={"description": "Queries that brought no results."})
    money = fields.Float(required=True)
    finds = fields.Dict(
        keys=fields.String(), values=fields.Integer(), required=True, metadata={"description": "Pages found, by state."}
    )
    cases = fields.Integer(required=True, metadata={"description": "With a page that only a search service found."})


FindsAnswer = pieces_of(FindItem, "FindsAnswer")
QueriesAnswer = pieces_of(QueryItem, "QueriesAnswer")


@routes.get("", READS, query=NoQuery, answer=DiscoveryAnswer)
def discovery(_caller: Caller, _params: dict[str, Any]) -> object:
    """What search services were asked and what came of it, in numbers."""
    found = lists.discovery_totals(database())
    return {
        "articles": found.articles,
        "queries": found.queries,
        "failed": found.failed,
        "money": found.money,
        "finds": {state.value: found.finds.get(state, 0) for state in FindState},
        "cases": found.cases,
    }


@routes.get("/finds", READS, query=FindsQuery, answer=FindsAnswer)
def list_finds(_caller: Caller, params: dict[str, Any]) -> object:
    """Pages that search services returned, newest first."""
    params = dict(params)
    limit, below = params.pop("limit"), params.pop("cursor")
    where = FindFilter(**words_of(params, {"state": FindState}))
    return piece(lists.list_finds(database(), where, limit=limit + 1, below=below), limit)


@routes.get("/queries", READS, query=QueriesQuery, answer=QueriesAnswer)
def list_queries(_caller: Caller, params: dict[str, Any]) -> object:
    """Queries to search services, newest first."""
    params = dict(params)
    limit, below = params.pop("limit"), params.pop("cursor")
    return piece(lists.list_queries(database(), QueryFilter(**params), limit=limit + 1, below=below), limit)


@routes.get("/hosts", READS, query=NoQuery, answer=HostsAnswer)
def list_hosts(_caller: Caller, _params: dict[str, Any]) -> object:
    """Hosts proposed as sites. They are watched or ignored at the desk."""
    ignored = lists.decided_hosts(database(), HostDecision.IGNORED, limit=MOST_HOSTS)
    return {
        "items": finds.proposed_hosts(database(), limit=MOST_HOSTS),
        "ignored": [one.host for one in ignored],
    }
