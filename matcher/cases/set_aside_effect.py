"""What a text that is set aside would take back: each stored hit of it judged again without it. Writes nothing.

Only a hit whose remaining evidence is below the thresholds goes, and with it a page of an undecided case. The pairs are
judged as the worker judges them, but for what other pages of the two hosts repeat at their edges: of that, the stored
passages tell what counted as boilerplate.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from fingerprint.compute import Analysis, analyse
from fingerprint.initials import to_initials
from fingerprint.normalize import canonicalize
from matcher.alignment.align import Grams, true_stretches
from matcher.boilerplate.classifier import gram_index
from matcher.boilerplate.set_aside import all_seeds, joined, mask_of, runs_of, set_aside_in
from matcher.cases.case_rule import DEFAULT_RULE, CaseRule
from matcher.comparison.compare_pair import PreparedQuery
from matcher.discounts.units_within import units_within
from matcher.judgement.judge import Judgement, judge_beside_edges
from matcher.judgement.overlap import overlap_of
from matcher.provenance.page_facts import facts_of_page
from storage.cases import set_aside_cases
from storage.fingerprints import set_aside as stored
from storage.pages import pages, text_pages
from storage.records.case_states import WAITING_STATES
from storage.types import SetAsideScope, SiteRole

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

    from storage.records.candidates import BoilerplateRun
    from storage.records.pages import PageRecord
    from storage.records.set_aside import NewSetAside, StoredPair

JUDGED: Final = 500
"""Hits that are judged again at once, some seconds of work; of more, the next comparison decides."""
READ_TEXTS: Final = 5_000
"""Texts that hold a seed of the text and whose hits are asked for."""
READ_ARTICLES: Final = 300
"""Of these, those that are looked at for being an article of ours of which the text is a large part."""
LARGE_PART: Final = 1 / 3
"""Share of an article of ours from which a second confirmation is asked for."""
ARTICLES_SHOWN: Final = 20
KEPT_TEXTS: Final = 64
"""Texts whose fingerprints are kept while the hits are judged."""


@dataclass(frozen=True, slots=True)
class PairEffect:
    """A stored hit, and what is left of it. `share`: how much of what it shares is in the text, 0…1."""

    stored: "StoredPair"
    low: "PageRecord"
    high: "PageRecord"
    share: float
    is_hit: bool
    """Whether the rest is still a match."""
    is_case: bool
    """Whether the rest is still enough for a case."""

    @property
    def ours(self) -> "PageRecord":
        """Return our page of its case; without a case the page on an original site, else the low one."""
        if self.stored.our_page_id is not None:
            return self.low if self.stored.our_page_id == self.low.id else self.high
        return self.high if self.high.role is SiteRole.ORIGINAL and self.low.role is not SiteRole.ORIGINAL else self.low

    @property
    def theirs(self) -> "PageRecord":
        return self.high if self.ours is self.low else self.low

    @property
    def takes_case(self) -> bool:
        """Return whether the page leaves an undecided case."""
        return self.stored.case_state in WAITING_STATES and not self.is_case

    @property
    def rests(self) -> bool:
        """Return whether it is in a decided case that stays though nothing else carries it."""
        return self.stored.case_id is not None and not self.is_case and not self.takes_case


@dataclass(frozen=True, slots=True)
class LargePart:
    """An article of ours of which the text is a large part. `share`: 0…1 of the article."""

    page: "PageRecord"
    share: float


@dataclass(frozen=True, slots=True)
class Effect:
    """What setting a text aside would do. `pairs`: the hits that hold it. `is_cut`: whether there are more."""

    pairs: tuple[PairEffect, ...]
    is_cut: bool
    texts: int
    """Stored texts that hold some of it."""
    large_parts: tuple[LargePart, ...]
    """The articles of ours of which it is more than LARGE_PART, the largest part first."""

    @property
    def hits_gone(self) -> int:
        return sum(not one.is_hit for one in self.pairs)

    @property
    def cases_gone(self) -> tuple[int, ...]:
        """Return the ids of the undecided cases that lose a page, ascending."""
        return tuple(sorted({one.stored.case_id for one in self.pairs if one.takes_case and one.stored.case_id}))

    @property
    def cases_resting(self) -> tuple[int, ...]:
        """Return the ids of the decided cases that would rest on it, ascending."""
        return tuple(sorted({one.stored.case_id for one in self.pairs if one.rests and one.stored.case_id}))


def effect_of(session: "Session", new: "NewSetAside", *, rule: CaseRule = DEFAULT_RULE, bound: int = JUDGED) -> Effect:
    """Judge the hits of a text again as if it were set aside. Raises CannotSetAside."""
    runs = runs_of(new.body, set_aside_id=0, site_id=new.site_id, owner_key=new.owner_key)
    holding = stored.texts_holding(session, all_seeds(new.body), bound=READ_TEXTS)
    found = set_aside_cases.pairs_of_texts(session, holding, bound=bound + 1)
    work = _Judging(session, found, runs, new, rule)
    judged = [effect for pair in found[:bound] if (effect := work.effect_of(pair)) is not None]
    judged.sort(key=lambda one: (not one.takes_case, not one.rests, one.is_hit, -one.share, one.stored.hit_id))
    return Effect(tuple(judged), len(found) > bound, len(holding), _large_parts(session, holding, runs))


class _Judging:
    """Judges stored pairs with and without the text."""

    def __init__(
        self,
        session: "Session",
        found: Sequence["StoredPair"],
        runs: Sequence["BoilerplateRun"],
        new: "NewSetAside",
        rule: CaseRule,
    ) -> None:
        self._bodies = pages.text_bodies(session, {id_ for one in found for id_ in (one.low_text_id, one.high_text_id)})
        self._pages = pages.pages_by_id(session, {id_ for one in found for id_ in (one.low_page_id, one.high_page_id)})
        self._runs, self._new, self._rule = runs, new, rule
        self._analysed = lru_cache(maxsize=KEPT_TEXTS)(self._analyse)

    def _analyse(self, text_id: int) -> Analysis:
        return analyse(self._bodies[text_id])

    def effect_of(self, pair: "StoredPair") -> PairEffect | None:
        """Return the effect on a pair; None if the scope leaves it alone or nothing it shares is in the text."""
        low, high = self._pages.get(pair.low_page_id), self._pages.get(pair.high_page_id)
        if low is None or high is None or not {pair.low_text_id, pair.high_text_id} <= self._bodies.keys():
            return None
        if not (self._is_in_scope(low) or self._is_in_scope(high)):
            return None
        left, right = self._analysed(pair.low_text_id), self._analysed(pair.high_text_id)
        codes = left.initials.codes
        there = mask_of(codes, self._runs)
        spans = [(one.left_start, one.left_end) for one in pair.passages if not one.is_boilerplate]
        proving = units_within(left.initials, spans)
        if not (there & proving).any():
            return None
        judgement = self._judged(pair, low, left, right)
        is_case = judgement.is_match and self._is_case(pair, judgement)
        return PairEffect(
            pair,
            *(low, high),
            share=float((there & proving).sum() / proving.sum()),
            is_hit=judgement.is_match,
            is_case=is_case,
        )

    def _is_in_scope(self, page: "PageRecord") -> bool:
        if self._new.scope is SetAsideScope.SITE:
            return page.site_id == self._new.site_id
        return self._new.scope is SetAsideScope.EVERYWHERE or page.owner_key == self._new.owner_key

    def _judged(self, pair: "StoredPair", low: "PageRecord", left: Analysis, right: Analysis) -> Judgement:
        """Return the judgement without the text, by the thresholds by which the pair was a match."""
        known = _known_boilerplate(pair, left)
        query = PreparedQuery(left, facts_of_page(low, left.canonical.source), known)
        is_reordered = pair.shared_slices > 0
        if not query.judge(right.initials, may_be_reordered=is_reordered).is_match:
            query = PreparedQuery(left, query.facts, known, judge_pair=judge_beside_edges)
        grams = [one.grams for one in set_aside_in(left.initials.codes, self._runs)]
        without = PreparedQuery(left, query.facts, joined(known, grams), judge_pair=query.judge_pair)
        return without.judge(right.initials, may_be_reordered=is_reordered)

    def _is_case(self, pair: "StoredPair", judgement: Judgement) -> bool:
        """Return whether the rest is enough for a case."""
        is_low_ours = pair.our_page_id == pair.low_page_id
        seen = judgement if is_low_ours else judgement.mirrored()
        length = len(self._bodies[pair.low_text_id if is_low_ours else pair.high_text_id])
        overlap = overlap_of(seen.passages, length, their_share=seen.right_share)
        rule = self._rule
        return overlap.chars >= rule.min_chars or max(overlap.our_share, overlap.their_share) >= rule.min_share


def _known_boilerplate(pair: "StoredPair", left: Analysis) -> Grams:
    """Return the grams of what counted as boilerplate when the pair was judged."""
    spans = [(one.left_start, one.left_end) for one in pair.passages if one.is_boilerplate]
    if not spans:
        return gram_index(())
    codes, mask = left.initials.codes, units_within(left.initials, spans)
    return gram_index(codes[start : start + length].tobytes() for start, length in true_stretches(mask))


def _large_parts(
    session: "Session", text_ids: Collection[int], runs: Sequence["BoilerplateRun"]
) -> tuple[LargePart, ...]:
    """Return the articles of ours among these texts of which a large part is set aside."""
    held = text_pages.pages_of_texts(session, list(text_ids)[:READ_ARTICLES], per_text=1)
    ours = {text_id: found[0] for text_id, found in held.items() if found[0].role is SiteRole.ORIGINAL}
    found = []
    for text_id, body in pages.text_bodies(session, ours).items():
        codes = to_initials(canonicalize(body)).codes
        share = float(mask_of(codes, runs).mean()) if len(codes) else 0.0
        if share > LARGE_PART:
            found.append(LargePart(ours[text_id], share))
    found.sort(key=lambda one: (-one.share, one.page.id))
    return tuple(found[:ARTICLES_SHOWN])
