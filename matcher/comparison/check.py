"""The check: compares one text with the store, storing nothing."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING, Final

from fingerprint.compute import Analysis, analyse
from matcher.comparison.compare_pair import Beside, Compared
from matcher.comparison.compare_with_store import COPY_SHARE, compare_with_store
from matcher.comparison.query import Query
from matcher.comparison.store_reader import PAGES_PER_TEXT
from matcher.judgement.gates import DEFAULT_THRESHOLDS
from matcher.judgement.judge import union_share
from matcher.provenance.page_facts import facts_of_article
from storage.analytics import row_counts
from storage.pages import text_pages
from storage.records.pages import NewArticle, PageRecord

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

PAGES_NAMED: Final = 50
"""Pages of one text that a result lists."""


class NothingToCompareWith(Exception):  # reads as what it says
    """The store is empty, or none of its texts has a fingerprint of this version."""


@dataclass(frozen=True, slots=True)
class ComparedWith:
    """The texts that a check was made against. `waiting`: further texts without a fingerprint of this version, which
    cannot be found. `is_estimate`: the numbers are estimates, since counting takes too long for a check.
    """

    texts: int
    sites: int
    newest: datetime | None
    waiting: int = 0
    is_estimate: bool = False


@dataclass(frozen=True, slots=True)
class CheckResult:
    """`cut`: number of further candidates or matches that a bound left out."""

    chars: int
    elapsed_ms: float
    verdict: str
    compared_with: ComparedWith
    matches: tuple[Compared, ...]
    candidates: int
    """Number of stored texts that were aligned."""
    cut: int


def compared_with(session: "Session") -> ComparedWith:
    """Return what a check is made against. Raises NothingToCompareWith if the store is empty, or none of its texts has
    a fingerprint of this version.
    """
    known = row_counts.check_basis(session)
    if not known.texts.number:
        message = "The store is empty: there is nothing to compare with. Import articles or crawl a site first."
        raise NothingToCompareWith(message)
    waiting = known.waiting.number
    if not known.is_readable:
        message = f"{waiting} stored texts wait for the fingerprint of this version. Make them with: zhiwen recompute"
        raise NothingToCompareWith(message)
    texts = max(1, known.texts.number - waiting)
    return ComparedWith(texts, known.sites.number, known.newest, waiting, known.is_estimate)


def check(
    session: "Session",
    article: NewArticle,
    *,
    against: ComparedWith,
    bound: int = 50,
    beside: Callable[[Analysis], Sequence[Beside]] | None = None,
) -> CheckResult:
    """Compare a text with everything stored, storing nothing. `beside` returns further texts to compare.

    Raises NothingToCompareWith. The result's matches are ordered by likelihood; offsets are code points of `text`.
    """
    started = time.perf_counter()
    asked = analyse(article.text)
    more = () if beside is None else beside(asked)
    comparison = compare_with_store(session, Query(asked, facts_of_article(article), beside=more))
    compared = comparison.found
    shown = _with_all_pages(session, compared[:bound])
    return CheckResult(
        chars=len(article.text),
        elapsed_ms=round((time.perf_counter() - started) * 1_000, 2),
        verdict=_verdict(asked, compared, len(article.text), is_all_read=not against.waiting),
        compared_with=against,
        matches=shown,
        candidates=len(comparison.search.prepared_query.judged),
        cut=comparison.cut + len(compared) - len(shown),
    )


def _with_all_pages(session: "Session", compared: Sequence[Compared]) -> tuple[Compared, ...]:
    """Add the pages that hold each text, up to PAGES_NAMED, and their total number."""
    many = [found.stored.id for found in compared if len(found.pages) >= PAGES_PER_TEXT]
    if not many:
        return tuple(compared)
    held = text_pages.pages_of_texts(session, many, per_text=PAGES_NAMED)
    totals = text_pages.count_pages_of_texts(session, many)
    return tuple(
        _with_pages(found, held[found.stored.id], totals.get(found.stored.id, 0)) if found.stored.id in held else found
        for found in compared
    )


def _with_pages(found: Compared, held: Sequence[PageRecord], total: int) -> Compared:
    pages, other_pages = _named(found.pages, held, total)
    return replace(found, pages=pages, other_pages=other_pages)


def _named(known: Sequence[PageRecord], held: Sequence[PageRecord], total: int) -> tuple[tuple[PageRecord, ...], int]:
    """Add pages after the first, which stays: direction and credit refer to it. `total`: all that hold the text now."""
    named = tuple({page.id: page for page in (*known, *held)}.values())[:PAGES_NAMED]
    return named, max(len(named), total) - 1


def pages_named(session: "Session", text_id: int, known: Sequence[PageRecord]) -> tuple[tuple[PageRecord, ...], int]:
    """Return the pages that hold a text, the first of the `known` ones first, up to PAGES_NAMED, and how many there are
    beside the first.
    """
    if len(known) < PAGES_PER_TEXT:
        return tuple(known), len(known) - 1
    held = text_pages.pages_of_texts(session, [text_id], per_text=PAGES_NAMED)
    totals = text_pages.count_pages_of_texts(session, [text_id])
    return _named(known, held.get(text_id, []), totals.get(text_id, 0))


def _verdict(asked: Analysis, compared: Sequence[Compared], length: int, *, is_all_read: bool) -> str:
    if compared:
        passages = [passage for item in compared for passage in item.judgement.passages]
        return "copy" if union_share(passages, length) >= COPY_SHARE else "borrowed"
    # If no gate can be passed, or the source may be among the texts not yet read, "original" would be a guess.
    can_match = (
        is_all_read and len(asked.initials) >= DEFAULT_THRESHOLDS.whole_proof and not asked.fingerprint.too_short
    )
    return "original" if can_match else "cannot_judge"
