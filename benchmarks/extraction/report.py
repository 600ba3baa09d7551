"""The figures of a measurement as lines. Pure."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TypeVar

from benchmarks.extraction.dates import DateResult
from benchmarks.extraction.grams import grams
from benchmarks.extraction.run import Measured, PageResult

T = TypeVar("T")


def printed(measured: Measured, *, worst: int = 0) -> Iterator[str]:
    for kind in ("news", "sites", "english"):
        of_kind = [result for result in measured.pages if result.kind == kind]
        for reader, results in _by(of_kind, lambda result: result.reader).items():
            yield from _table(f"{kind}, read by {reader}", results)
            yield from _lost(results)
            for result in sorted(results, key=lambda one: one.clean_recall)[: worst if reader == "own" else 0]:
                yield f"  {result.clean_recall:.3f} recall, {result.score.precision:.3f} precision: {result.page.path}"
    yield from _refusals(measured)
    yield from _dates(measured.dates, worst=worst)


def _table(title: str, results: Sequence[PageResult]) -> Iterator[str]:
    yield f"{title}: {len(results)} pages"
    yield f"  {'host':32}{'pages':>6}{'empty':>6}{'prec.':>7}{'recall':>7}{'F1':>7}{'home':>7}{'clean':>7}{'extra':>7}"
    by_site = _by(results, lambda result: result.page.site)
    for site, own in [*by_site.items(), ("all", results)]:
        yield _row(site, own)
    sizes = [grams(result.page.gold).total() for result in results]
    found = sum(size * result.score.recall for size, result in zip(sizes, results, strict=True))
    yield f"  {'of all words of all pages':44}{'':7}{found / max(1, sum(sizes)):7.3f}"
    if len(by_site) > 1:
        for site in by_site:
            yield _row(f"without {site}", [result for result in results if result.page.site != site])


def _lost(results: Sequence[PageResult]) -> Iterator[str]:
    """Shares of missed gold by place, and the figures without pages that are no articles by their address."""
    lost = {
        "lines of articles": _mean(result.missing.lines for result in results),
        "furniture": _mean(result.missing.furniture for result in results),
        "over the ends of lines": _mean(result.missing.seams for result in results),
        "pages of which nothing is read": _mean(result.missing.unread for result in results),
    }
    yield "  not found: " + ", ".join(f"{share:.3f} {where}" for where, share in lost.items())
    listings = [result.listings for result in results if result.listings is not None]
    if listings:
        yield f"  of the words of listings, which gold leaves out: {_mean(listings):.3f} on {len(listings)} pages"
    refused = Counter(result.refusal for result in results if result.refusal is not None)
    if refused:
        kept = sum(result.score.recall for result in results if result.refusal is None) / len(results)
        reasons = ", ".join(f"{count} {refusal}" for refusal, count in refused.items())
        yield f"  read as articles on their labels' word: {reasons}; without it recall is {kept:.3f}"
    articles = [result for result in results if not result.page.is_named_as_none]
    if len(articles) < len(results):
        yield _row("without those named as none", articles)


def _row(name: str, results: Sequence[PageResult]) -> str:
    empty = sum(not result.found for result in results)
    figures = (
        _mean(result.score.precision for result in results),
        _mean(result.score.recall for result in results),
        _mean(result.score.f1 for result in results),
        _mean(result.home for result in results),
        _mean(result.clean_recall for result in results),
        _mean(result.score.extra for result in results),
    )
    return f"  {name[:32]:32}{len(results):6}{empty:6}" + "".join(f"{figure:7.3f}" for figure in figures)


def _refusals(measured: Measured) -> Iterator[str]:
    taken = [page for page, refusal in measured.refusals.items() if refusal is None]
    yield f"pages without an article: {len(measured.refusals)}, taken for one: {len(taken)}"
    yield from (f"  {page.path}" for page in taken)


def _dates(results: Sequence[DateResult], *, worst: int) -> Iterator[str]:
    found = [result for result in results if result.read]
    right = [result for result in found if result.read == result.stated]
    share = len(right) / len(results) if results else 0.0
    yield f"published dates: {len(results)} pages state one, {len(found)} found, {len(right)} right ({share:.3f})"
    wrong = (result for result in results if result.read != result.stated)
    for _, result in zip(range(worst), wrong, strict=False):
        yield f"  {result.stated} stated, {result.read} read: {result.page.path}"


def _by(values: Iterable[T], name: Callable[[T], str]) -> dict[str, list[T]]:
    grouped = defaultdict(list)
    for value in values:
        grouped[name(value)].append(value)
    return dict(grouped)


def _mean(figures: Iterable[float]) -> float:
    values = list(figures)
    return sum(values) / len(values) if values else 0.0
