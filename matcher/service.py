"""The three questions: is this text original (check), who shares text with this page (match), and why (explain)."""

import time
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property
from typing import TYPE_CHECKING, Final

from fingerprint.compute import Analysis, analyse
from fingerprint.initials import to_initials
from fingerprint.normalize import canonicalize
from matcher.align import Grams, Prepared, prepare
from matcher.candidates import ALIGNED, Candidate, Found, find_candidates
from matcher.credit import CreditFound, credit_given
from matcher.direction import Direction, direction_between
from matcher.facts import PageFacts, facts_of_article, facts_of_page
from matcher.former import is_outdated, places_of
from matcher.judge import DEFAULT_THRESHOLDS, Judgement, judge, kind_of, union_share
from matcher.learning import boilerplate_grams, judge_runs, keep_verdicts
from matcher.listings import entries_of_index, is_entry
from matcher.mosaic import own_shares, parts_of_mosaic
from matcher.reorder import reconsider
from matcher.trails import Places, Trails
from matcher.wear import wear_of
from storage import candidates as stored_candidates
from storage import pages, recompute, reports
from storage.candidates import NO_TEXT
from storage.records import NewArticle, PageRecord, StoredText
from storage.types import MatchKind

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

PAGES_PER_TEXT: Final = 12
"""Pages of one text that are looked at, first seen first: enough for its origin and the nearest others."""

COPY_SHARE: Final = 0.5
"""From this share on a text that is checked is called a copy, below it borrows."""


LOOKED_BACK: Final = 4
"""Pages of which it is seen whether they are an index: each costs a comparison of its own."""
GROUP: Final = 12
"""Candidates whose texts are fetched at once."""


class NothingToCompareWith(Exception):  # reads as what it says
    """The store is empty, or its texts wait for their fingerprints."""


