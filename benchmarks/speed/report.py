"""The measure of speed as tables, as JSON and as a picture. Pure."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from functools import partial
from typing import TYPE_CHECKING, Final, TypeAlias

from benchmarks.common.report import Picture, Report, Table
from benchmarks.speed.run import SpeedResult
from benchmarks.speed.steps.lookups import StoreAsked
from benchmarks.speed.steps.pipeline_stages import WHOLE
from benchmarks.speed.steps.timing import Timed, Waits, ratio

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Row: TypeAlias = tuple[str, ...]
_MS: Final = "{:,.2f}"


def _header(result: SpeedResult) -> Iterator[str]:
    on = result.ran_on
    yield on.line
    yield f"{'Made-up texts' if on.is_made_up else 'Texts of a corpus'} of {on.chars:,} characters."
    if on.missing:
        yield f"Left out, not installed: {', '.join(on.missing)}."
    if result.flat is not None:
        flat = result.flat
        yield (
            f"Memory of {flat.texts:,} fingerprints: {flat.early_mb:.0f} MB after a tenth, "
            f"{flat.late_mb:.0f} MB after all."
        )
    if result.crawl is not None:
        crawl = result.crawl
        yield (
            f"Crawl of {crawl.articles:,} articles: {crawl.ours:.1f} a second; trafilatura alone "
            f"{crawl.trafilatura:.1f}, Scrapy that only downloads {crawl.scrapy:.1f}."
        )


def _tables(result: SpeedResult) -> Iterator[Table]:
    if result.timings:
        steps = ("step", "a second", "fingerprint is faster by")
        yield Table(steps, _steps(result), "Steps and peers, by processor time")
    rows: list[Row]
    if ratios := result.ratios:
        rows = [(name, f"{one.median:.2f}", f"{one.low:.2f}–{one.high:.2f}") for name, one in ratios.items()]
        yield Table(("of", "median", "middle half of the rounds"), rows, "Ratios")
    if result.memory:
        rows = [(one.name, f"{one.loaded_mb:.0f}", f"{one.peak_mb:.0f}") for one in result.memory]
        yield Table(("step", "loaded, MB", "at most, MB"), rows, "Memory of a process that does only this")
    if result.searches:
        yield Table(("way", "codes", *_WAITS, "found"), _searches(result), "Codes within three bits")
    if result.stores:
        asked = ("pages", "question", *_WAITS, "found, and what it cost")
        yield Table(asked, _questions(result), "Questions to a store")
        sizes = ("part", *(f"{store.pages:,} pages" for store in result.stores))
        yield Table(sizes, _sizes(result.stores), "Bytes a page")
    if result.fingerprints:
        asked = ("fingerprints", "question", *_WAITS, "found, and what it cost")
        yield Table(asked, _candidates(result), "Candidates in a store of fingerprints alone")
    if result.imports:
        rows = [(f"{one.pages:,}", f"{one.rate:.0f}", f"{one.longest_stall_s:.1f}") for one in result.imports]
        yield Table(("pages stored", "articles a second", "longest stall, s"), rows, "Import")
    if result.checks:
        rows = [(f"{one.pages:,}", f"{one.together:.1f}", f"{one.apart:.2f}") for one in result.checks]
        yield Table(("pages stored", "one file, texts a second", "a file each"), rows, "Checks by command")
    if result.sweeps:
        swept = ("pages stored", "files, s", "keys of a text, ms", "look-ups of a text, ms", "texts named")
        yield Table(swept, _sweeps(result), "Rematch, processor time of a text")
    if result.workers:
        worked = ("processes", "pages", "pages a second", "processor time of a page, ms", "compared", "left")
        yield Table(worked, _workers(result), "Pages worked off")
    if result.backlogs:
        emptied = (
            "processes",
            "pages",
            "pages a second",
            "program, ms a page",
            "database, ms a page",
            "compared",
            "hits",
        )
        yield Table(emptied, _backlogs(result), "Backlog of an import, by wording, survey included")


def _sweeps(result: SpeedResult) -> list[Row]:
    return [
        (f"{one.pages:,}", f"{one.files_s:.1f}", f"{one.asking_ms:.2f}", f"{one.looking_up_ms:.2f}", f"{one.named:.0f}")
        for one in result.sweeps
    ]


def _workers(result: SpeedResult) -> list[Row]:
    return [
        (f"{one.processes}", f"{one.pages}", f"{one.rate:.1f}", f"{one.cpu_ms:.1f}", f"{one.compared}", f"{one.left}")
        for one in result.workers
    ]


def _backlogs(result: SpeedResult) -> list[Row]:
    return [
        (
            *(f"{one.processes}", f"{one.pages:,}", f"{one.rate:.1f}", f"{one.program_ms:.1f}"),
            *("" if one.database_ms is None else f"{one.database_ms:.1f}", f"{one.compared:,}", f"{one.hits:,}"),
        )
        for one in result.backlogs
    ]


_WAITS: Final = ("median, ms", "99th percentile", "most")


def _waited(waited: Waits) -> Row:
    return tuple(_MS.format(value) for value in (waited.median_ms, waited.p99_ms, waited.most_ms))


def _steps(result: SpeedResult) -> list[Row]:
    ours = result.timed(WHOLE)
    return [(timing.name, f"{timing.rate:,.0f} {timing.unit}", _faster(ours, timing)) for timing in result.timings]


def _faster(ours: Timed | None, other: Timed) -> str:
    if ours is None or other.unit != ours.unit:
        return ""
    found = ratio(ours, other)
    return f"{found.median:.2f} ({found.low:.2f}–{found.high:.2f})"


def _searches(result: SpeedResult) -> list[Row]:
    return [(one.name, f"{one.codes:,}", *_waited(one.waits), f"{one.found} of {one.asked}") for one in result.searches]


def _questions(result: SpeedResult) -> list[Row]:
    rows: list[Row] = []
    for store in result.stores:
        pages = f"{store.pages:,}"
        rows += [(pages, name, *_waited(waited), "") for name, waited in store.parts.items()]
        rows += [(pages, "candidates", *_waited(store.candidates), ""), (pages, "check", *_waited(store.check), "")]
        rows.append((pages, "check, without notice and story", *_waited(store.check_uncrowded), ""))
        for one in store.families:
            found = f"processor {one.candidates_cpu_ms:.0f} ms"
            found += (
                f"; found {one.candidates_found}, by the check {one.checks_found} of {one.copies}" if one.copies else ""
            )
            rows.append((pages, f"candidates: {one.family}", *_waited(one.candidates), found))
            cpu = f"processor {one.check_cpu_ms:.0f} ms" + (f", {one.cut:,} cut" if one.cut else "")
            rows.append((pages, f"check: {one.family}", *_waited(one.check), cpu))
    return rows


def _candidates(result: SpeedResult) -> list[Row]:
    rows: list[Row] = []
    for one in result.fingerprints:
        texts = f"{one.texts:,}"
        rows += [(texts, name, *_waited(waited), "") for name, waited in one.parts.items()]
        found = f"processor {one.cpu_ms:.0f} ms; found {one.found} of {one.copies}"
        rows.append((texts, "candidates", *_waited(one.candidates), found))
        rows.append((texts, "candidates, without notice and story", *_waited(one.uncrowded), ""))
    return rows


def _sizes(stores: Sequence[StoreAsked]) -> list[Row]:
    last = stores[-1].sizes
    rows: list[Row] = [
        (
            f"{table}: {part}" if part != table else f"{table}: rows",
            *(f"{store.sizes[table].get(part, 0) / store.pages:,.0f}" for store in stores),
        )
        for table in last
        for part in last[table]
    ]
    rows.append(("in all", *(f"{store.bytes_a_page:,.0f}" for store in stores)))
    rows.append(
        ("of the text's UTF-8 bytes", *(f"{store.bytes_a_page / store.text_bytes_a_page:.2f}" for store in stores))
    )
    return rows


def report_of(result: SpeedResult) -> Report:
    value = asdict(result) | {"ratios": {name: asdict(ratio) for name, ratio in result.ratios.items()}}
    picture = Picture("speed", (11.0, 5.0), partial(_draw, result))
    return Report("speed", "Speed", list(_header(result)), list(_tables(result)), value, picture=picture)


def _draw(result: SpeedResult, figure: "Figure") -> None:
    """Draws the cost of a query against the size of the store; ideally the line is level."""
    left, right = figure.subplots(1, 2)
    lines: defaultdict[str, list[tuple[int, float]]] = defaultdict(list)
    for one in result.searches:
        lines[one.name].append((one.codes, one.waits.median_ms))
    _panel(left, lines, title="Codes within three bits", across="codes")
    lines.clear()
    for store in result.stores:
        for name, waited in (*store.parts.items(), ("candidates", store.candidates), ("check", store.check)):
            lines[name].append((store.pages, waited.median_ms))
    _panel(right, lines, title="Questions to a store", across="pages")


def _panel(axes: "Axes", lines: dict[str, list[tuple[int, float]]], *, title: str, across: str) -> None:
    for name, points in lines.items():
        axes.plot([size for size, _ in points], [ms for _, ms in points], marker=".", label=name)
    axes.set(title=title, xlabel=across, ylabel="milliseconds, median")
    if lines:
        axes.set(xscale="log", yscale="log")
        axes.legend(fontsize="small")
    axes.grid(visible=True, alpha=0.3)
