"""The gate before a letter or notice: agency texts are refused, doubtful claims need the consent of a second person."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Final

from admin.cases.copier_summary import Item
from admin.evidence.letter_grounds import NoLetter, refusal_of
from admin.evidence.precedence import EVEN, documented_reasons
from matcher.cases.rights import is_wire_story, rights_of_page
from matcher.provenance.page_facts import facts_of_page
from storage.cases.handout import CopyLine
from storage.letters.directions import PageDirection, directions_of
from storage.matches import story_pages
from storage.pages import pages
from storage.records.cases import CaseRecord
from storage.records.correspondence.notices import ConsentRecord, ConsentWay, GateReason
from storage.types import Credit, Rights, Standing

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

SURE: Final = 0.8
"""Confidence that ours was first from which a notice needs no second person: four in five."""
LATER: Final = timedelta(minutes=10)
"""After the request, for the only person who may send: long enough to do something else and read the text again."""


def agency_cases(session: "Session", items: Iterable[Item]) -> set[int]:
    """Ids of the cases whose article of ours an agency wrote, by its own credits or by other pages of its story."""
    return _of_agency(session, {item.case.id: item.case.our_page_id for item in items})


def no_letter(session: "Session", case: CaseRecord, lines: Sequence[CopyLine]) -> NoLetter | None:
    """Why there is no letter about a case with these pages, also because an agency wrote its article; None where there
    may be one.
    """
    refusal = refusal_of(case, lines)
    if refusal is None and _of_agency(session, {case.id: case.our_page_id}):
        return NoLetter.AGENCY
    return refusal


def _of_agency(session: "Session", wanted: Mapping[int, int]) -> set[int]:
    """`wanted`: ids of our pages by those of their cases."""
    ours = pages.pages_by_id(session, set(wanted.values()))
    bodies = pages.text_bodies(session, {page.text_id for page in ours.values()})
    told = story_pages.agency_pages_of_stories(session, {page.text_id for page in ours.values()})
    found = set()
    for page in ours.values():
        facts = facts_of_page(page, bodies.get(page.text_id, ""))
        others = map(facts_of_page, told.get(page.text_id, ()))
        if rights_of_page(facts) is Rights.AGENCY or is_wire_story(facts, others):
            found.add(page.id)
    return {case_id for case_id, page_id in wanted.items() if page_id in found}


def gate_reasons(session: "Session", items: Sequence[Item]) -> dict[GateReason, tuple[str, ...]]:
    """Why a second person must consent to a letter about these pages, each reason with their addresses."""
    directions = directions_of(session, [item.case.id for item in items])
    found: dict[GateReason, list[str]] = {}
    for item in items:
        for line in item.lines:
            for reason in reasons_of(line, directions.get((item.case.id, line.url))):
                found.setdefault(reason, []).append(line.url)
    return {reason: tuple(found[reason]) for reason in GateReason if reason in found}


def reasons_of(line: CopyLine, direction: PageDirection | None) -> list[GateReason]:
    """Why naming one page needs consent. `direction`: the judgement of the pair; None where wording proves nothing."""
    doubts = {
        GateReason.LICENCE: line.standing is not Standing.UNLICENSED,
        GateReason.CREDIT: line.credit is not Credit.NONE,
        GateReason.DIRECTION: not line.is_by_meaning and ours_first(direction) < SURE,
        GateReason.MEANING: line.is_by_meaning,
    }
    return [reason for reason, holds in doubts.items() if holds]


def ours_first(direction: PageDirection | None) -> float:
    """Confidence that ours was first, 0…1, by what can be shown to others; 0.5 where nothing is known."""
    if direction is None:
        return EVEN
    shown = documented_reasons(direction.confidence, direction.reasons, source_url=direction.source_url).source_first
    return shown if direction.is_ours_first else 1 - shown


@dataclass(frozen=True, slots=True)
class Consents:
    """What a text needs and has. `asked`: the request for exactly this text and these reasons."""

    reasons: Mapping[GateReason, tuple[str, ...]]
    asked: ConsentRecord | None

    @property
    def is_open(self) -> bool:
        """Whether a second person must still consent."""
        return bool(self.reasons) and (self.asked is None or self.asked.given_at is None)


def way_to_consent(
    asked: ConsentRecord, *, account_id: int, written_by_id: int | None, others: int, now: datetime
) -> ConsentWay | None:
    """How this account may consent now; None where it may not (yet). `others`: other accounts that may send."""
    if account_id not in (asked.asked_by_id, written_by_id):
        return ConsentWay.SECOND_PERSON
    if not others and now - asked.asked_at >= LATER:
        return ConsentWay.LATER
    return None
