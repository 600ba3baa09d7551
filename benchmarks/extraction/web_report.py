"""Reads pages of the web at large with each reader, and prints how well and how fast."""

import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from benchmarks.extraction.web_pages import Sentences, WebPage, sentences_of
from benchmarks.extraction.web_readers import Read, WebReader

COLUMNS: Final = ("prec.", "recall", "F1", "empty", "title", "author", "date", "time")
MEASURE: Final = "trafilatura"
"""The reader whose time is 1."""


@dataclass(slots=True)
class WebResult:
    """What one reader made of all pages. Of `right` and `stated` by field: how many it got right, of how many."""

    sentences: Sentences = field(default_factory=Sentences)
    empty: int = 0
    cpu_s: float = 0.0
    has_text: bool = False
    refused: Counter[str] = field(default_factory=Counter)
    right: Counter[str] = field(default_factory=Counter)
    stated: Counter[str] = field(default_factory=Counter)


def measured(pages: Sequence[WebPage], readers: Mapping[str, WebReader]) -> dict[str, WebResult]:
    """Page by page with all readers in turn, so that all are timed under the same load."""
    results = {name: WebResult() for name in readers}
    bodies = ((page, page.path.read_bytes()) for page in pages)
    for number, (page, body) in enumerate(bodies):
        for name, read in readers.items():
            if not number:
                read(page, body)  # loads its tables
            before = time.process_time()
            found = read(page, body)
            results[name].cpu_s += time.process_time() - before
            _count(results[name], page, found)
    return results


def _count(result: WebResult, page: WebPage, found: Read) -> None:
    if found.text is not None:
        result.has_text = True
        result.sentences += sentences_of(page, found.text)
        result.empty += not found.text
    if found.refusal is not None:
        result.refused[str(found.refusal)] += 1
    for name, label, said in (
        ("title", page.title, found.title),
        ("author", page.author, found.author),
        ("date", page.date, found.date),
    ):
        if label and said is not None:
            result.stated[name] += 1
            result.right[name] += _is_same(name, label, said)


def _is_same(name: str, label: str, said: str) -> bool:
    """Titles and authors by their letters, where one may hold the other: labels leave out sites' names and titles."""
    if name == "date":
        return said[:10] == label
    own, stated = _letters(said), _letters(label)
    return bool(own) and (own in stated or stated in own)


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, text)).lower()


def printed_web(results: Mapping[str, WebResult], *, pages: int) -> Iterator[str]:
    yield f"web at large: {pages} pages"
    yield f"  {'reader':24}" + "".join(f"{name:>7}" for name in COLUMNS)
    unit = results[MEASURE].cpu_s if MEASURE in results else 0.0
    for name, result in results.items():
        found = result.sentences
        texts = [f"{found.precision:7.3f}", f"{found.recall:7.3f}", f"{found.f1:7.3f}", f"{result.empty:7}"]
        shares = [_share(result, field) for field in ("title", "author", "date")]
        ratio = f"{result.cpu_s / unit:7.2f}" if unit else ""
        yield f"  {name:24}" + "".join(texts if result.has_text else [f"{'':28}"]) + "".join(shares) + ratio
    yield from _refusals(results.items())


def _share(result: WebResult, name: str) -> str:
    return f"{result.right[name] / result.stated[name]:7.3f}" if result.stated[name] else f"{'':7}"


def _refusals(results: Iterable[tuple[str, WebResult]]) -> Iterator[str]:
    for name, result in results:
        if result.refused:
            reasons = ", ".join(f"{count} {reason}" for reason, count in result.refused.most_common())
            yield f"  refused by {name}: {result.refused.total()}: {reasons}"
