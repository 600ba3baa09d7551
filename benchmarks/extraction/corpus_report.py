"""Tables and JSON of the Chinese corpus: news, sites, pages without an article. Pure."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, TypeVar

from benchmarks.common.report import Row, Table
from benchmarks.extraction.dates import DateResult
from benchmarks.extraction.grams import grams
from benchmarks.extraction.run import Measured, PageResult

T = TypeVar("T")

KINDS: Final = ("news", "sites", "english")
FIGURES: Final[Mapping[str, Callable[[PageResult], float]]] = {
    "precision": lambda result: result.score.precision,
    "recall": lambda result: result.score.recall,
    "F1": lambda result: result.score.f1,
    "stored": lambda result: result.home,
    "clean": lambda result: result.clean_recall,
    "extra": lambda result: result.score.extra,
}
LOST: Final[Mapping[str, Callable[[PageResult], float]]] = {
    "lines of articles": lambda result: result.missing.lines,
    "furniture": lambda result: result.missing.furniture,
    "over the ends of lines": lambda result: result.missing.seams,
    "pages of which nothing is read": lambda result: result.missing.unread,
}


def corpus_tables(measured: Measured, *, worst: int) -> Iterator[Table]:
    for kind, reader, results in _groups(measured.pages):
        yield _figures(f"{kind}, read by {reader}: {len(results)} pages", results)
    yield _lost(measured.pages)
    yield _summary(measured)
    yield from _wrong(measured, worst)


def corpus_value(measured: Measured) -> dict[str, Any]:
    groups = [
        {
            "kind": kind,
            "reader": reader,
            "pages": len(results),
            "empty": sum(not result.found for result in results),
            **{name: _mean(map(figure, results)) for name, figure in FIGURES.items()},
            "recall_of_all_words": _recall_of_words(results),
            "recall_of_listings": _listings(results)[1],
            "refused": _refused(results),
            "recall_unless_refused": _kept(results),
            "lost": {name: _mean(map(figure, results)) for name, figure in LOST.items()},
        }
        for kind, reader, results in _groups(measured.pages)
    ]
    found, right = _dated(measured.dates)
    return {
        "groups": groups,
        "pages_without_article": len(measured.refusals),
        "taken_for_one": len(_taken(measured)),
        "dates": {"stated": len(measured.dates), "found": found, "right": right},
    }


def _groups(pages: Sequence[PageResult]) -> Iterator[tuple[str, str, list[PageResult]]]:
    for kind in KINDS:
        of_kind = [result for result in pages if result.kind == kind]
        for reader, results in _by(of_kind, lambda result: result.reader).items():
            yield kind, reader, results


def _figures(title: str, results: Sequence[PageResult]) -> Table:
    by_site = _by(results, lambda result: result.page.site)
    rows = [_row(site, own) for site, own in (*by_site.items(), ("all", results))]
    if len(by_site) > 1:
        rows += [_row(f"without {site}", [one for one in results if one.page.site != site]) for site in by_site]
    articles = [result for result in results if not result.page.is_named_as_none]
    if len(articles) < len(results):
        rows.append(_row("without those named as none", articles))
    words = ("of all words of all pages", *[""] * 3, f"{_recall_of_words(results):.3f}", *[""] * 4)
    return Table(("host", "pages", "empty", *FIGURES), [*rows, words], title=title)


def _row(name: str, results: Sequence[PageResult]) -> Row:
    empty = sum(not result.found for result in results)
    figures = (f"{_mean(map(figure, results)):.3f}" for figure in FIGURES.values())
    return (name[:32], str(len(results)), str(empty), *figures)


def _lost(pages: Sequence[PageResult]) -> Table:
    """Shares of missed gold by place; listings, which gold leaves out; pages read as articles by their labels alone."""
    columns = ("kind", "reader", *LOST, "listings", "refused", "recall unless refused")
    rows = []
    for kind, reader, results in _groups(pages):
        shares = (f"{_mean(map(figure, results)):.3f}" for figure in LOST.values())
        count, listings = _listings(results)
        refused = ", ".join(f"{number} {reason}" for reason, number in _refused(results).items())
        read = f"{listings:.3f} on {count} pages" if count else ""
        rows.append((kind, reader, *shares, read, refused, f"{_kept(results):.3f}"))
    return Table(columns, rows, title="not found, by place")


def _summary(measured: Measured) -> Table:
    """Pages without an article, and published dates: how many, how many with a result, how many of them right."""
    found, right = _dated(measured.dates)
    others, dates = len(measured.refusals), len(measured.dates)
    taken = len(_taken(measured))
    rows = [
        ("pages without an article", str(others), f"{taken} taken for one", f"{others - taken}"),
        ("pages that state a date", str(dates), f"{found} found", f"{right} ({right / max(1, dates):.3f})"),
    ]
    return Table(("pages", "number", "result", "right"), rows, title="pages without an article, and dates")


def _wrong(measured: Measured, worst: int) -> Iterator[Table]:
    taken = [(path,) for path in _taken(measured)]
    if taken:
        yield Table(("page",), taken, title="pages without an article, taken for one")
    dates = [result for result in measured.dates if result.read != result.stated][:worst]
    if dates:
        rows = [(str(result.stated), str(result.read or ""), str(result.page.path)) for result in dates]
        yield Table(("stated", "read", "page"), rows, title="wrong dates")
    own = [result for result in measured.pages if result.reader == "own"]
    if worst and own:
        yield _worst(own, worst)


def _worst(own: Sequence[PageResult], count: int) -> Table:
    pages = sorted(own, key=lambda result: result.clean_recall)[:count]
    rows = [(f"{one.clean_recall:.3f}", f"{one.score.precision:.3f}", str(one.page.path)) for one in pages]
    return Table(("clean", "precision", "page"), rows, title="worst pages")


def _taken(measured: Measured) -> list[str]:
    return [str(page.path) for page, refusal in measured.refusals.items() if refusal is None]


def _dated(results: Sequence[DateResult]) -> tuple[int, int]:
    """How many dates were found, and how many are right."""
    found = [result for result in results if result.read]
    return len(found), sum(result.read == result.stated for result in found)


def _recall_of_words(results: Sequence[PageResult]) -> float:
    sizes = [grams(result.page.gold).total() for result in results]
    found = sum(size * result.score.recall for size, result in zip(sizes, results, strict=True))
    return found / max(1, sum(sizes))


def _listings(results: Sequence[PageResult]) -> tuple[int, float]:
    known = [result.listings for result in results if result.listings is not None]
    return len(known), _mean(known)


def _refused(results: Sequence[PageResult]) -> dict[str, int]:
    return dict(Counter(str(result.refusal) for result in results if result.refusal is not None))


def _kept(results: Sequence[PageResult]) -> float:
    """Recall without the pages that are read as articles on their labels' word."""
    return sum(result.score.recall for result in results if result.refusal is None) / max(1, len(results))


def _by(values: Iterable[T], name: Callable[[T], str]) -> dict[str, list[T]]:
    grouped = defaultdict(list)
    for value in values:
        grouped[name(value)].append(value)
    return dict(grouped)


def _mean(figures: Iterable[float]) -> float:
    values = list(figures)
    return sum(values) / len(values) if values else 0.0
