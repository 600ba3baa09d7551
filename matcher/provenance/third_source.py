"""The common third source: whether two texts share because both took from a third one, and neither from the other.

A third text explains what two texts share if it has or says all of it, is not later than they are, and they share no
more beyond it than independent writers do. What the measures are and on what they were measured: docs/meaning.md.
Pure.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from matcher.provenance.direction import direction_between
from matcher.provenance.nearest_texts import is_between
from matcher.provenance.page_facts import PageFacts
from matcher.provenance.shared_wording import Departures, Spans, cover_of, departures_shared, wording_shared
from matcher.provenance.translation_signs import sign_of_original
from storage.matches.direction_reasons import Reason, ReasonCode
from storage.types import Relation

COVER: Final = 0.8
"""Share of what two texts share that the third must share too, where all of it is shared literally."""
COVER_BY_MEANING: Final = 0.5
"""The same where sentences are paired by meaning: every third sentence has no pair even in a faithful translation."""
SURE: Final = 0.7
"""Confidence of a direction from which it is evidence: an earlier sighting. Against an original of ours it takes a date
besides."""
AGAINST: Final = 0.7
"""Confidence from which a page that has the text later than one of the two is no third source."""
COPIED_RATE: Final = 0.4
"""Share of the free wording in common runs from which it is copied. Of 13 pairs of second translations the greatest
was .37 and the next .31; of 637 disguised copies of a translation 22 had less, and all of these a dense paragraph."""
COPIED_DENSE: Final = 0.6
"""The same within the densest 150 units: a paragraph copied into another text. Second translations have up to .55."""
FEWEST_PLACES: Final = 3
"""Shared departures from the third that prove copying beyond it: one or two may be errors that both corrected."""
SHARED_PLACES: Final = 0.15
"""Share of the departures from which they are those of the other text: a copier takes over most of them, and one who
edits what he copies a third. Independent copies of one text share up to a twentieth."""
LONG_PLACE: Final = 16
"""Units of a single shared departure that proves copying: as the least block of an alignment."""
ELSEWHERE_RATE: Final = 0.3
"""Greatest `COPIED_RATE` of two translations whose original is not stored. Of 250 translations and their published
revisions 2 have less."""
KEPT_PAIRS: Final = 64
"""Pairs of texts whose departures are cached."""
WHOLE: Final = 0.5
"""Share of both texts that runs parallel in two translations of one article."""
LOOSE: Final = 0.85
"""Greatest similarity of the passages of two translations: second translations have .59 to .76."""


@dataclass(frozen=True, slots=True, eq=False)
class Related:
    """A text that shares something with the query text. `facts`: of its page, with its text. `spans`: what they share,
    in code points of the query text; `own_spans`: of this text. `language`: as far as known. `similarity`: of literal
    passages, 0…1.
    """

    facts: PageFacts
    spans: Spans
    own_spans: Spans
    page_id: int | None = None
    by_meaning: bool = False
    language: str = ""
    similarity: float = 1.0


@dataclass(frozen=True, slots=True, eq=False)
class RelationFound:
    """`third`: the text that both have it from; None with `BOTH_FROM_THIRD` if it is not stored."""

    relation: Relation
    third: Related | None = None
    reasons: tuple[str, ...] = ()

    @property
    def third_page_id(self) -> int | None:
        return None if self.third is None else self.third.page_id

    @property
    def third_url(self) -> str | None:
        return None if self.third is None else self.third.facts.url


COPY: Final = RelationFound(Relation.COPY)


def relation_of(query: PageFacts, other: Related, thirds: Iterable[Related], *, language: str = "") -> RelationFound:
    """Return how the query text and another are related, in view of all texts that share something with the query.

    `language`: of the query text. With a copy, the reason says what both share beyond a third text, if there is one.
    """
    rejected: list[str] = []
    for third in sorted(thirds, key=lambda one: -cover_of(other.spans, one.spans)):
        if not _may_explain(query, other, third):
            continue
        by_meaning = third.by_meaning or other.by_meaning
        beyond = _beyond_meaning(query, other, third, language) if by_meaning else _beyond_wording(query, other, third)
        if beyond is None:
            continue
        if isinstance(beyond, _Explained):
            return RelationFound(Relation.BOTH_FROM_THIRD, third, (beyond.reason,))
        rejected.append(beyond)
    if rejected:
        return RelationFound(Relation.COPY, None, tuple(rejected[:1]))
    return _from_elsewhere(query, other)


@dataclass(frozen=True, slots=True)
class _Explained:
    reason: Reason


def _may_explain(query: PageFacts, other: Related, third: Related) -> bool:
    """Return whether it is another owner's text with what both share, and no later than both as far as known."""
    owners, urls = (query.owner_key, other.facts.owner_key), (query.url, other.facts.url)
    if third is other or third.facts.url in urls or third.facts.owner_key in owners:
        return False
    needed = COVER_BY_MEANING if third.by_meaning or other.by_meaning else COVER
    if cover_of(other.spans, third.spans) < needed:
        return False
    return all(lead > -AGAINST for lead in _leads(query, other, third))


