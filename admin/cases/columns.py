"""The columns of a case, declared once: the list, the filters by a code, the files and the API are derived from them.

A column is a field of `CaseRecord`. The field's type determines its type in the API.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import Enum, StrEnum
from types import NoneType
from typing import Any, Final, get_args, get_type_hints

from flask_babel import lazy_gettext as _l

from storage.records.cases import CaseRecord
from storage.types import CaseQueue


@dataclass(frozen=True, slots=True)
class CaseColumn:
    """`name`: in the API. `file`: in CSV, XLSX and JSON files; None leaves it out of them. Empty: as the field."""

    field: str
    label: object
    words: str = ""
    """The table with the labels of its codes."""
    name: str = ""
    file: str | None = ""
    about: str = ""
    """Description, for the API."""
    heading: object = None
    """Heading in the list, if it is not the label: some cells show several fields."""
    style: str = ""
    """The CSS class of its heading in the list."""

    @property
    def api_name(self) -> str:
        return self.name or self.field

    @property
    def types(self) -> frozenset[type]:
        """Types of the field's values; with NoneType if it may be empty."""
        hint = get_type_hints(CaseRecord)[self.field]
        return frozenset(get_args(hint) or (hint,))

    @property
    def enum(self) -> type[StrEnum]:
        """The enum of the values. Raises StopIteration for a column without labels."""
        return next(found for found in self.types - {NoneType} if issubclass(found, StrEnum))

    def value(self, case: CaseRecord) -> Any:
        """The value as written to a file."""
        value = getattr(case, self.field)
        if isinstance(value, float):
            return round(value, 4)
        if isinstance(value, datetime) and self.field == _DEADLINE:
            # Stored is the moment after it: midnight of the next day, which would read as a day too late.
            return value - timedelta(seconds=1)
        return value.value if isinstance(value, Enum) else value


_DEADLINE: Final = "deadline"

CASE_COLUMNS: Final = (
    CaseColumn("id", _l("Number")),
    CaseColumn("queue", _l("List"), file=None),
    CaseColumn("state", _l("State"), "case_state"),
    CaseColumn("our_page_id", _l("Our article"), file=None),
    CaseColumn("our_title", _l("Our article")),
    CaseColumn("our_url", _l("Web address")),
    CaseColumn("our_site", _l("Site")),
    CaseColumn("other_name", _l("Copier"), name="copier", file="copier"),
    CaseColumn("their_title", _l("Title of the copy")),
    CaseColumn("their_url", _l("URL of the copy")),
    CaseColumn("our_published_at", _l("Published"), about="As our page states."),
    CaseColumn(
        "their_published_at",
        _l("Copy published"),
        about="As their page states.",
        heading=_l("Their date"),
        style="date",
    ),
    CaseColumn("pages", _l("Pages"), about="Of the copier, with a copy of ours."),
    CaseColumn("chars", _l("Characters"), file="characters", about="The most that one of them has of ours."),
    CaseColumn("our_share", _l("Share of ours"), file="share_of_ours", heading=_l("Overlap"), style="shares"),
    CaseColumn("their_share", _l("Share of the copy"), file="share_of_theirs"),
    CaseColumn("kind", _l("Kind"), "kind"),
    CaseColumn("credit", _l("Credit"), "credit"),
    CaseColumn("standing", _l("Licence"), "standing"),
    CaseColumn("severity", _l("Severity"), "severity"),
    CaseColumn("score", _l("Score"), file=None),
    CaseColumn("dismissed_because", _l("Reason for dismissal"), "dismissal", file=None),
    CaseColumn("assignee", _l("Assignee")),
    CaseColumn(_DEADLINE, _l("Deadline")),
    CaseColumn("opened_at", _l("Opened"), style="date"),
    CaseColumn("changed_at", _l("Last changed")),
)
"""In the order of the files."""

_BY_FIELD: Final[Mapping[str, CaseColumn]] = {column.field: column for column in CASE_COLUMNS}

LISTED: Final = tuple(
    _BY_FIELD[field]
    for field in (
        *("our_title", "other_name", "our_share", "severity", "kind", "credit", "their_published_at", "state"),
        *("assignee", "opened_at"),
    )
)
"""The columns of the list at the desk, in its order. `cases/case_parts.html` has a cell for each of these; of any other
column the list shows the value.
"""

FILTERS: Final = tuple(_BY_FIELD[field] for field in ("severity", "kind", "credit"))
"""Columns with labels by which cases are filtered, at the desk and in the API: each is a field of `CaseFilter` too."""


_WITHOUT_ACCUSING: Final = {"other_name": _l("Also at"), "our_share": _l("Shared")}
"""Headings where nobody is accused of copying."""
_OF_COPYING: Final = frozenset({"severity", "credit"})
"""Columns that say how grave a copy is, and are left out there."""


def listed(queue: CaseQueue = CaseQueue.COPIED) -> tuple[CaseColumn, ...]:
    """The columns of a list, for templates."""
    if queue == CaseQueue.COPIED:
        return LISTED
    named = ((column, _WITHOUT_ACCUSING.get(column.field)) for column in LISTED if column.field not in _OF_COPYING)
    return tuple(replace(column, label=name, heading=name) if name else column for column, name in named)
