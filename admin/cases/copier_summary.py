"""The cases of one copier, for letters and statements."""

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

from crawler.urls.canonical import host_of
from storage.cases import handout, listing
from storage.cases.handout import CopyLine
from storage.contacts import contacts
from storage.errors import NotKnown
from storage.pages import pages
from storage.records.cases import CaseRecord
from storage.sites import owners
from storage.types import CaseState

if TYPE_CHECKING:
    from collections.abc import Collection

    from sqlalchemy.orm import Session

MOST_CASES: Final = 300
"""In one letter or statement, those with most of our text first; the others are counted."""
MOST_LINES: Final = 2_000

DECIDED: Final = frozenset({CaseState.CONFIRMED, CaseState.NOTIFIED, CaseState.REAPPEARED})
"""States of cases that a person has confirmed as copies without permission, and that have not been taken down."""
UNDECIDED: Final = frozenset({CaseState.NEW, CaseState.REVIEWING})
STATED: Final = frozenset(CaseState) - {CaseState.WITHDRAWN} - UNDECIDED
"""States in a statement; the undecided ones are suspicions, and in it only on request."""


@dataclass(frozen=True, slots=True)
class Item:
    case: CaseRecord
    lines: tuple[CopyLine, ...]

    @property
    def standing(self) -> tuple[CopyLine, ...]:
        return tuple(line for line in self.lines if line.stands)


@dataclass(frozen=True, slots=True)
class Copier:
    """`left_out`: cases beyond the bound. `undecided`: cases that nobody has decided, which are not among the items
    unless they were asked for.
    """

    name: str
    complaint_address: str
    registration: str
    our_owner: str
    items: tuple[Item, ...]
    left_out: int
    undecided: int
    made_at: datetime
    made_by: str

    @property
    def pages(self) -> int:
        return sum(len(item.standing) for item in self.items)

    @property
    def captured(self) -> int:
        """Number of these pages with a captured response of their own."""
        return sum(line.evidence.is_kept for item in self.items for line in item.standing)

    @property
    def chars(self) -> int:
        """Sum over the cases of the largest matched length of one page, by its wording."""
        proved = ((line.chars for line in item.lines if not line.is_by_meaning) for item in self.items)
        return sum(max(chars, default=0) for chars in proved)


def copier_of(
    session: "Session", case: CaseRecord, *, states: "Collection[CaseState]", made_by: str, always: bool = False
) -> Copier:
    """The copier of `case` with all its cases in `states`; with `always`, also `case` itself in any state."""
    ids = handout.case_ids_of_copier(session, case.other_key, states=states, limit=MOST_CASES)
    total = handout.count_cases_of_copier(session, case.other_key, states=states)
    wanted = [case.id, *ids] if always and case.id not in ids else ids
    undecided = handout.count_cases_of_copier(session, case.other_key, states=UNDECIDED - set(states))
    lines = handout.lines_of_cases(session, wanted, limit=MOST_LINES)
    cases = {one.id: one for one in listing.cases_by_id(session, wanted)}
    name, address, registration = _owner(session, case)
    hosts = {host_of(line.url) for found in lines.values() for line in found}
    address = address or contacts.confirmed_address(session, hosts, case.other_owner_id)
    our_page = pages.page_by_id(session, case.our_page_id)
    return Copier(
        name=name,
        complaint_address=address,
        registration=registration,
        our_owner=(our_page.owner_name or our_page.site_name or "") if our_page is not None else "",
        items=tuple(Item(cases[number], tuple(lines.get(number, ()))) for number in wanted if number in cases),
        left_out=total - len(ids),
        undecided=undecided - (always and case.state in UNDECIDED - set(states)),
        made_at=datetime.now(UTC),
        made_by=made_by,
    )


def _owner(session: "Session", case: CaseRecord) -> tuple[str, str, str]:
    """Name, address for complaints, and registration; of a host only the name is known."""
    if case.other_owner_id is None:
        return case.other_name, "", ""
    try:
        owner = owners.get_owner(session, case.other_name)
    except NotKnown:  # renamed between two queries of this request
        return case.other_name, "", ""
    return owner.name, owner.complaint_address, owner.registration
