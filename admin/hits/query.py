"""The query string of the list of hits, parsed into a filter (pure)."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from admin.web.query_fields import QueryFields
from storage.records.matches import HitFilter
from storage.types import Credit, MatchKind, SiteRole

FIELDS: Final = ("site", "owner", "kind", "credit", "role", "share", "text")


@dataclass(frozen=True, slots=True)
class HitQuery:
    where: HitFilter
    page: int
    fields: Mapping[str, str]
    """The fields that were understood, as the form and the links to other pages repeat them."""
    not_understood: tuple[str, ...]
    """Names of fields with invalid values: they are shown, not dropped silently."""


def parse_hit_query(arguments: Mapping[str, str]) -> HitQuery:
    fields = QueryFields(arguments, FIELDS)
    where = HitFilter(
        site=fields.text("site"),
        owner=fields.text("owner"),
        kind=fields.word("kind", MatchKind),
        credit=fields.word("credit", Credit),
        role=fields.word("role", SiteRole),
        min_share=(fields.number("share", 100) or 0) / 100,
        text=fields.text("text"),
    )
    return HitQuery(where, fields.page, fields.understood(), tuple(fields.wrong))
