"""The query string of the list of pages, parsed into a filter (pure)."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from admin.web.url_converters import as_key
from storage.pages.search import LONGEST_PIECE, PageFilter, is_askable

FIELDS: Final = ("text", "body", "site")


@dataclass(frozen=True, slots=True)
class PageQuery:
    """`below`: the list continues with pages of a lower id. `too_short`: fields whose text is too short to search."""

    where: PageFilter
    below: int | None
    fields: Mapping[str, str]
    too_short: tuple[str, ...]


def parse_page_query(arguments: Mapping[str, str], *, bodies: bool) -> PageQuery:
    """Parse a query string. `bodies`: whether texts can be searched; else that field is ignored."""
    asked = {name: arguments.get(name, "").replace("\0", "").strip()[:LONGEST_PIECE] for name in FIELDS}
    if not bodies:
        asked["body"] = ""
    too_short = tuple(name for name in ("text", "body") if asked[name] and not is_askable(asked[name]))
    pieces = {name: "" if name in too_short else asked[name] for name in ("text", "body")}
    where = PageFilter(piece=pieces["text"], body=pieces["body"], site=asked["site"] or None)
    fields = {name: value for name, value in asked.items() if value}
    return PageQuery(where, as_key(arguments.get("below", "")) or None, fields, too_short)