def _leads(query: PageFacts, other: Related, third: Related) -> Iterator[float]:
    """Yield the confidence that the third page is the source of each page; negative: that it is the copy."""
    for page in (query, other.facts):
        found = direction_between(third.facts, page)
        yield found.confidence if found.left_is_source else -found.confidence


def _beyond_wording(query: PageFacts, other: Related, third: Related) -> "_Explained | str | None":
    """Compare three texts that share literally. None: not known whether the third was first."""
    if min(_leads(query, other, third)) < SURE:
        return None
    sides = (query.text, other.facts.text, other.spans), (other.facts.text, query.text, other.own_spans)
    for left, right, spans in sides:
        found = _departures(left, right, tuple(spans), third.facts.text)
        if _proves_copying(found):
            return Reason(ReasonCode.BEYOND_THIRD, page=third.facts.url, count=found.shared)
    return _Explained(Reason(ReasonCode.THIRD_HAS_ALL, page=third.facts.url))


@lru_cache(maxsize=KEPT_PAIRS)
def _departures(left: str, right: str, spans: tuple[tuple[int, int], ...], third: str) -> Departures:
    """Return `departures_shared`: several pages hold one text, and a pair is judged for the hit and for its case."""
    return departures_shared(left, right, spans, third)


def _proves_copying(found: Departures) -> bool:
    many = found.shared >= FEWEST_PLACES and found.shared >= SHARED_PLACES * found.places
    return many or found.longest >= LONG_PLACE


def _beyond_meaning(query: PageFacts, other: Related, third: Related, language: str) -> "_Explained | str | None":
    """Compare the wording of two texts that say what the third says. None: the third may be a copy of either."""
    is_sure = min(_leads(query, other, third)) >= SURE
    languages = [one.language if one.by_meaning else language for one in (other, third)]  # wording is of one language
    texts = query.text, other.facts.text, third.facts.text
    if languages[0] != language and not is_sure:
        return None  # of an original and two translations the one in the other language is the third
    if languages == [language, language] and not is_between(*texts, is_first=is_sure):
        return None
    found = wording_shared(*texts[:2], (other.spans, other.own_spans), third.facts.text)
    percent = round(100 * found.rate)
    if found.rate >= COPIED_RATE or found.densest >= COPIED_DENSE:
        return Reason(ReasonCode.WORDED_BEYOND_THIRD, page=third.facts.url, count=percent)
    return _Explained(Reason(ReasonCode.THIRD_SAYS_ALL, page=third.facts.url, count=percent))


def _from_elsewhere(query: PageFacts, other: Related) -> RelationFound:
    """Tell two translations of an article that is not stored: parallel as wholes, worded independently, and foreign."""
    if other.similarity > LOOSE or not _is_whole(query, other):
        return COPY
    sign = sign_of_original(query, other.facts, both_must_name=other.by_meaning)
    if not sign:
        return COPY
    found = wording_shared(query.text, other.facts.text, (other.spans, other.own_spans))
    if found.rate >= ELSEWHERE_RATE or found.densest >= COPIED_DENSE:
        return COPY
    reason = Reason(ReasonCode.ELSEWHERE, count=round(100 * found.rate), evidence=sign)
    return RelationFound(Relation.BOTH_FROM_THIRD, None, (reason,))


def _is_whole(query: PageFacts, other: Related) -> bool:
    """Return whether most of both texts is parallel."""
    sides = (other.spans, query.text), (other.own_spans, other.facts.text)
    return all(sum(end - start for start, end in spans) >= WHOLE * len(text) > 0 for spans, text in sides)
