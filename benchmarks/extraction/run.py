"""Reads every labelled page with each reader."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path

from benchmarks.extraction import corpus, dates, readers
from benchmarks.extraction.corpus import LabelledPage
from benchmarks.extraction.dates import DateResult
from benchmarks.extraction.grams import Missing, Score, missing, recall_taken, recall_within_lines, score
from crawler.outcomes.refusals import Refusal


@dataclass(frozen=True, slots=True)
class Options:
    """`per_site`: pages of each site. `hand_dates`: dates labelled by hand, by the end of a page's path."""

    per_site: int = 26
    has_baselines: bool = True
    hand_dates: Mapping[str, date] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class PageResult:
    """`found`: whether there was any text. `home`: recall of all that is extracted, within the gold's lines.
    `clean_recall`: of the text alone, on the gold without furniture, within lines. `refusal`: see `Taken`.
    """

    kind: str
    reader: str
    page: LabelledPage
    score: Score
    home: float
    clean_recall: float
    found: bool
    missing: Missing
    refusal: Refusal | None
    listings: float | None
    """Share of the words of listings on the page that was found; None if there are none."""


@dataclass(frozen=True, slots=True)
class Measured:
    pages: tuple[PageResult, ...]
    refusals: Mapping[LabelledPage, Refusal | None]
    """Refusals of pages that hold no article; None for a page on which one was found."""
    dates: tuple[DateResult, ...]


def measure(data: Path, options: Options) -> Measured:
    """Reads the labelled pages of a Chinese corpus in the folder `data`."""
    news, sites = corpus.news_pages(data), corpus.site_pages(data, per_site=options.per_site)
    used = {"own": readers.own} | (dict(readers.BASELINES) if options.has_baselines else {})
    results = [
        result
        for kind, pages in (("news", news), ("sites", sites), ("english", corpus.english_pages(data)))
        for page in pages
        for result in _results(kind, page, used)
    ]
    others = corpus.pages_without_article(data, per_site=options.per_site)
    return Measured(
        tuple(results),
        {page: readers.refusal_of(page) for page in others},
        tuple(dates.checked([*news, *sites], by_hand=options.hand_dates)),
    )


def _results(kind: str, page: LabelledPage, used: Mapping[str, readers.Reader]) -> Iterator[PageResult]:
    left_out, listings = readers.left_out_of_gold(page), readers.listings_of(page)
    for name, read in used.items():
        taken = read(page)
        text = taken.text
        yield PageResult(
            kind,
            name,
            page,
            score(text, page.gold, left_out=left_out),
            recall_taken((text, *taken.beside), page.gold),
            recall_within_lines(text, page.article),
            bool(text),
            missing(text, page.gold, article=page.article),
            taken.refusal,
            recall_within_lines(text, listings) if listings else None,
        )
