"""Tables and JSON of the pages of the web at large. Pure."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, Final

from benchmarks.common.report import Row, Table
from benchmarks.extraction.held_labels import HELD_FIELDS
from benchmarks.extraction.web_run import FIELDS, PageOutcome, ReaderResult, WebResult

UNIT: Final = "trafilatura"
"""The reader whose time is 1."""
COLUMNS: Final = ("reader", "precision", "recall", "F1", "empty", "refused", *FIELDS, "time")


def web_tables(result: WebResult, *, worst: int) -> Iterator[Table]:
    unit = result.readers[UNIT].cpu_s
    rows = [_row(name, reader, unit) for name, reader in result.readers.items()]
    stated = Counter[str]()
    for reader in result.readers.values():
        stated |= reader.stated
    labels = ", ".join(f"{stated[name]} {name}s" for name in FIELDS if stated[name])
    title = f"{result.name}: {result.count} pages by {result.kind}" + (f"; labels: {labels}" if labels else "")
    yield Table(COLUMNS, rows, title=title)
    if any(reader.held[field] for reader in result.readers.values() for field in HELD_FIELDS):
        yield _of_held(result)
    refused = [(name, reason, str(count)) for name, reason, count in _refusals(result)]
    if refused:
        yield Table(("reader", "refused as", "pages"), refused, title=f"{result.name}: refused pages")
    if worst:
        yield _worst(result, worst)


def _of_held(result: WebResult) -> Table:
    """What is right of the labels that the page holds."""
    held = Counter[str]()
    for reader in result.readers.values():
        held |= reader.held
    rows = [
        (name, *(_figure(reader.share_of_held(field)) for field in HELD_FIELDS))
        for name, reader in result.readers.items()
        if any(reader.held[field] for field in HELD_FIELDS)
    ]
    counts = ", ".join(f"{held[name]} {name}s" for name in HELD_FIELDS if held[name])
    return Table(("reader", *HELD_FIELDS), rows, title=f"{result.name}: labels that the page holds: {counts}")


def web_value(result: WebResult) -> dict[str, Any]:
    unit = result.readers[UNIT].cpu_s
    readers = {name: _value(reader, unit) for name, reader in result.readers.items()}
    return {"name": result.name, "scored_by": result.kind, "pages": result.count, "readers": readers}


def _row(name: str, reader: ReaderResult, unit: float) -> Row:
    texts = reader.texts
    figures: tuple[float | None, ...] = (texts.precision, texts.recall, texts.f1) if reader.has_text else (None,) * 3
    counts = (str(reader.empty), str(reader.refused.total())) if reader.has_text else ("", "")
    shares = (_figure(reader.share(field)) for field in FIELDS)
    return (name, *map(_figure, figures), *counts, *shares, f"{reader.cpu_s / unit:.2f}" if unit else "")


def _value(reader: ReaderResult, unit: float) -> dict[str, Any]:
    """Figures of one reader; None for what it does not look for."""
    texts = reader.texts if reader.has_text else None
    return {
        "precision": texts and texts.precision,
        "recall": texts and texts.recall,
        "f1": texts and texts.f1,
        "empty": reader.empty if texts else None,
        "refused": dict(reader.refused),
        **{name: reader.share(name) for name in FIELDS},
        "labels": {name: reader.stated[name] for name in FIELDS},
        "of_held_labels": {name: reader.share_of_held(name) for name in HELD_FIELDS},
        "held_labels": {name: reader.held[name] for name in HELD_FIELDS},
        "cpu_s": reader.cpu_s,
        "time": reader.cpu_s / unit if unit else None,
    }


def _refusals(result: WebResult) -> Iterator[tuple[str, str, int]]:
    for name, reader in result.readers.items():
        for reason, count in reader.refused.most_common():
            yield name, reason, count


def _worst(result: WebResult, count: int) -> Table:
    """Zhiwen's pages with the lowest recall and precision."""
    own = next(iter(result.readers))
    pages = [page for page in result.pages if page.reader == own]
    rows = [
        (f"{page.precision or 0:.2f}", f"{page.recall or 0:.2f}", page.refusal or "", page.url)
        for page in sorted(pages, key=_quality)[:count]
    ]
    return Table(("precision", "recall", "refused as", "page"), rows, title=f"{result.name}: worst pages")


def _quality(page: PageOutcome) -> float:
    return (page.recall or 0.0) + (page.precision or 0.0)


def _figure(share: float | None) -> str:
    return "" if share is None else f"{share:.3f}"


def wrong_fields(results: Sequence[WebResult]) -> Iterator[dict[str, Any]]:
    """What each reader got wrong, page by page."""
    for result in results:
        for page in result.pages:
            if page.wrong or page.refusal or (page.precision or 1) < 1 or (page.recall or 1) < 1:
                yield {
                    "folder": result.name,
                    "reader": page.reader,
                    "url": page.url,
                    "precision": page.precision,
                    "recall": page.recall,
                    "refusal": page.refusal,
                    "wrong": {name: {"label": label, "said": said} for name, (label, said) in page.wrong.items()},
                }