@dataclass(frozen=True, slots=True)
class Compared:
    """One stored text against the one asked about (left), with a page that holds it."""

    candidate: Candidate
    stored: StoredText
    pages: tuple[PageRecord, ...]
    """Pages that hold it, first seen first; direction and credit are those of the first."""
    other_pages: int
    judgement: Judgement
    kind: MatchKind
    direction: Direction
    credit: CreditFound
    own_share: float = 0.0
    """Of the text asked about, what is from this one and none that explains more: shares add up to at most 1."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """`found`: the texts that share enough, surest first. `cut`: how many candidates bounds left out."""

    found: list[Compared]
    aligned: frozenset[int]
    """Texts that were aligned with the one asked about."""
    listed: frozenset[int]
    """Texts that share first lines with it as a list page does, on either side: enough is shared, nothing copied."""
    left_out: frozenset[int]
    """Candidates that were not judged: nothing is known of them, for or against."""
    cut: int


@dataclass(frozen=True, eq=False)
class _Asking:
    """The text asked about, made ready for many comparisons, and what proves nothing in it."""

    text: Analysis
    facts: PageFacts
    boilerplate: Grams

    @cached_property
    def prepared(self) -> Prepared:
        return prepare(self.text.initials.codes)


@dataclass(frozen=True, slots=True)
class Beside:
    """A text that is compared too although it stands on no page: `page` says whose it is, as if it stood on one."""

    candidate: Candidate
    stored: StoredText
    page: PageRecord


@dataclass(frozen=True, slots=True)
class ComparedWith:
    texts: int
    sites: int
    newest: datetime | None


@dataclass(frozen=True, slots=True)
class CheckResult:
    """`cut` is how many further candidates or matches a bound left out."""

    chars: int
    elapsed_ms: float
    verdict: str
    compared_with: ComparedWith
    matches: tuple[Compared, ...]
    candidates: int
    """How many stored texts were aligned with it."""
    cut: int


def compared_with(session: "Session") -> ComparedWith:
    """What a check is made against. Raises NothingToCompareWith on an empty store, and on one that a new version of
    the program has not yet read: what has no fingerprint cannot be found, and "original" would be a guess.
    """
    if waiting := recompute.waiting(session):
        message = f"{waiting} stored texts wait for the fingerprint of this version. Make them with: zhiwen recompute"
        raise NothingToCompareWith(message)
    known = reports.summary(session)
    if not known.texts:
        message = "The store is empty: there is nothing to compare with. Import articles or crawl a site first."
        raise NothingToCompareWith(message)
    return ComparedWith(known.texts, known.sites, known.newest)


def check(
    session: "Session",
    article: NewArticle,
    *,
    against: ComparedWith,
    bound: int = 50,
    beside: Callable[[Analysis], Sequence[Beside]] | None = None,
) -> CheckResult:
    """Compares a text with everything stored and stores nothing. `beside` names further texts, once it is analysed."""
    started = time.perf_counter()
    asked = analyse(article.text)
    more = () if beside is None else beside(asked)
    comparison = compare_with_store(
        session, asked, facts_of_article(article), article.text, beside=more, learning=False
    )
    compared = comparison.found
    shown = tuple(_with_page_count(session, found) for found in compared[:bound])
    return CheckResult(
        chars=len(article.text),
        elapsed_ms=round((time.perf_counter() - started) * 1_000, 2),
        verdict=_verdict(asked, compared, len(article.text)),
        compared_with=against,
        matches=shown,
        candidates=len(comparison.aligned),
        cut=comparison.cut + len(compared) - len(shown),
    )


def _with_page_count(session: "Session", found: Compared) -> Compared:
    if len(found.pages) < PAGES_PER_TEXT:
        return found
    return replace(found, other_pages=pages.count_pages_of_text(session, found.stored.id) - 1)


def _verdict(asked: Analysis, compared: Sequence[Compared], length: int) -> str:
    if compared:
        passages = [passage for item in compared for passage in item.judgement.passages]
        return "copy" if union_share(passages, length) >= COPY_SHARE else "borrowed"
    # Where no gate can be passed, "original" would be a guess.
    can_match = len(asked.initials) >= DEFAULT_THRESHOLDS.whole_proof and not asked.fingerprint.too_short
    return "original" if can_match else "cannot_judge"


def compare_with_store(
    session: "Session",
    asked: Analysis,
    facts: PageFacts,
    text: str,
    *,
    self_id: int = NO_TEXT,
    not_owner: str | None = None,
    also: Collection[int] = (),
    site_ids: Collection[int] = (),
    beside: Sequence[Beside] = (),
    learning: bool = True,
    look_back: bool = True,
) -> Comparison:
    """Compares `asked` with every stored text that may share something with it.

    `learning`: the verdicts on repeated runs met on the way are kept; without it they serve once, nothing is written.
    `not_owner`: texts that only this owner publishes are passed over. `also`: texts to judge whatever they share.
    `beside`: texts that the caller holds; they are judged like those of the store.
    """
    found = find_candidates(session, asked, self_id=self_id)
    verdicts = judge_runs(session, found.frequencies)
    if learning:
        keep_verdicts(session, verdicts)
    candidates = _in_order(asked, found, self_id=self_id, also=also)
    places = places_of(session, [item.text_id for item in candidates], facts, per_text=PAGES_PER_TEXT)
    others = _other_owners(candidates, places.pages, facts.url, not_owner)
    sites = {page.site_id for _, held in others for page in held if page.site_id is not None}
    grams = boilerplate_grams(session, asked.asked_seeds.hashes.tolist(), sites | set(site_ids), also=verdicts)
    asking = _Asking(asked, facts, grams)
    aligned, compared = _follow(session, asking, others)
    compared += [kin for held in beside if (kin := _compare(asking, held.candidate, held.stored, [held.page]))]
    if places.former:
        compared = [item for item in compared if not is_outdated(item, compared, places)]
    entries = entries_of_index([item.judgement.passages for item in compared])
    listed = frozenset(compared[number].stored.id for number in entries)
    if look_back:
        listed |= _indexes(session, [item for item in compared if item.stored.id not in listed])
    compared = [item for item in compared if item.stored.id not in listed]
    compared.sort(key=lambda item: (-item.judgement.score, item.stored.id))
    return Comparison(
        found=_with_mosaic(compared, len(text)),
        aligned=aligned | {held.stored.id for held in beside},
        listed=listed,
        left_out=frozenset(candidate.text_id for candidate, _ in others) - aligned,
        cut=found.cut + len(others) - len(aligned),
    )


def _indexes(session: "Session", kin: Sequence[Compared]) -> frozenset[int]:
    """Those that have no more than first lines of the text asked about, as they have of many others."""
    suspects = [
        item
        for item in kin
        if item.judgement.right_share < COPY_SHARE and is_entry([one.swapped() for one in item.judgement.passages])
    ]
    return frozenset(item.stored.id for item in suspects[:LOOKED_BACK] if _is_index(session, item))


def _is_index(session: "Session", item: Compared) -> bool:
    page, text = item.pages[0], item.stored.body
    comparison = compare_with_store(
        session, analyse(text), facts_of_page(page, text), text,
        self_id=item.stored.id, not_owner=page.owner_key, learning=False, look_back=False,
    )  # fmt: skip
    return bool(comparison.listed)


def _in_order(asked: Analysis, found: Found, *, self_id: int, also: Collection[int]) -> list[Candidate]:
    """The candidates, best first; before them what must not be pushed out by a crowd of near copies: the same text on
    other pages, which is the surest find, and texts that are to be judged whatever they share.
    """
    ranked = {candidate.text_id: candidate for candidate in found.candidates}
    first = [Candidate(self_id, 1.0, len(asked.fingerprint.seeds), 0, 0)] if self_id != NO_TEXT else []
    first += [
        replace(ranked[text_id], places=frozenset()) if text_id in ranked else Candidate(text_id, 0.0, 0, 0, None)
        for text_id in sorted(also)
        if text_id != self_id
    ]
    named = {candidate.text_id for candidate in first}
    return first + [candidate for candidate in found.candidates if candidate.text_id not in named]


def _follow(
    session: "Session", asking: _Asking, others: Sequence[tuple[Candidate, list[PageRecord]]]
) -> tuple[frozenset[int], list[Compared]]:
    """Aligns up to ALIGNED of the candidates, but none for a place that leads nowhere. Returns which, and kin."""
    trails, where = Trails(), Places(asking.text)
    aligned: set[int] = set()
    kin: list[Compared] = []
    waiting = list(others)
    while waiting and len(aligned) < ALIGNED:
        group = [item for item in waiting[:GROUP] if not item[0].places or trails.leads_on(item[0].places)][
            : ALIGNED - len(aligned)
        ]
        waiting = waiting[GROUP:]
        texts = stored_candidates.texts_by_id(session, [candidate.text_id for candidate, _ in group])
        for candidate, held in group:
            result = _compare(asking, candidate, texts[candidate.text_id], held)
            kin_at = where.of_passages(result.judgement.passages) if result is not None else ()
            trails.followed(candidate.places, kin_at=kin_at)
            aligned.add(candidate.text_id)
            if result is not None:
                kin.append(result)
    return frozenset(aligned), kin


def _with_mosaic(compared: list[Compared], length: int) -> list[Compared]:
    copied = [item for item in compared if not item.direction.left_is_source]
    sources = [item.judgement.passages for item in copied]
    mosaic = {copied[number].stored.id for number in parts_of_mosaic(sources, length)}
    own = {item.stored.id: share for item, share in zip(copied, own_shares(sources, length), strict=True)}
    return [
        replace(
            item,
            kind=MatchKind.MOSAIC if item.stored.id in mosaic else item.kind,
            own_share=own.get(item.stored.id, 0.0),
        )
        for item in compared
    ]


def _other_owners(
    candidates: Sequence[Candidate], places: Mapping[int, list[PageRecord]], url: str, not_owner: str | None
) -> list[tuple[Candidate, list[PageRecord]]]:
    """The candidates with their pages, less the page itself and its owner's; those left without a page are out."""
    kept = []
    for candidate in candidates:
        held = [page for page in places.get(candidate.text_id, ()) if page.url != url and page.owner_key != not_owner]
        if held:
            kept.append((candidate, held))
    return kept


