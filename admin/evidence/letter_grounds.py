"""Which pages a takedown letter may name, and why there is no letter: it claims copies without permission. Pure."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from admin.cases.copier_summary import UNDECIDED, Copier, Item
from storage.cases.handout import CopyLine
from storage.records.cases import CaseRecord
from storage.records.evidence import CaptureState
from storage.types import CaseQueue, CaseState, Standing


class NoLetter(StrEnum):
    """Why a case or a page is not named in a letter."""

    THEIRS_FIRST = "theirs-first"
    PERHAPS_AGENCY = "perhaps-agency"
    """A suspicion: the case is in the list for agencies' stories, where a person decides."""
    SHARED_PASSAGE = "shared-passage"
    """A search service returned the page, which shares a passage only: a person looks first."""
    FROM_THIRD = "from-third"
    LICENSED = "licensed"
    DISMISSED = "dismissed"
    WITHDRAWN = "withdrawn"
    TAKEN_DOWN = "taken-down"
    BY_MEANING = "by-meaning"
    """Only the meaning is similar: nothing is proved that a letter could claim."""
    AGENCY = "agency"
    """A finding: rights, credits or other pages say that our article is an agency's. Nobody's word lifts it."""


_BY_STATE: Final[Mapping[CaseState, NoLetter]] = {
    CaseState.LICENSED: NoLetter.LICENSED,
    CaseState.DISMISSED: NoLetter.DISMISSED,
    CaseState.WITHDRAWN: NoLetter.WITHDRAWN,
    CaseState.REMOVED: NoLetter.TAKEN_DOWN,
}

_MOST_SERIOUS: Final = (NoLetter.THEIRS_FIRST, NoLetter.FROM_THIRD, NoLetter.LICENSED, NoLetter.BY_MEANING)


@dataclass(frozen=True, slots=True)
class Grounds:
    """`named`: cases of the letter, each with the pages that it may name. `refusal`: why there is no letter about the
    current case; then nothing is named.
    """

    named: tuple[Item, ...]
    left_out: Mapping[NoLetter, int]
    """Pages of these cases that are not named, by reason."""
    refusal: NoLetter | None

    @property
    def undecided(self) -> tuple[int, ...]:
        """Ids of named cases without a decision."""
        return tuple(item.case.id for item in self.named if item.case.state in UNDECIDED)

    @property
    def lines(self) -> tuple[CopyLine, ...]:
        return tuple(line for item in self.named for line in item.lines)

    @property
    def captures(self) -> Mapping[CaptureState, int]:
        """Named pages by state of capture."""
        return Counter(line.evidence.state for line in self.lines)

    @property
    def failures(self) -> Mapping[str, int]:
        """Reasons of failed captures with the number of named pages, most frequent first."""
        failed = (line.evidence.refusal for line in self.lines if line.evidence.state is CaptureState.FAILED)
        return dict(Counter(reason for reason in failed if reason is not None).most_common())


def grounds_of(copier: Copier, case: CaseRecord, *, with_meaning: bool = False) -> Grounds:
    """What a letter to `copier` about `case` may name; `case` is among the copier's items. `with_meaning`: also pages
    of which only the meaning is similar, for notices to which a second person consents.
    """
    at_hand = next((item.lines for item in copier.items if item.case.id == case.id), ())
    refusal = refusal_of(case, at_hand, with_meaning=with_meaning)
    if refusal is not None:
        return Grounds((), {}, refusal)
    known = [(item, [(line, _why_not(line, with_meaning)) for line in item.lines]) for item in copier.items]
    whys = Counter(why for _, lines in known for _, why in lines if why is not None)
    named = (replace(item, lines=tuple(line for line, why in lines if why is None)) for item, lines in known)
    return Grounds(tuple(item for item in named if item.lines), whys, None)


def without_agency(grounds: Grounds, case: CaseRecord, agency: Collection[int]) -> Grounds:
    """The grounds less the cases whose article of ours is an agency's (`agency`: their ids)."""
    if case.id in agency:
        return Grounds((), {}, grounds.refusal or NoLetter.AGENCY)
    lost = sum(len(item.lines) for item in grounds.named if item.case.id in agency)
    if not lost:
        return grounds
    named = tuple(item for item in grounds.named if item.case.id not in agency)
    return replace(grounds, named=named, left_out={**grounds.left_out, NoLetter.AGENCY: lost})


def refusal_of(case: CaseRecord, lines: Sequence[CopyLine], *, with_meaning: bool = False) -> NoLetter | None:
    """Why there is no letter about a case with these pages; None where there may be one."""
    if case.queue is CaseQueue.WE_MAY_BE_COPIER:
        return NoLetter.THEIRS_FIRST
    if case.queue is CaseQueue.AGENCY:
        return NoLetter.PERHAPS_AGENCY
    if case.queue is CaseQueue.SHARED_PASSAGE:
        return NoLetter.SHARED_PASSAGE
    if case.state is CaseState.WITHDRAWN and any(line.from_third for line in lines):
        return NoLetter.FROM_THIRD
    return _BY_STATE.get(case.state) or _of_lines(lines, with_meaning)


def _of_lines(lines: Iterable[CopyLine], with_meaning: bool) -> NoLetter | None:
    """The most serious reason where no page may be named; None where one may."""
    whys = [_why_not(line, with_meaning) for line in lines]
    if None in whys:
        return None
    return next((why for why in _MOST_SERIOUS if why in whys), NoLetter.TAKEN_DOWN)


def _why_not(line: CopyLine, with_meaning: bool) -> NoLetter | None:
    if not line.stands:
        return NoLetter.TAKEN_DOWN
    if line.theirs_first:
        return NoLetter.THEIRS_FIRST
    if line.is_by_meaning and not with_meaning:
        return NoLetter.BY_MEANING
    if line.from_third:
        return NoLetter.FROM_THIRD
    return NoLetter.LICENSED if line.standing is Standing.LICENSED else None
