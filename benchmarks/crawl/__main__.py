"""`python -m benchmarks.crawl`: crawls a generated site of many pages and prints speed and memory."""

import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from time import monotonic, sleep

import click

from benchmarks.common.processes import crawl_megabytes
from benchmarks.common.stores import add_whole_site, opened
from benchmarks.crawl.generated import served
from crawler.network.loopback_server import LOOPBACK
from crawler.run.crawl_order import CrawlOrder
from crawler.run.crawl_process import crawl_site
from storage.analytics import row_counts
from storage.embedded import server
from storage.engine import transaction

SITE = "generated"


@click.command()
@click.option("--pages", type=click.IntRange(1), default=100_000, show_default=True, help="Articles of the site.")
@click.option("--every", type=click.IntRange(1), default=5_000, show_default=True, help="Pages between two lines.")
@click.option("--outage", type=click.FloatRange(0), default=0.0, help="Seconds for which the database is shut down.")
def main(*, pages: int, every: int, outage: float) -> None:
    """Crawl a generated site into a database made for it, and print pages, seconds and megabytes.

    Spider and readers are listed separately: a reader keeps its tables and what the libraries keep. With --outage the
    database is shut down after the first line, and started again.
    """
    with (
        tempfile.TemporaryDirectory(dir="/tmp") as home,
        served(pages) as web,
        opened(Path(home), fsync=True) as (url, engine),
    ):
        add_whole_site(engine, SITE, web)
        click.echo(f"{'pages':>8}{'s':>8}{'pages/s':>9}{'spider MB':>11}{'readers MB':>12}")
        lines = _Lines(every, lambda: _shut_down(Path(home), outage) if outage else None)
        order = CrawlOrder(url, SITE, allowed_networks=LOOPBACK, trigger="benchmark")
        run = crawl_site(order, on_progress=lines.progress)
        lines.line(run.counters)
        click.echo(f"{run.exit_reason}: {dict(run.counters)}")
        with transaction(engine) as session:
            click.echo(f"{row_counts.summary(session).pages} articles stored of {pages}")


class _Lines:
    """Prints lines of progress. `after_first`: called after the first one."""

    def __init__(self, every: int, after_first: Callable[[], None]) -> None:
        self._every = every
        self._after_first = after_first
        self._next = every
        self._began = monotonic()

    def progress(self, counters: Mapping[str, int]) -> None:
        if counters.get("pages/fetched", 0) >= self._next:
            is_first = self._next == self._every
            self.line(counters)
            if is_first:
                self._after_first()

    def line(self, counters: Mapping[str, int]) -> None:
        done, took_s = counters.get("pages/fetched", 0), monotonic() - self._began
        self._next = done - done % self._every + self._every
        spider, readers = crawl_megabytes()
        click.echo(f"{done:8}{took_s:8.0f}{done / took_s:9.1f}{spider:11.0f}{readers:12.0f}")


def _shut_down(home: Path, seconds: float) -> None:
    server.stop(home)
    click.echo(f"{'':8}the database is away for {seconds:.0f} s")
    sleep(seconds)
    server.ensure_running(home)


if __name__ == "__main__":
    main()
