"""`import`: stores articles from files, folders and feeds."""

import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import click
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from storage.engine import transaction
from storage.records.sites import SiteRecord
from storage.types import Rights
from zhiwen.commands.matching.encoding import MOST_OF_IMPORT, encode_with_bar
from zhiwen.output.progress import stopped_by_signals
from zhiwen.output.terminal import ValueOf, fail, say, store

if TYPE_CHECKING:
    from sqlalchemy import Engine

    from zhiwen.imports.batches import Tally
    from zhiwen.imports.run import ImportRun


@click.command("import")
@click.argument("sources", metavar="PATH…", nargs=-1, required=True)
@click.option("--site", "site_name", help="Site of the articles; added if there is none of that name.")
@click.option(
    "--rights",
    type=ValueOf(Rights),
    default=Rights.UNKNOWN.value,
    help="Whose texts these are. With own, a site added by this import is an original one.",
)
@click.option("--watch", is_flag=True, help="Watch the folders and import new files until Ctrl-C.")
def import_(sources: Sequence[str], *, site_name: str | None, rights: Rights, watch: bool) -> None:
    """Import articles from JSONL, CSV, web archives, HTML, MHTML, feeds, text files, folders of them, or a feed's URL.

    Records that cannot be imported are reported with file and line; the others are stored. Importing again changes
    nothing, and continues an interrupted import. At last, up to 20,000 new texts are encoded by meaning.
    """
    # These load the extractors.
    from crawler.extraction.page_reader import page_reader  # noqa: PLC0415
    from zhiwen.config.disk import room_of  # noqa: PLC0415
    from zhiwen.imports.batches import Intake  # noqa: PLC0415
    from zhiwen.imports.run import READERS, ImportRun, is_url  # noqa: PLC0415

    if watch and any(map(is_url, sources)):
        raise click.UsageError("--watch needs folders. To watch a feed, crawl its site.")
    with store() as (settings, engine), page_reader(settings.time_zone, size=READERS) as read_page:
        site = None if site_name is None else _site(engine, site_name, rights)
        with _Bar([Path(source) for source in sources if not is_url(source)]) as bar:
            options = f"site={site_name or ''} rights={rights}"
            intake = Intake(engine, site, options, say, bar.update, room=room_of(settings))
            run = ImportRun(settings, intake, read_page, rights, bar.meter)
            _watch(run, sources) if watch else run.once(sources)
            seconds = bar.seconds
        if intake.tally.new or intake.tally.changed:
            encode_with_bar(settings, engine, stopped_by_signals(), compares=False, most=MOST_OF_IMPORT)
    _report(intake.tally, seconds)


def _site(engine: "Engine", name: str, rights: Rights) -> SiteRecord:
    from zhiwen.imports.batches import site_for_import  # noqa: PLC0415

    with transaction(engine) as session:
        site, is_made = site_for_import(session, name, rights)
    if is_made:
        say(f"Added the site {name} ({site.settings.role}). Change it with: zhiwen site edit {name}")
    return site


def _watch(run: "ImportRun", sources: Sequence[str]) -> None:
    say("Watching the folders. Press Ctrl-C to stop.")
    with suppress(KeyboardInterrupt):
        for file in run.watch([Path(source) for source in sources]):
            tally = run.intake.tally
            say(f"{file}: imported. {tally.new} new pages so far, {tally.problems.total()} records refused.")


class _Bar:
    """A progress bar with the import's speed; shown on terminals only."""

    def __init__(self, paths: Sequence[Path]) -> None:
        from crawler.importers.files import Meter  # noqa: PLC0415
        from crawler.importers.folders import files_of, size_of  # noqa: PLC0415

        total = size_of(file for path in paths for file in files_of(path))
        columns = (TextColumn("importing"), BarColumn(), TextColumn("{task.fields[said]}"))
        times = (TimeElapsedColumn(), TimeRemainingColumn())
        self.meter = Meter()
        self._began = time.monotonic()
        self._bar = Progress(*columns, *times, console=Console(stderr=True), disable=not sys.stderr.isatty())
        self._task = self._bar.add_task("", total=total or None, said="")

    def __enter__(self) -> "_Bar":
        self._bar.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._bar.stop()

    @property
    def seconds(self) -> float:
        return max(0.001, time.monotonic() - self._began)

    def update(self, tally: "Tally") -> None:
        said = f"{tally.records:,} records, {tally.records / self.seconds:,.0f}/s"
        self._bar.update(self._task, completed=self.meter.bytes_read, said=said)


def _report(tally: "Tally", seconds: float) -> None:
    from zhiwen.imports.batches import summary  # noqa: PLC0415

    problems = tally.problems.total()
    say(
        f"Stored {tally.new} new pages and {tally.changed} new versions; {tally.known} were known already; "
        f"{problems} were refused. {tally.records} records in {seconds:.1f} s."
    )
    if tally.passed:
        say(f"Skipped pages that are not articles: {summary(tally.passed)}.")
    if tally.new or tally.changed:
        say("Compare them with the store: zhiwen match")
    if problems:
        fail(f"{problems} records were refused ({summary(tally.problems)}); the others are stored.")
