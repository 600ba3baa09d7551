"""The query string of the list of cases, parsed into filter and order (pure)."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime, tzinfo
from typing import Any, Final
from urllib.parse import parse_qsl

from admin.cases.columns import FILTERS
from admin.cases.tabs import TABS, Tab
from admin.web.query_fields import LONGEST_NUMBER, QueryFields
from storage.analytics.reviewer_agreement import SCORE_BANDS
from storage.cases.lists.filters import CaseFilter, CaseOrder
from storage.types import CaseState, Dismissal, Verdict

ME: Final = "@me"
NOBODY: Final = "@nobody"
"""Means cases without an assignee. An account name may begin like this: accounts are offered by number."""

FIELDS: Final = (
    *(
        "tab",
        "text",
        "site",
        "owner",
        "state",
        *(column.field for column in FILTERS),
        "share",
        "from",
        "until",
        "since",
    ),
    *("assignee", "overdue", "breach", "refigured", "woken", "gone", "verdict", "because", "band", "sort"),
)
_RARE: Final = frozenset(
    {"site", "state", "share", "from", "until", "because", "overdue", "breach", "refigured", "woken"}
)


@dataclass(frozen=True, slots=True)
class Asker:
    """The person, time and zone of a query: they define `me`, `today` and `overdue`."""

    account_id: int
    now: datetime
    zone: tzinfo


@dataclass(frozen=True, slots=True)
class CaseQuery:
    where: CaseFilter
    tab: Tab
    order: CaseOrder
    page: int
    fields: Mapping[str, str]
    """The fields that were understood, as the form and the links to other pages repeat them."""
    not_understood: tuple[str, ...]
    """Names of fields with invalid values: they are shown, not dropped silently."""

    @property
    def narrows(self) -> bool:
        """Whether it selects less than the whole list."""
        return bool(self.fields.keys() - {"tab", "sort"})

    @property
    def uses_rare_filters(self) -> bool:
        """Whether it uses a filter that is folded away."""
        return not _RARE.isdisjoint(self.fields)


def parse_case_query(arguments: Mapping[str, str], asker: Asker) -> CaseQuery:
    """Parse a query string. Never raises: invalid fields are listed in `not_understood`."""
    fields = QueryFields(arguments, FIELDS)
    tab = fields.word_or("tab", Tab, Tab.WAITING)
    order = fields.word_or("sort", CaseOrder, CaseOrder.NEWEST)
    where = _filter(fields, TABS[tab], asker)
    return CaseQuery(where, tab, order, fields.page, fields.understood(), tuple(fields.wrong))


def query_of_view(query: str, asker: Asker) -> CaseQuery:
    """Parse `query`, the query string of a saved list (`SavedView`): as its author sees it, or who looks at it."""
    # As in a request, the first of several values counts.
    return parse_case_query(dict(reversed(parse_qsl(query, keep_blank_values=True))), asker)


def tab_fields(query: CaseQuery, tab: Tab) -> dict[str, str]:
    """The fields of the same search in another list: a state belongs to the list where it was chosen."""
    kept = {name: value for name, value in query.fields.items() if name not in {"tab", "state"}}
    return kept if tab is Tab.WAITING else {"tab": tab.value, **kept}


def _filter(fields: QueryFields, tab: CaseFilter, asker: Asker) -> CaseFilter:
    state = fields.word("state", CaseState)
    assignee, unassigned = _assignee(fields, asker.account_id)
    band = fields.number("band", len(SCORE_BANDS) - 2)
    since = fields.moment("since")
    words: dict[str, Any] = {column.field: fields.word(column.field, column.enum) for column in FILTERS}
    return replace(
        tab,
        states=frozenset({state}) if state is not None else tab.states,
        text=fields.text("text"),
        site=fields.text("site"),
        owner=fields.text("owner"),
        min_share=(fields.number("share", 100) or 0) / 100,
        opened_from=since or fields.day("from", asker.zone),
        opened_before=fields.day("until", asker.zone, days_later=1),
        assignee_id=assignee,
        unassigned=unassigned,
        overdue_at=asker.now if fields.text("overdue") else None,
        breach=fields.text("breach") is not None,
        refigured=fields.text("refigured") is not None,
        woken=fields.text("woken") is not None,
        removed_since=fields.moment("gone"),
        verdict=fields.word("verdict", Verdict),
        because=fields.word("because", Dismissal),
        min_score=None if band is None else SCORE_BANDS[band],
        below_score=None if band is None else SCORE_BANDS[band + 1],
        **words,
    )


def _assignee(fields: QueryFields, me: int) -> tuple[int | None, bool]:
    """The key of the account, and whether cases without an assignee are meant."""
    value = fields.text("assignee")
    if value in (None, NOBODY):
        return None, value == NOBODY
    return (me if value == ME else fields.number("assignee", 10**LONGEST_NUMBER)), False
