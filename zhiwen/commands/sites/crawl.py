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
from storage.records.sites import MOST_PAGES
from storage.sites import sites
from zhiwen.output.control_characters import show
from zhiwen.output.number_types import ROWS
from zhiwen.output.terminal import fail, json_option, print_json, print_records, say, store, store_session
from zhiwen.wiring import database_url

FINISHED: Final = "finished"
STOPPED: Final = "shutdown"
_ENDS: Final = {
    "busy": "another crawl of this site is running",
    "outside-window": "outside its crawl hours: see zhiwen site politeness",
    "out-of-time": "it reached its time limit (ZHIWEN_CRAWL_HOURS); the next crawl continues",
    "out-of-memory": "it used too much memory (ZHIWEN_CRAWL_MEMORY_MB); the next crawl continues",
    "stalled": "it was ended after 15 minutes without progress; see its log: zhiwen runs --log RUN",
    "storage-failed": "the database could not write; the next crawl continues",
}
"""Exit reasons of a crawl with their remedies, where the name alone does not suggest one."""

if TYPE_CHECKING:
    from sqlalchemy import Engine

    from storage.records.crawl import RunRecord
    from storage.records.pages import PageRecord
    from storage.records.sites import SiteRecord
    from zhiwen.config.settings import Settings


@click.command()
@click.argument("names", metavar="[SITE]…", nargs=-1)
@click.option("--max-pages", type=click.IntRange(1, MOST_PAGES), help="Most pages to fetch from each site.")
@click.option("--revisit", is_flag=True, help="Fetch every known page again, due or not.")
@click.option("--dry-run", is_flag=True, help="Show what would be fetched, and fetch nothing.")
@click.option("--json", "as_json", is_flag=True, help="With --dry-run: print one JSON object a line.")
def crawl(names: Sequence[str], *, max_pages: int | None, revisit: bool, dry_run: bool, as_json: bool) -> None:
    """Crawl sites and store their articles. Without names, crawl all sites that are not paused.

    Ctrl-C finishes the current pages and stops within ten seconds. The next crawl fetches start pages, feeds and
    sitemaps, new pages, and the known pages that are due: those that change often are due sooner.
    """
    if as_json and not dry_run:
        raise click.UsageError("--json needs --dry-run: a crawl prints its progress.")
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
        say(f"{waiting} pages are not compared yet. Run: zhiwen match")
    if failed:
        fail(f"Not finished: {', '.join(failed)}. See: zhiwen runs")


def _crawl_all(
    settings: "Settings", chosen: Sequence["SiteRecord"], max_pages: int | None, *, revisit: bool
) -> list[str]:
    """Returns the names of the sites whose crawl did not finish. Raises Abort after a crawl that was stopped."""
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
        fail("There is no site to crawl. Add one: zhiwen site add https://…")
    return chosen


def _crawl_one(settings: "Settings", site: "SiteRecord", max_pages: int | None, *, revisit: bool) -> str | None:
    from zhiwen.worker.crawl import crawl_as_set  # noqa: PLC0415  # a crawl alone needs it

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
@click.option("--site", help="List only runs of this site.")
@click.option("--limit", type=ROWS, default=20, help="Most runs to list.")
@click.option("--log", "log_of", type=int, metavar="RUN", help="Print the log of this run instead.")
def runs(*, as_json: bool, site: str | None, limit: int, log_of: int | None) -> None:
    """List crawl runs, newest first, with their counts of stored and refused pages."""
    if log_of is not None:
        _show_log(log_of, as_json=as_json)
        return
    with store_session() as session:
        stored_runs.close_lost(session)
        found = stored_runs.list_runs(session, site=site, limit=limit)
    print_records(found, ("run", "site", "trigger", "started", "took", "counts", "end"), _run_row, as_json=as_json)


def _show_log(run_id: int, *, as_json: bool) -> None:
    with store_session() as session:
        run, log = stored_runs.get_run(session, run_id), logs.get(session, run_id)
    if run is None:
        fail(f"There is no run {run_id}. List them with: zhiwen runs")
    if log is None:
        fail(f"There is no log of run {run_id}: it was deleted after 90 days, or the run has just begun.")
    if as_json:
        print_json(asdict(log))
        return
    show(log.text, nl=False)
    if log.bytes_left_out:
        say(f"{log.bytes_left_out:,} bytes in the middle are left out.")


def _run_row(run: "RunRecord") -> tuple[object, ...]:
    took = "" if run.ended_at is None else f"{(run.ended_at - run.started_at).total_seconds():.0f} s"
    counts = "\n".join(f"{count} {name}" for name, count in sorted(run.counters.items()))
    started = f"{run.started_at:%Y-%m-%d %H:%M}"
    return run.id, run.site_name, run.trigger, started, took, counts, run.exit_reason or "running"


@click.command()
@json_option
@click.option("--site", help="List only pages of this site.")
def pages(*, as_json: bool, site: str | None) -> None:
    """List stored pages, oldest first."""
    with store_session() as session:
        if site is not None:
            sites.get_site(session, site)
        found = stored_pages.list_pages(session, site=site)
        columns = ("url", "title", "chars", "site", "published")
        print_records(
            found, columns, _page_row, as_json=as_json, shape=lambda page: asdict(page) | {"site": page.site_name}
        )


def _page_row(page: "PageRecord") -> tuple[object, ...]:
    at = page.declared.at
    return page.url, page.title, page.chars, page.site_name, at and f"{at:%Y-%m-%d}"
