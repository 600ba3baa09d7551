"""Stored pages. Crawled text is data and leaves as JSON only."""

from typing import Any

from marshmallow import Schema, fields

from admin.api.asking import Caller
from admin.api.fields import PieceQuery, piece, pieces_of, shape, words
from admin.api.problems import known, refuse
from admin.api.routes import READS, Routes
from admin.web.db_session import database
from storage.pages import history, pages, search, text_index
from storage.pages.search import LONGEST_PIECE, SHORTEST_PIECE, FoundPage, PageFilter
from storage.records.pages import PageRecord
from storage.types import FoundBy, Rights, SiteRole

routes = Routes("pages", "Stored pages, ours and those of watched sites.")


class PagesQuery(PieceQuery):
    text = words(LONGEST_PIECE, least=SHORTEST_PIECE, about="Part of the title or the address.")
    body = words(LONGEST_PIECE, least=SHORTEST_PIECE, about="Part of the text, where there is an index of texts.")
    site = words(200, about="The site's name.")


class PageItem(Schema):
    """A page as lists show it."""

    id = fields.Integer(required=True)
    url = fields.String(required=True)
    host = fields.String(required=True)
    site = fields.String(required=True, allow_none=True)
    owner = fields.String(required=True, allow_none=True)
    role = fields.String(required=True, allow_none=True, metadata={"enum": [*SiteRole, None]})
    title = fields.String(required=True)
    author = fields.String(required=True)
    chars = fields.Integer(required=True)
    published_at = fields.DateTime(required=True, allow_none=True)
    first_seen_at = fields.DateTime(required=True)
    gone_at = fields.DateTime(required=True, allow_none=True)
    found_by = fields.String(required=True, metadata={"enum": list(FoundBy)})


class VersionItem(Schema):
    """A version of a page."""

    id = fields.Integer(required=True)
    text_id = fields.Integer(required=True)
    fetched_at = fields.DateTime(required=True)
    is_current = fields.Boolean(required=True)
    title = fields.String(required=True)
    chars = fields.Integer(required=True)


class PostItem(Schema):
    """A post of a thread."""

    author = fields.String(required=True)
    start = fields.Integer(required=True, metadata={"description": "The code point of the text at which it begins."})


class PageAnswer(PageItem):
    """A page with its text and what it declares."""

    language = fields.String(required=True)
    published_precision = fields.String(required=True)
    published_origin = fields.String(required=True)
    kind = fields.String(required=True, metadata={"description": "article, thread, recipe, product, …"})
    posts = fields.List(
        fields.Nested(PostItem), required=True, metadata={"description": "Of a thread whose text holds more than one."}
    )
    rights = fields.String(required=True, metadata={"enum": list(Rights)})
    credit_lines = fields.List(fields.String(), required=True)
    credit_links = fields.List(fields.String(), required=True)
    canonical_link = fields.String(required=True, allow_none=True)
    text = fields.String(required=True, metadata={"description": "As published. Passages count its code points."})
    versions = fields.List(fields.Nested(VersionItem), required=True, metadata={"description": "Newest first."})


PagesAnswer = pieces_of(PageItem, "PagesAnswer")


@routes.get("", READS, query=PagesQuery, answer=PagesAnswer)
def list_pages(_caller: Caller, params: dict[str, Any]) -> object:
    """Pages, the newest first."""
    if params.get("body"):
        index = text_index.state(database())
        if index is None or not index.is_ready:
            refuse(409, "There is no index of texts. Make it with: zhiwen db index-text", word="no-text-index")
    where = PageFilter(piece=params.get("text", ""), body=params.get("body", ""), site=params.get("site"))
    limit = params["limit"]
    found = search.search_pages(database(), where, limit=limit, below=params["cursor"])
    beyond = [*found.pages, found.pages[-1]] if found.has_more else found.pages
    return piece(beyond, limit, lambda page: _item(page, "published_at"))


@routes.get("/<key:page_id>", READS, answer=PageAnswer)
def get_page(_caller: Caller, _asked: dict[str, Any], page_id: int) -> object:
    """One page with its present text."""
    page = known(pages.page_by_id(database(), page_id), f"There is no page {page_id}.")
    versions = history.versions_of_pages(database(), [page_id]).get(page_id, [])
    said = _item(
        page,
        *("language", "kind", "rights", "credit_lines", "credit_links", "canonical_link"),
        published_at="declared.at",
        published_precision="declared.precision",
        published_origin="declared.origin",
    )
    posts = pages.posts_of(database(), page.version_id)
    return said | {"text": pages.text_body(database(), page.text_id) or "", "versions": versions, "posts": posts}


def _item(page: FoundPage | PageRecord, *more: str, **renamed: str) -> dict[str, Any]:
    same = ("id", "url", "host", "role", "title", "author", "chars", "first_seen_at", "gone_at", "found_by", *more)
    return shape(page, *same, site="site_name", owner="owner_name", **renamed)
