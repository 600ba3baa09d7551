"""The case rule: whether a match makes a case. Pure: the worker stores the decision, the benchmark only reads it."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from matcher.cases.permissions import UNLICENSED, Permission
from matcher.cases.rights import rights_of_page
from matcher.judgement.overlap import Overlap
from matcher.provenance.direction import Direction
from matcher.provenance.page_facts import PageFacts
from storage.types import CaseQueue, Rights, SiteRole, Standing

UNDECIDED: Final = 0.5
"""The confidence of a direction without evidence."""


@dataclass(frozen=True, slots=True)
class CaseRule:
    """When a copy of ours makes a case: one of the two bounds is enough. Settings of the installation."""

    min_chars: int = 150
    """Characters of our text that the other page holds."""
    min_share: float = 0.3
    """Share of our text that the other page holds, or of the other text that ours holds."""


class Because(StrEnum):
    """Reason why a match makes a case, or none."""

    COPIED = "copied"
    BREACH = "breach"
    WE_MAY_BE_COPIER = "we-may-be-copier"
    NOT_OURS = "not-ours"
    """Neither page is on a site of originals."""
    SAME_OWNER = "same-owner"
    NO_RIGHTS = "no-rights"
    """The rights are unknown, or the text is licensed in."""
    WIRE_STORY = "wire-story"
    BOTH_FROM_THIRD = "both-from-third"
    """Both have it from a third page that is stored."""
    TOO_LITTLE = "too-little"
    LICENSED = "licensed"


@dataclass(frozen=True, slots=True)
class CaseDecision:
    """`ours` and `theirs` are the two pages, if one of them is ours; `permission` is that of the copy."""

    opens: bool
    because: Because
    queue: CaseQueue = CaseQueue.COPIED
    ours: PageFacts | None = None
    theirs: PageFacts | None = None
    permission: Permission = UNLICENSED


DEFAULT_RULE: Final = CaseRule()


def would_open_case(
    left: PageFacts,
    right: PageFacts,
    direction: Direction,
    overlap: Overlap,
    *,
    permission: Permission = UNLICENSED,
    is_wire: bool = False,
    from_third: bool = False,
    rule: CaseRule = DEFAULT_RULE,
) -> CaseDecision:
    """Decide whether the pair makes a case, in which queue, and why or why not. Neither page needs to be stored.

    `overlap`: counted in ours. `permission`: result of the licences for the copy. `is_wire`: other pages of the story
    state that an agency wrote it (see `matcher.cases.rights.is_wire_story`); the other page's own statement alone is
    not believed. `from_third`: both have it from a stored page of a third owner (`matcher.provenance.third_source`).
    """
    sides = _sides(left, right, direction)
    if sides is None:
        return CaseDecision(opens=False, because=Because.NOT_OURS)
    ours, theirs, queue = sides
    reasons = _refusals(ours, theirs, queue, overlap, permission, is_wire=is_wire, from_third=from_third, rule=rule)
    refused = next(reasons, None)
    if queue is CaseQueue.WE_MAY_BE_COPIER:
        permission, because = UNLICENSED, Because.WE_MAY_BE_COPIER  # our licences do not cover what we take
    else:
        because = Because.BREACH if permission.standing is Standing.BREACH else Because.COPIED
    return CaseDecision(refused is None, refused or because, queue, ours, theirs, permission)


def _sides(left: PageFacts, right: PageFacts, direction: Direction) -> tuple[PageFacts, PageFacts, CaseQueue] | None:
    """Return ours, theirs, and the queue; None if neither is ours. Of two originals the source is ours."""
    source, copy = (left, right) if direction.left_is_source else (right, left)
    if source.role is SiteRole.ORIGINAL:
        return source, copy, CaseQueue.COPIED
    if copy.role is SiteRole.ORIGINAL:
        # Without evidence of the order, ours counts as the original.
        is_known = direction.confidence > UNDECIDED
        return copy, source, CaseQueue.WE_MAY_BE_COPIER if is_known else CaseQueue.COPIED
    return None


def _refusals(
    ours: PageFacts,
    theirs: PageFacts,
    queue: CaseQueue,
    overlap: Overlap,
    permission: Permission,
    *,
    is_wire: bool,
    from_third: bool,
    rule: CaseRule,
) -> Iterator[Because]:
    """Yield the reasons why the pair makes no case, the simplest first."""
    rights = rights_of_page(ours)
    if ours.owner_key and ours.owner_key == theirs.owner_key:
        yield Because.SAME_OWNER
    if is_wire or rights is Rights.AGENCY:
        yield Because.WIRE_STORY
    if rights is Rights.LICENSED_IN or (queue is CaseQueue.COPIED and rights is not Rights.OWN):
        yield Because.NO_RIGHTS
    if overlap.chars < rule.min_chars and max(overlap.our_share, overlap.their_share) < rule.min_share:
        yield Because.TOO_LITTLE
    if queue is CaseQueue.COPIED and permission.standing is Standing.LICENSED:
        yield Because.LICENSED
    if from_third:
        yield Because.BOTH_FROM_THIRD
