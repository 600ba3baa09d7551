"""Reads pages of the web at large with each reader: how well and how fast."""

import time
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Final, TypeAlias

from benchmarks.extraction.agreement import is_same_author, is_same_day, is_same_language, is_same_title
from benchmarks.extraction.held_labels import is_held
from benchmarks.extraction.other_python import OtherPython
from benchmarks.extraction.text_scores import Sentences, TextScore, score_for
from benchmarks.extraction.web_pages import WebPage
from benchmarks.extraction.web_readers import READERS, Read, WebReader
from crawler.extraction.html.charset import decode

FIELDS: Final[Mapping[str, Callable[[str, str], bool]]] = {
    "title": is_same_title,
    "author": is_same_author,
    "date": is_same_day,
    "language": is_same_language,
}
"""Metadata that have labels, and what is right."""

Timed: TypeAlias = Callable[[WebPage, bytes], tuple[Read, float]]


@dataclass(slots=True)
class ReaderResult:
    """What one reader made of all pages. Of `right` and `stated` by field: how many it got right, of how many; of
    `right_held` and `held`, the same for labels that the page holds.
    """

    texts: TextScore = field(default_factory=Sentences)
    has_text: bool = False
    empty: int = 0
    cpu_s: float = 0.0
    refused: Counter[str] = field(default_factory=Counter)
    right: Counter[str] = field(default_factory=Counter)
    stated: Counter[str] = field(default_factory=Counter)
    right_held: Counter[str] = field(default_factory=Counter)
    held: Counter[str] = field(default_factory=Counter)

    def share(self, name: str) -> float | None:
        return self.right[name] / self.stated[name] if self.stated[name] else None

    def share_of_held(self, name: str) -> float | None:
        return self.right_held[name] / self.held[name] if self.held[name] else None


@dataclass(frozen=True, slots=True)
class PageOutcome:
    """What a reader got wrong on a page: by field, the label and what it said instead."""

    url: str
    reader: str
    precision: float | None
    recall: float | None
    refusal: str | None
    wrong: Mapping[str, tuple[str, str]]


@dataclass(frozen=True, slots=True)
class WebResult:
    """`name`: of the folder. `kind`: how its texts are scored. `pages`: what each reader made of each."""

    name: str
    kind: str
    count: int
    readers: Mapping[str, ReaderResult]
    pages: Sequence[PageOutcome]


def measured(
    name: str, pages: Sequence[WebPage], other: OtherPython | None, *, progress: Callable[[str, int, int], None]
) -> WebResult:
    """Page by page with all readers in turn, so that all are timed under the same load."""
    labelled = pages if other is None or not other.tells_languages else other.with_languages(pages)
    readers = _timed(other)
    results = {reader: ReaderResult(score_for(pages)) for reader in readers}
    outcomes: list[PageOutcome] = []
    for number, page in enumerate(labelled):
        progress(f"reading {name}", number, len(labelled))
        body = page.body
        held = _held(page, body)
        for reader, read in readers.items():
            if not number:
                read(page, body)  # loads its tables
            found, cpu_s = read(page, body)
            results[reader].cpu_s += cpu_s
            outcomes.append(_counted(results[reader], reader, page, found, held))
    kind = "sentences" if isinstance(score_for(pages), Sentences) else "whole texts"
    return WebResult(name, kind, len(pages), results, outcomes)


def _timed(other: OtherPython | None) -> dict[str, Timed]:
    own: dict[str, Timed] = {name: partial(_read_here, read) for name, read in READERS.items()}
    return own if other is None else own | {name: partial(other.read, name) for name in other.readers}


def _read_here(read: WebReader, page: WebPage, body: bytes) -> tuple[Read, float]:
    before = time.process_time()
    found = read(page, body)
    return found, time.process_time() - before


def _counted(result: ReaderResult, reader: str, page: WebPage, found: Read, held: Collection[str]) -> PageOutcome:
    precision = recall = None
    if found.text is not None:
        result.has_text = True
        result.texts.add(page, found.text)
        result.empty += not found.text
        alone = score_for([page])
        alone.add(page, found.text)
        precision, recall = alone.precision, alone.recall
    if found.refusal is not None:
        result.refused[str(found.refusal)] += 1
    wrong = {name: (label, said) for name, label, said in _stated(page, found) if not FIELDS[name](label, said)}
    stated = [name for name, _, _ in _stated(page, found)]
    right = [name for name in stated if name not in wrong]
    result.stated.update(stated)
    result.right.update(right)
    result.held.update(name for name in stated if name in held)
    result.right_held.update(name for name in right if name in held)
    return PageOutcome(page.url, reader, precision, recall, found.refusal and str(found.refusal), wrong)


def _held(page: WebPage, body: bytes) -> Collection[str]:
    """Fields of which the page holds the label."""
    decoded = decode(body)
    source = decoded.text if decoded else ""
    return {name for name in FIELDS if getattr(page, name) and is_held(name, getattr(page, name), source, url=page.url)}


def _stated(page: WebPage, found: Read) -> Iterator[tuple[str, str, str]]:
    """Fields that have a label, and that the reader looks for."""
    for name in FIELDS:
        label, said = getattr(page, name), getattr(found, name)
        if label and said is not None:
            yield name, label, said
