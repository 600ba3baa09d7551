"""`crawl`, `runs` and `pages`."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Final

import click
from rich.console import Console

from crawler.outcomes.errors import CrawlerError
from storage.crawl import logs
from storage.crawl import runs as stored_runs
from storage.engine import transaction
from storage.matches import backlog
from storage.pages import pages as stored_pages
from storage.sites import sites
from zhiwen.output.control_characters import show
from zhiwen.output.terminal import fail, json_option, print_json, print_table, reporting_errors, say, store
from zhiwen.wiring import database_url

FINISHED: Final = "finished"
STOPPED: Final = "shutdown"
_ENDS: Final = {
    "busy": "another crawl of this site is at work",
    "outside-window": "outside its hours: see zhiwen site manners",
    "out-of-time": "its time was over (ZHIWEN_CRAWL_HOURS); it goes on where it was when you crawl again",
    "out-of-memory": "it took too much memory (ZHIWEN_CRAWL_MEMORY_MB); it goes on where it was when you crawl again",
    "stalled": "it made no progress for 15 minutes and was ended; what it was at: zhiwen runs --log RUN",
    "storage-failed": "the database could not write; it goes on where it was when you crawl again",
}
"""How a crawl ended, where the word alone does not say what to do."""

if TYPE_CHECKING:
    from sqlalchemy import Engine

    from storage.records.crawl_runs import RunRecord
    from storage.records.sites import SiteRecord
    from zhiwen.config.settings import Settings


@click.command()
@click.argument("names", metavar="[SITE]…", nargs=-1)
@click.option("--max-pages", type=click.IntRange(1), help="The most pages to fetch from each site.")
@click.option("--revisit", is_flag=True, help="Fetch every known page again, due or not.")
@click.option("--dry-run", is_flag=True, help="Tell what would be asked for, and ask for nothing.")
@click.option("--json", "as_json", is_flag=True, help="With --dry-run: one JSON object a line.")
@reporting_errors
def crawl(names: Sequence[str], *, max_pages: int | None, revisit: bool, dry_run: bool, as_json: bool) -> None:
    """Crawl sites and store their articles; all sites that are not paused, unless some are named.

    Ctrl-C finishes the pages at hand and stops, within ten seconds. Crawling again fetches start pages, feeds and
    sitemaps, what they lead to, and what is due by how often it changed so far.
    """
    if as_json and not dry_run:
        raise click.UsageError("--json is for --dry-run: a crawl tells of its progress.")
    with store() as (settings, engine):
        chosen = _chosen(engine, names)
        if dry_run:
            from zhiwen.commands.sites.crawl_dry_run import show  # noqa: PLC0415  # only where asked for

            show(engine, chosen, revisit=revisit, as_json=as_json)
            return
        failed = _crawl_all(settings, chosen, max_pages, revisit=revisit)
        with transaction(engine) as session:
            waiting = backlog.waiting(session)
    if waiting:
        say(f"{waiting} pages wait to be compared. Run: zhiwen match")
    if failed:
        fail(f"Not crawled to the end: {', '.join(failed)}. See: zhiwen runs")


def _crawl_all(
    settings: "Settings", chosen: Sequence["SiteRecord"], max_pages: int | None, *, revisit: bool
) -> list[str]:
    """The sites that were not crawled to their end; one that was told to stop stops those after it, too."""
    failed = []
    for site in chosen:
        exit_reason = _crawl_one(settings, site, max_pages, revisit=revisit)
        if exit_reason != FINISHED:
            failed.append(site.name)
        if exit_reason == STOPPED:
            raise click.Abort
    return failed


def _chosen(engine: "Engine", names: Sequence[str]) -> list["SiteRecord"]:
    with transaction(engine) as session:
        if names:
            return [sites.get_site(session, name) for name in names]
        chosen = [site for site in sites.list_sites(session) if site.settings.enabled and site.settings.start_urls]
    if not chosen:
        fail("There is no site to crawl. Add one first: zhiwen site add https://…")
    return chosen


def _crawl_one(settings: "Settings", site: "SiteRecord", max_pages: int | None, *, revisit: bool) -> str | None:
    from zhiwen.worker.crawl import crawl_as_set  # noqa: PLC0415  # Scrapy is loaded only by those who crawl

    console = Console(stderr=True, highlight=False, markup=False)
    with console.status(f"{site.name}: starting") as line:
        try:
            run = crawl_as_set(
                settings,
                database_url(settings),
                site.name,
                trigger="command line",
                max_pages=max_pages,
                revisit=revisit,
                on_progress=lambda counters: line.update(f"{site.name}: {_summary(counters)}"),
            )
        except CrawlerError as error:
            say(f"{site.name}: {error}")
            return None
    say(f"{site.name}: {_summary(run.counters)}; {_ENDS.get(run.exit_reason or '', run.exit_reason)}")
    for name, count in sorted(run.counters.items()):
        if name.startswith("refused/"):
            say(f"    {count} × {name.removeprefix('refused/')}")
    return run.exit_reason


def _summary(counters: Mapping[str, int]) -> str:
    refused = sum(count for name, count in counters.items() if name.startswith("refused/"))
    names = {"pages/fetched": "fetched", "articles/new": "new articles", "articles/changed": "changed"}
    parts = [f"{counters.get(name, 0)} {label}" for name, label in names.items()]
    return ", ".join([*parts, f"{refused} refused"])


@click.command()
@json_option
@click.option("--site", help="Runs of this site.")
@click.option("--limit", type=click.IntRange(1), default=20, show_default=True)
@click.option("--log", "log_of", type=int, metavar="RUN", help="What this run said, page by page.")
@reporting_errors
def runs(*, as_json: bool, site: str | None, limit: int, log_of: int | None) -> None:
    """Crawl runs, newest first, with what was refused and why."""
    if log_of is not None:
        _show_log(log_of, as_json=as_json)
        return
    with store() as (_, engine), transaction(engine) as session:
        stored_runs.close_lost(session)
        found = stored_runs.list_runs(session, site=site, limit=limit)
    if as_json:
        for run in found:
            print_json(asdict(run))
        return
    print_table(
        ("run", "site", "trigger", "started", "took", "counts", "end"),
        [(run.id, run.site_name, run.trigger, f"{run.started_at:%Y-%m-%d %H:%M}", _took(run), _counts(run),
          run.exit_reason or "running") for run in found],
    )  # fmt: skip


def _show_log(run_id: int, *, as_json: bool) -> None:
    with store() as (_, engine), transaction(engine) as session:
        run, log = stored_runs.get_run(session, run_id), logs.get(session, run_id)
    if run is None:
        fail(f"There is no run {run_id}. List them with: zhiwen runs")
    if log is None:
        fail(f"Nothing is kept of what run {run_id} said: it is too long ago, or the run has just begun.")
    if as_json:
        print_json(asdict(log))
        return
    show(log.text, nl=False)
    if log.bytes_left_out:
        say(f"{log.bytes_left_out:,} bytes of the middle are left out.")


def _took(run: "RunRecord") -> str:
    return "" if run.ended_at is None else f"{(run.ended_at - run.started_at).total_seconds():.0f} s"


def _counts(run: "RunRecord") -> str:
    return "\n".join(f"{count} {name}" for name, count in sorted(run.counters.items()))


@click.command()
@json_option
@click.option("--site", help="Pages of this site.")
@reporting_errors
def pages(*, as_json: bool, site: str | None) -> None:
    """Stored pages, oldest first."""
    with store() as (_, engine), transaction(engine) as session:
        if site is not None:
            sites.get_site(session, site)
        found = stored_pages.list_pages(session, site=site)
        if as_json:
            for page in found:
                print_json(asdict(page) | {"site": page.site_name})
            return
        rows = [
            (page.url, page.title, page.chars, page.site_name, page.declared.at and f"{page.declared.at:%Y-%m-%d}")
            for page in found
        ]
    print_table(("url", "title", "chars", "site", "published"), rows)
