"""Direction: which of two pages is the source. Several clues vote, each with a weight and a reason."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from matcher.provenance.copy_damage import FEW_REPLACED, CopyDamage
from matcher.provenance.credit import CreditFound, credit_given
from matcher.provenance.leftover_phrases import left_over, speaks_as
from matcher.provenance.page_facts import SPREAD, PageFacts
from storage.matches.direction_reasons import Reason, ReasonCode
from storage.records.pages import Declared
from storage.types import NOT_SEEN_WHEN_NEW, Credit, DateOrigin, Precision, SiteRole

# Weights are log-odds: 1 is 73 to 27, 2 is 88 to 12, 3 is 95 to 5. They are estimates to be calibrated on verdicts.
CREDIT_LINKED: Final = 3.0
CREDIT_NAMED: Final = 2.2
FIRST_SEEN: Final = 0.9
MODIFIED: Final = 0.7
ROLE: Final = 0.6
DISGUISE: Final = 1.6
CUT: Final = 1.2
LEFT_OVER: Final = 1.4
SPEAKS: Final = 2.0
STRONGEST_CONFIDENCE: Final = 0.99

DATE_WEIGHTS: Final = {
    DateOrigin.FEED: 2.0,
    DateOrigin.SITEMAP: 1.6,
    DateOrigin.JSON_LD: 1.4,
    DateOrigin.META: 1.4,
    DateOrigin.VISIBLE: 1.1,
    DateOrigin.URL: 1.2,
    DateOrigin.HTTP: 0.6,
    DateOrigin.IMPORT: 1.6,
    DateOrigin.NONE: 0.0,
}
"""Weight of a date by where the earlier page states it: copiers can write dates too."""

SEEN_APART: Final = timedelta(hours=1)
"""Sightings closer than this reflect the order of our visits rather than the order of the pages."""


@dataclass(frozen=True, slots=True)
class Direction:
    """`left_is_source` with a confidence of 0.5 (nothing known) to 0.99, and the reasons: first those for the answer,
    strongest first, then those against it.
    """

    left_is_source: bool
    confidence: float
    reasons: tuple[str, ...]

    @property
    def is_by_time(self) -> bool:
        """Whether the strongest vote is a date or the order in which the pages were first seen."""
        first = self.reasons[0] if self.reasons else None
        return isinstance(first, Reason) and first.code in _BY_TIME


_BY_TIME: Final = frozenset(
    {
        ReasonCode.DATED,
        *(ReasonCode.SEEN_DAYS, ReasonCode.SEEN_HOURS, ReasonCode.SERVED_DAYS, ReasonCode.SERVED_HOURS),
    }
)


@dataclass(frozen=True, slots=True)
class Vote:
    """A clue: log-odds that left is the source (negative: right is), with the reason."""

    weight: float
    reason: Reason


NO_DAMAGE: Final = CopyDamage()


def direction_between(
    left: PageFacts, right: PageFacts, damage: CopyDamage = NO_DAMAGE, *, more: Sequence[Vote] = ()
) -> Direction:
    """Return the direction by all clues, and by `more` of the wording. Symmetrical: exchanging the pages exchanges the
    answer.
    """
    votes = sorted(_votes(left, right, damage, more), key=lambda vote: -abs(vote.weight))
    total = sum(vote.weight for vote in votes)
    votes.sort(key=lambda vote: vote.weight * total < 0)
    confidence = min(STRONGEST_CONFIDENCE, 1 / (1 + math.exp(-abs(total))))
    reasons = tuple(vote.reason for vote in votes) or (Reason(ReasonCode.NOTHING),)
    if total == 0:
        return Direction((left.first_seen_at, left.url) <= (right.first_seen_at, right.url), 0.5, reasons)
    return Direction(total > 0, confidence, reasons)


def _votes(left: PageFacts, right: PageFacts, damage: CopyDamage, more: Sequence[Vote]) -> Iterator[Vote]:
    by_left, by_right = credit_given(left, right), credit_given(right, left)
    yield from _by_credit(left, right, by_left, by_right)
    yield from _by_declared_date(left, right)
    yield from _by_first_seen(left, right)
    yield from _by_modified(left, right)
    yield from _by_role(left, right)
    sheltered = _sheltered(left, right)
    of_wording = (*_by_text(left, right, damage, by_left, by_right), *more)
    yield from (vote for vote in of_wording if vote.weight * sheltered >= 0)


def _sheltered(left: PageFacts, right: PageFacts) -> int:
    """Return 1 if left is a registered original and right a text without page and date; -1 the other way round; else 0.

    Against such an original no clue of the wording counts: the author of a submitted draft may have planted it.
    """
    unheard = [not page.is_stored and page.declared.at is None for page in (left, right)]
    return (left.is_registered_original and unheard[1]) - (right.is_registered_original and unheard[0])


def _by_text(
    left: PageFacts, right: PageFacts, damage: CopyDamage, by_left: CreditFound, by_right: CreditFound
) -> Iterator[Vote]:
    """Yield the votes of the wording alone."""
    yield from _by_damage(left, right, damage)
    yield from _by_cut(left, right, damage)
    # A credit counts once: other statements of the page about its origin add nothing.
    if by_left.credit is Credit.NONE and by_right.credit is Credit.NONE:
        yield from _by_left_over(left, right)
        yield from _by_voice(left, right)


def _by_credit(left: PageFacts, right: PageFacts, by_left: CreditFound, by_right: CreditFound) -> Iterator[Vote]:
    weights = {Credit.LINKED: CREDIT_LINKED, Credit.NAMED: CREDIT_NAMED, Credit.NONE: 0.0}
    weight = weights[by_right.credit] - weights[by_left.credit]
    if weight:
        giver, found = (right, by_right) if weight > 0 else (left, by_left)
        yield Vote(weight, Reason(ReasonCode.CREDITS, page=giver.url, evidence=found.evidence))


def _by_declared_date(left: PageFacts, right: PageFacts) -> Iterator[Vote]:
    """Compare the intervals that the dates may mean; overlapping ones decide nothing."""
    a, b = left.declared, right.declared
    if a.at is None or b.at is None or Precision.NONE in (a.precision, b.precision):
        return
    if a.at + SPREAD[a.precision] <= b.at:
        yield Vote(DATE_WEIGHTS[a.origin], _date_reason(left, right))
    elif b.at + SPREAD[b.precision] <= a.at:
        yield Vote(-DATE_WEIGHTS[b.origin], _date_reason(right, left))


def _date_reason(first: PageFacts, second: PageFacts) -> Reason:
    dates = _date_facts("at", first.declared) | _date_facts("later", second.declared)
    return Reason(ReasonCode.DATED, page=first.url, other=second.url, **dates)


def _date_facts(name: str, declared: Declared) -> dict[str, str]:
    """Return the date as the sentence shows it, and exactly, for display in another time zone."""
    said = "" if declared.at is None else f"{declared.at:%Y-%m-%d %H:%M %Z}"
    exact = "" if declared.at is None else declared.at.isoformat()
    return {name: said, f"{name}_exact": exact, f"{name}_precision": declared.precision.value}


def _by_first_seen(left: PageFacts, right: PageFacts) -> Iterator[Vote]:
    if not NOT_SEEN_WHEN_NEW.isdisjoint((left.found_by, right.found_by)):
        return
    apart = right.first_seen_at - left.first_seen_at
    yield from _by_clock(left, right, apart, FIRST_SEEN, (ReasonCode.SEEN_DAYS, ReasonCode.SEEN_HOURS))


def _by_modified(left: PageFacts, right: PageFacts) -> Iterator[Vote]:
    """Compare the server's modification dates: few copiers who backdate think of them. Touching a file changes them,
    too.
    """
    if left.modified_at is None or right.modified_at is None:
        return
    apart = right.modified_at - left.modified_at
    yield from _by_clock(left, right, apart, MODIFIED, (ReasonCode.SERVED_DAYS, ReasonCode.SERVED_HOURS))


def _by_clock(
    left: PageFacts, right: PageFacts, apart: timedelta, weight: float, codes: tuple[ReasonCode, ReasonCode]
) -> Iterator[Vote]:
    """Vote for the left page if `apart` is positive. The first code gives the reason in days, the second in hours."""
    if abs(apart) < SEEN_APART:
        return
    first, second = (left, right) if apart > timedelta(0) else (right, left)
    hours = int(abs(apart).total_seconds() // 3600)
    in_days = hours >= 48  # noqa: PLR2004  # two days read better as hours
    count = hours // 24 if in_days else hours
    reason = Reason(codes[0] if in_days else codes[1], page=first.url, other=second.url, count=count)
    yield Vote(weight if first is left else -weight, reason)


def _by_role(left: PageFacts, right: PageFacts) -> Iterator[Vote]:
    original = [page.role is SiteRole.ORIGINAL for page in (left, right)]
    if original[0] != original[1]:
        page = left if original[0] else right
        yield Vote(ROLE if original[0] else -ROLE, Reason(ReasonCode.ORIGINAL_SITE, page=page.url))


def _by_damage(left: PageFacts, right: PageFacts, damage: CopyDamage) -> Iterator[Vote]:
    """Vote against the side with more words: replacing characters by homophones or look-alikes breaks words."""
    if damage.replaced < FEW_REPLACED or damage.left_words == damage.right_words:
        return
    left_is_intact = damage.left_words < damage.right_words
    worn = right if left_is_intact else left
    reason = Reason(ReasonCode.WORN, page=worn.url, count=damage.replaced)
    yield Vote(DISGUISE if left_is_intact else -DISGUISE, reason)


def _by_cut(left: PageFacts, right: PageFacts, damage: CopyDamage) -> Iterator[Vote]:
    """Vote against a text that begins or ends in mid-sentence: an excerpt may, an original does not."""
    if damage.left_cut != damage.right_cut:
        cut = left if damage.left_cut else right
        yield Vote(-CUT if damage.left_cut else CUT, Reason(ReasonCode.CUT, page=cut.url))


def _by_left_over(left: PageFacts, right: PageFacts) -> Iterator[Vote]:
    found = left_over(left.text), left_over(right.text)
    if bool(found[0]) != bool(found[1]):
        page = left if found[0] else right
        reason = Reason(ReasonCode.LEFT_OVER, page=page.url, words=found[0] or found[1])
        yield Vote(-LEFT_OVER if found[0] else LEFT_OVER, reason)


def _by_voice(left: PageFacts, right: PageFacts) -> Iterator[Vote]:
    """Vote against a page that speaks in the name of the other's publisher: it has the text from there."""
    as_left, as_right = speaks_as(right.text, left), speaks_as(left.text, right)
    if bool(as_left) != bool(as_right):
        page = right if as_left else left
        reason = Reason(ReasonCode.SPEAKS, page=page.url, name=as_left or as_right)
        yield Vote(SPEAKS if as_left else -SPEAKS, reason)
