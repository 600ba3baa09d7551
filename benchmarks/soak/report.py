"""The soak as tables for people, as JSON and as a picture. Pure but for `write`."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from importlib.util import find_spec
from pathlib import Path
from statistics import median
from typing import Any, Final

from benchmarks.soak.load import Sample
from benchmarks.soak.run import SoakResult

LISTED: Final = 50
"""Of what is lost or missed; the JSON has all."""

LOAD_COLUMNS: Final = ("what", "first third", "last third", "at most")
_SHOWN: Final = {
    "worker_mb": "memory of the worker, MB",
    "admin_mb": "memory of the admin, MB",
    "crawls_mb": "memory of crawls, MB",
    "postgres_mb": "memory of Postgres, MB",
    "connections": "connections to the database",
    "open_files": "open files of up, worker and admin",
    "home_files": "files in the home",
    "home_mb": "size of the home, MB",
    "database_mb": "size of the database, MB",
    "pages": "pages stored",
    "waiting": "pages to compare",
    "queued": "jobs in the queue",
}


def balance_rows(result: SoakResult) -> Iterator[tuple[str, str]]:
    """Each line of the balance with its number."""
    balance = result.balance
    yield "published", f"{balance.published:,}"
    yield "= stored", f"{balance.stored:,}"
    for name, count in sorted(balance.refused.items()):
        yield f"+ refused: {name}", f"{count:,}"
    yield "+ gone before anybody asked", f"{balance.unseen:,}"
    yield "+ lost", f"{len(balance.lost):,}"
    yield "copies planted", f"{balance.planted:,}"
    yield "= found", f"{balance.found:,}"
    yield "+ copy or source gone before anybody asked", f"{balance.unseen_copies:,}"
    yield "+ missed", f"{len(balance.missed):,}"
    yield "removed after they were stored", f"{balance.removed_and_stored:,}"
    yield "of them not known to be gone", f"{len(balance.kept_alive):,}"
    yield "stored twice", f"{balance.twice:,}"
    yield "without a fingerprint", f"{balance.without_fingerprint:,}"
    yield "not compared", f"{balance.waiting:,}"
    yield "jobs set aside", f"{balance.set_aside:,}"
    yield "versions, cases", f"{balance.versions:,}, {balance.cases:,}"
    captured = balance.captured
    yield "pages of cases still to be captured", f"{captured.uncaptured:,}"
    yield "not captured within a minute", f"{captured.late:,}"
    yield "seconds till captured: median, longest", f"{captured.median_wait_s:.0f}, {captured.longest_wait_s:.0f}"
    yield "the balance", "holds" if balance.holds else "does not hold"


def load_rows(result: SoakResult) -> Iterator[Sequence[str]]:
    third = max(1, len(result.samples) // 3)
    for name, words in _SHOWN.items():
        values = [getattr(sample, name) for sample in result.samples]
        yield words, f"{median(values[:third]):,.0f}", f"{median(values[-third:]):,.0f}", f"{max(values):,.0f}"


def ran_on_lines(result: SoakResult) -> Iterator[str]:
    acts = ", ".join(f"{count} × {name}" for name, count in result.acts.items())
    yield f"Zhiwen {result.version}, {result.machine}, {result.cores} cores, load {result.load:.1f} at the end."
    yield f"{result.minutes:g} minutes, {result.acts_a_minute:g} acts a minute, seed {result.seed}: {acts}."
    yield f"At rest {result.settled_s:.0f} s after the last act. `up` ended with {result.stopped_with}."


def as_json(result: SoakResult) -> dict[str, Any]:
    value = asdict(result)
    value["balance"]["holds"] = result.balance.holds
    return value


def as_markdown(result: SoakResult) -> str:
    lines = ["# The soak", "", *ran_on_lines(result), "", "| balance | |", "|---|---:|"]
    lines += [f"| {name} | {count} |" for name, count in balance_rows(result)]
    lines += ["", "| " + " | ".join(LOAD_COLUMNS) + " |", "|---|---:|---:|---:|"]
    lines += ["| " + " | ".join(row) + " |" for row in load_rows(result)]
    for title, listed in (("Lost", result.balance.lost), ("Missed", result.balance.missed)):
        lines += ["", f"{title}:", "", *(f"* {one}" for one in listed[:LISTED])] if listed else []
    return "\n".join([*lines, ""])


def write(result: SoakResult, folder: Path) -> list[Path]:
    """Writes soak.json and soak.md, and soak.png where matplotlib is installed. Raises OSError."""
    folder.mkdir(parents=True, exist_ok=True)
    contents = {
        "soak.json": json.dumps(as_json(result), ensure_ascii=False, indent=1) + "\n",
        "soak.md": as_markdown(result),
    }
    for name, content in contents.items():
        (folder / name).write_text(content, encoding="utf-8")
    drawn = [_draw(result.samples, folder / "soak.png")] if find_spec("matplotlib") else []
    return [*(folder / name for name in contents), *drawn]


def _draw(samples: Sequence[Sample], path: Path) -> Path:
    from matplotlib.backends.backend_agg import FigureCanvasAgg  # noqa: PLC0415  # an extra
    from matplotlib.figure import Figure  # noqa: PLC0415

    figure = Figure(figsize=(8.0, 8.0), layout="constrained")
    FigureCanvasAgg(figure)
    panels = (
        ("MB", ("worker_mb", "admin_mb", "crawls_mb", "postgres_mb")),
        ("connections, open files", ("connections", "open_files")),
        ("MB on disk", ("home_mb", "database_mb")),
        ("pages, jobs", ("pages", "waiting", "queued")),
    )
    minutes = [sample.elapsed_s / 60 for sample in samples]
    for axes, (label, names) in zip(figure.subplots(len(panels), sharex=True), panels, strict=True):
        for name in names:
            axes.plot(minutes, [getattr(sample, name) for sample in samples], label=name.replace("_", " "))
        axes.set_ylabel(label)
        axes.set_ylim(bottom=0)
        axes.grid(visible=True, alpha=0.3)
        axes.legend(loc="upper left", fontsize="small")
    axes.set_xlabel("minutes")
    figure.savefig(path, dpi=100)
    return path
