"""The measure of speed as tables for people, as JSON and as files. Pure but for `write`."""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final, TypeAlias

from benchmarks.speed.result import SpeedResult, as_json
from benchmarks.speed.steps.lookups import StoreAsked
from benchmarks.speed.steps.pipeline_stages import WHOLE
from benchmarks.speed.steps.timing import Timed, Waits, ratio

Row: TypeAlias = tuple[str, ...]
Section: TypeAlias = tuple[str, Row, list[Row]]
"""Title, columns, rows."""

_MS: Final = "{:,.2f}"


def ran_on_lines(result: SpeedResult) -> Iterator[str]:
    on = result.ran_on
    yield f"Zhiwen {on.version}, Python {on.python}, {on.machine}, {on.cores} cores, load {on.load:.1f}."
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


def sections(result: SpeedResult) -> Iterator[Section]:
    yield "Steps and peers, by processor time", ("step", "a second", "fingerprint is faster by"), _steps(result)
    if ratios := result.ratios:
        rows: list[Row] = [(name, f"{one.median:.2f}", f"{one.low:.2f}–{one.high:.2f}") for name, one in ratios.items()]
        yield "Ratios", ("of", "median", "middle half of the rounds"), rows
    if result.memory:
        columns = ("step", "loaded, MB", "at most, MB")
        yield (
            "Memory of a process that does only this",
            columns,
            [(one.name, f"{one.loaded_mb:.0f}", f"{one.peak_mb:.0f}") for one in result.memory],
        )
    if result.searches:
        yield "Codes within three bits", ("way", "codes", *_WAITS, "found"), _searches(result)
    if result.stores:
        yield "Questions to a store", ("pages", "question", *_WAITS, "found, and what it cost"), _questions(result)
        yield "Bytes a page", ("part", *(f"{store.pages:,} pages" for store in result.stores)), _sizes(result.stores)
    if result.imports:
        yield (
            "Import",
            ("pages stored", "articles a second", "longest stall, s"),
            [(f"{one.pages:,}", f"{one.rate:.0f}", f"{one.longest_stall_s:.1f}") for one in result.imports],
        )
    if result.checks:
        yield (
            "Checks by command",
            ("pages stored", "one file, texts a second", "a file each"),
            [(f"{one.pages:,}", f"{one.together:.1f}", f"{one.apart:.2f}") for one in result.checks],
        )
    if result.sweeps:
        of_sweeps = ("pages stored", "files, s", "keys of a text, ms", "look-ups of a text, ms", "texts named")
        yield "Rematch, processor time of a text", of_sweeps, _sweeps(result)
    if result.workers:
        of_workers = ("processes", "pages", "pages a second", "processor time of a page, ms", "compared", "left")
        yield "Pages worked off", of_workers, _workers(result)


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


def as_markdown(result: SpeedResult) -> str:
    lines = ["# Speed", "", *ran_on_lines(result)]
    for title, columns, rows in sections(result):
        marks = ("---", *["---:"] * (len(columns) - 1))
        lines += ["", f"## {title}", "", *("| " + " | ".join(row) + " |" for row in (columns, marks, *rows))]
    return "\n".join((*lines, ""))


def write(result: SpeedResult, folder: Path) -> list[Path]:
    """Writes speed.json and speed.md; older ones are replaced. Raises OSError."""
    folder.mkdir(parents=True, exist_ok=True)
    contents = {
        "speed.json": json.dumps(as_json(result), ensure_ascii=False, indent=1) + "\n",
        "speed.md": as_markdown(result),
    }
    for name, content in contents.items():
        (folder / name).write_text(content, "utf-8")
    return [folder / name for name in contents]
