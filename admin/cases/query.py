"""What somebody asked the list of cases for: query string in, filter and order out (pure)."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta, tzinfo
from enum import StrEnum
from typing import Any, Final, TypeVar

from admin.cases.columns import FILTERS
from admin.cases.tabs import TABS, Tab
from storage.analytics.reviewer_agreement import SCORE_BANDS
from storage.cases.filters import CaseFilter, CaseOrder
from storage.types import CaseState, Dismissal, Verdict

LONGEST_TEXT: Final = 200
_LONGEST_NUMBER: Final = 9
ME: Final = "@me"
NOBODY: Final = "@nobody"
"""Of account names one may begin so: they are offered by number."""


_Word = TypeVar("_Word", bound=StrEnum)
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
    *("assignee", "overdue", "breach", "refigured", "verdict", "because", "band", "sort"),
)
_RARE: Final = frozenset({"site", "state", "share", "from", "until", "because", "overdue", "breach", "refigured"})


@dataclass(frozen=True, slots=True)
class Asker:
    """Who asks, when, and where: what `me`, `today` and `overdue` mean."""

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
    """What was asked and understood, as the form and the links to other pages repeat it."""
    not_understood: tuple[str, ...]
    """Names of the fields whose values mean nothing: told, never silently dropped."""

    @property
    def narrows(self) -> bool:
        """Whether it asks for less than all of its list."""
        return bool(self.fields.keys() - {"tab", "sort"})

    @property
    def uses_rare_filters(self) -> bool:
        """Whether it uses one of those that are folded away."""
        return not _RARE.isdisjoint(self.fields)


class _Fields:
    """The values of a query string, each read once; what is not understood is noted."""

    def __init__(self, arguments: Mapping[str, str]) -> None:
        cleaned = {
            name: arguments[name].replace("\0", "").strip()[:LONGEST_TEXT] for name in FIELDS if name in arguments
        }
        self.asked = {name: value for name, value in cleaned.items() if value}
        self.wrong: list[str] = []

    def text(self, name: str) -> str | None:
        return self.asked.get(name)

    def word(self, name: str, words: type[_Word]) -> _Word | None:
        value = self.asked.get(name)
        if value in set(words):
            return words(value)
        self._refuse(name)
        return None

    def number(self, name: str, most: int) -> int | None:
        digits = self.asked.get(name, "").removesuffix("%").strip()
        is_number = digits.isascii() and digits.isdecimal() and len(digits) <= _LONGEST_NUMBER
        if is_number and int(digits) <= most:
            return int(digits)
        self._refuse(name)
        return None

    def day(self, name: str, zone: tzinfo, *, days_later: int = 0) -> datetime | None:
        try:
            day = date.fromisoformat(self.asked[name]) + timedelta(days=days_later)
            return datetime(day.year, day.month, day.day, tzinfo=zone)
        except (KeyError, ValueError, OverflowError):
            self._refuse(name)
            return None

    def moment(self, name: str) -> datetime | None:
        try:
            # A plus sign in an address means a space.
            found = datetime.fromisoformat(self.asked[name].replace(" ", "+"))
        except (KeyError, ValueError):
            self._refuse(name)
            return None
        if found.tzinfo is None:
            self._refuse(name)
            return None
        try:
            # Postgres knows no zones that are most of a day away.
            return found.astimezone(UTC)
        except OverflowError:
            self._refuse(name)
            return None

    def assignee(self, me: int) -> tuple[int | None, bool]:
        """The account's number, and whether cases without anybody are meant."""
        value = self.asked.get("assignee")
        if value in (None, NOBODY):
            return None, value == NOBODY
        return (me if value == ME else self.number("assignee", 10**_LONGEST_NUMBER)), False

    def _refuse(self, name: str) -> None:
        if name in self.asked:
            self.wrong.append(name)

    def understood(self) -> dict[str, str]:
        return {name: value for name, value in self.asked.items() if name not in self.wrong}


def parse_case_query(arguments: Mapping[str, str], asker: Asker) -> CaseQuery:
    """Never fails: what means nothing is named in `not_understood`."""
    fields = _Fields(arguments)
    tab = fields.word("tab", Tab) or Tab.WAITING
    order = fields.word("sort", CaseOrder) or CaseOrder.NEWEST
    where = _filter(fields, TABS[tab], asker)
    page = arguments.get("page", "")
    is_number = page.isascii() and page.isdecimal() and len(page) <= _LONGEST_NUMBER
    return CaseQuery(where, tab, order, int(page) if is_number else 1, fields.understood(), tuple(fields.wrong))


def _filter(fields: _Fields, tab: CaseFilter, asker: Asker) -> CaseFilter:
    state = fields.word("state", CaseState)
    assignee, unassigned = fields.assignee(asker.account_id)
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
        verdict=fields.word("verdict", Verdict),
        because=fields.word("because", Dismissal),
        min_score=None if band is None else SCORE_BANDS[band],
        below_score=None if band is None else SCORE_BANDS[band + 1],
        **words,
    )
