"""The soak as tables, JSON and a picture. Pure."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from functools import partial
from statistics import median
from typing import TYPE_CHECKING, Final

from benchmarks.common.report import Picture, Report, Table
from benchmarks.soak.load import Sample
from benchmarks.soak.run import SoakResult

if TYPE_CHECKING:
    from matplotlib.figure import Figure

LISTED: Final = 50
"""Lost or missed pages that are listed; the JSON has all."""

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


def report_of(result: SoakResult) -> Report:
    acts = ", ".join(f"{count} × {name}" for name, count in result.acts.items())
    header = (
        result.line,
        f"{result.minutes:g} minutes, {result.acts_a_minute:g} acts a minute, seed {result.seed}: {acts}.",
        f"At rest {result.settled_s:.0f} s after the last act. `up` ended with {result.stopped_with}.",
    )
    tables = (Table(("balance", ""), list(balance_rows(result))), Table(LOAD_COLUMNS, list(load_rows(result))))
    value = asdict(result)
    value["balance"]["holds"] = result.balance.holds
    listed = (*result.balance.lost[:LISTED], *result.balance.missed[:LISTED])
    picture = Picture("soak", (8.0, 8.0), partial(_draw, result.samples))
    return Report("soak", "The soak", header, tables, value, notes=listed, picture=picture)


PANELS: Final = (
    ("MB", ("worker_mb", "admin_mb", "crawls_mb", "postgres_mb")),
    ("connections, open files", ("connections", "open_files")),
    ("MB on disk", ("home_mb", "database_mb")),
    ("pages, jobs", ("pages", "waiting", "queued")),
)


def _draw(samples: Sequence[Sample], figure: "Figure") -> None:
    minutes = [sample.elapsed_s / 60 for sample in samples]
    for axes, (label, names) in zip(figure.subplots(len(PANELS), sharex=True), PANELS, strict=True):
        for name in names:
            axes.plot(minutes, [getattr(sample, name) for sample in samples], label=name.replace("_", " "))
        axes.set_ylabel(label)
        axes.set_ylim(bottom=0)
        axes.grid(visible=True, alpha=0.3)
        axes.legend(loc="upper left", fontsize="small")
    axes.set_xlabel("minutes")