def _compare(asking: _Asking, candidate: Candidate, stored: StoredText, held: list[PageRecord]) -> Compared | None:
    asked, facts = asking.text, asking.facts
    other = to_initials(canonicalize(stored.body))
    judgement = judge(asked.initials, other, boilerplate=asking.boilerplate, prepared=asking.prepared)
    if candidate.shared_slices:
        judgement = reconsider(judgement, asked, other, boilerplate=asking.boilerplate)
    if not judgement.is_match:
        return None
    page = held[0]
    known = facts_of_page(page, stored.body)
    direction = direction_between(facts, known, wear_of(judgement, asked.canonical.source, stored.body))
    return Compared(
        candidate=candidate,
        stored=stored,
        pages=tuple(held),
        other_pages=len(held) - 1,
        judgement=judgement,
        kind=MatchKind.SCRAMBLED
        if judgement.is_scrambled
        else kind_of(*_copy_first(judgement, direction), judgement.passages),
        direction=direction,
        credit=credit_between(facts, known, direction),
    )


def _copy_first(judgement: Judgement, direction: Direction) -> tuple[float, float]:
    shares = (judgement.left_share, judgement.right_share)
    return (shares[1], shares[0]) if direction.left_is_source else shares


def credit_between(left: PageFacts, right: PageFacts, direction: Direction) -> CreditFound:
    return credit_given(right, left) if direction.left_is_source else credit_given(left, right)
