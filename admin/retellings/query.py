"""The query string of the list of retellings, parsed into a filter (pure)."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from admin.web.query_fields import QueryFields
from storage.records.retellings import RetellingFilter
from storage.types import Relation, RetellingKind, RetellingState, SiteRole

FIELDS: Final = ("tab", "kind", "relation", "site", "owner", "role", "score", "text")


class RetellingTab(StrEnum):
    """The lists of retellings: one for each state, and all."""

    OPEN = "open"
    CASE = "case"
    DISMISSED = "dismissed"
    ALL = "all"

    @property
    def state(self) -> RetellingState | None:
        return None if self is RetellingTab.ALL else RetellingState(self.value)


@dataclass(frozen=True, slots=True)
class RetellingQuery:
    where: RetellingFilter
    tab: RetellingTab
    page: int
    fields: Mapping[str, str]
    """The fields that were understood, as the form and the links to other pages repeat them."""
    not_understood: tuple[str, ...]
    """Names of fields with invalid values: they are shown, not dropped silently."""

    @property
    def narrows(self) -> bool:
        """Whether it selects less than the whole list."""
        return bool(self.fields.keys() - {"tab"})


def parse_retelling_query(arguments: Mapping[str, str]) -> RetellingQuery:
    """Parse a query string. Never raises: invalid fields are listed in `not_understood`."""
    fields = QueryFields(arguments, FIELDS)
    tab = fields.word_or("tab", RetellingTab, RetellingTab.OPEN)
    where = RetellingFilter(
        state=tab.state,
        kind=fields.word("kind", RetellingKind),
        relation=fields.word("relation", Relation),
        site=fields.text("site"),
        owner=fields.text("owner"),
        role=fields.word("role", SiteRole),
        min_score=(fields.number("score", 100) or 0) / 100,
        text=fields.text("text"),
    )
    return RetellingQuery(where, tab, fields.page, fields.understood(), tuple(fields.wrong))
