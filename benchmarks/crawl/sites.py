"""`python -m benchmarks.crawl.sites --data DIR`: crawls copies of real sites twice, and tells what was brought home."""

import gzip
import json
import tempfile
from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import click

from benchmarks.crawl.memory import crawl_megabytes
from benchmarks.crawl.serving import LOOPBACK, CopyServer, served_copy
from benchmarks.crawl.web_copies import WebCopy, copies_in, reached
from crawler.discover import Proposal, discover
from crawler.fetch import fetch
from crawler.run import crawl_site
from matcher.backlog import work_off
from storage import embedded, matches, migrate, pages, sites
from storage.engine import make_engine, transaction
from storage.records import HitFilter, RunRecord

if TYPE_CHECKING:
    from sqlalchemy import Engine

MOST_HITS = 100_000
SHOWN = 40
"""Missed pages of all sites that are named."""


@dataclass(frozen=True, slots=True)
class Crawled:
    """One site after two crawls. `labelled` are files of articles that its own links reach, `stored` all that became a
    page; `missed` says of labelled ones why they did not.
    """

    name: str
    pages: int
    labelled: frozenset[Path]
    stored: frozenset[Path]
    missed: Mapping[Path, str]
    seconds: float
    megabytes: float
    first: Counter[int]
    second: Counter[int]

    @property
    def row(self) -> str:
        kept = len(self.labelled & self.stored)
        share = kept / len(self.labelled) if self.labelled else 1.0
        again = f"{self.second.total()} ({self.second[304]})"
        rate = self.pages / self.seconds
        return (
            f"{self.name[:28]:28}{self.pages:7}{rate:9.1f}{self.megabytes:6.0f}{len(self.stored):8}"
            f"{len(self.labelled):10}{kept:7}{share:7.3f}{self.first.total():10}{again:>12}"
        )


HEAD = (
    f"{'site':28}{'pages':>7}{'pages/s':>9}{'MB':>6}{'stored':>8}{'labelled':>10}{'kept':>7}{'share':>7}"
    f"{'asked':>10}{'again (304)':>12}"
)


@click.command()
@click.option("--data", required=True, type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--only", multiple=True, help="Only sites whose names begin so; may be given several times.")
def main(*, data: Path, only: tuple[str, ...]) -> None:
    """Crawl the copies of sites in DATA/sites from loopback, each twice, and compare all of them."""
    data = data.resolve()
    labelled = _labelled(data)
    files: dict[str, Path] = {}
    done: list[Crawled] = []
    with tempfile.TemporaryDirectory(dir="/tmp") as home:
        url = embedded.ensure_running(Path(home))
        engine = make_engine(url)
        try:
            migrate.upgrade(url)
            click.echo(HEAD)
            for copy in copies_in(data / "sites"):
                if only and not copy.name.startswith(only):
                    continue
                done.append(_crawled(url, engine, copy, labelled[copy.name], files))
                click.echo(done[-1].row)
            _summary(done, files)
            work_off(engine, should_stop=lambda: False)
            _tell_reposts(engine, data, files)
        finally:
            engine.dispose()
            embedded.stop(Path(home))


def _labelled(data: Path) -> dict[str, set[Path]]:
    found = defaultdict(set)
    with gzip.open(data / "extraction/site_articles.jsonl.gz", "rt", encoding="utf-8") as lines:
        for row in map(json.loads, lines):
            found[row["site"]].add((data / "sites" / row["site"] / row["path"]).resolve())
    return found


def _crawled(url: str, engine: "Engine", copy: WebCopy, labelled: set[Path], files: dict[str, Path]) -> Crawled:
    """Crawls one site twice; `files` learns which file stands at each address that was stored."""
    with served_copy(copy) as server:
        _add(engine, copy, server)
        server.asked.clear()
        most = 0.0

        def watch(_: Mapping[str, int]) -> None:
            nonlocal most
            most = max(most, crawl_megabytes()[0])

        began = monotonic()
        run = crawl_site(url, copy.name, allowed_networks=LOOPBACK, trigger="benchmark", on_progress=watch)
        took_s = monotonic() - began
        first, again = Counter(server.asked), Counter[int]()
        server.asked.clear()
        crawl_site(url, copy.name, allowed_networks=LOOPBACK, trigger="benchmark")
        again.update(server.asked)
        stored = _stored(engine, copy)
    files.update(stored)
    wanted = frozenset(labelled & reached(copy))
    kept = frozenset(stored.values())
    missed = {file: _why(file, copy, run) for file in wanted - kept}
    fetched = run.counters.get("pages/fetched", 0)
    return Crawled(copy.name, fetched, wanted, kept, missed, took_s, most, first, again)


def _add(engine: "Engine", copy: WebCopy, server: CopyServer) -> None:
    """As `site add` does, from the one address of the front page."""
    found = discover(f"{server.base}{copy.prefix}/", fetch=partial(fetch, allowed_networks=LOOPBACK))
    if not isinstance(found, Proposal):
        raise click.ClickException(f"{copy.name} cannot be looked at: {found}")
    with transaction(engine) as session:
        sites.add_site(session, replace(found.settings, name=copy.name, delay_s=0.0), owner=copy.name)


def _stored(engine: "Engine", copy: WebCopy) -> dict[str, Path]:
    with transaction(engine) as session:
        urls = [page.url for page in pages.list_pages(session, site=copy.name)]
    found = {url: copy.file_of(urlsplit(url).path) for url in urls}
    return {url: file for url, file in found.items() if file is not None}


def _why(file: Path, copy: WebCopy, run: RunRecord) -> str:
    """The reason among the samples of the run, which hold the first addresses of each."""
    for reason, urls in run.refusal_samples.items():
        if any(copy.file_of(urlsplit(url).path) == file for url in urls):
            return reason
    return "?"


def _summary(done: list[Crawled], files: Mapping[str, Path]) -> None:
    labelled = sum(len(one.labelled) for one in done)
    kept = sum(len(one.labelled & one.stored) for one in done)
    click.echo(
        f"{kept} of {labelled} labelled articles stored ({kept / max(1, labelled):.3f}); {len(files)} pages in all"
    )
    missed = [(one.name, file, why) for one in done for file, why in one.missed.items()]
    for name, file, why in sorted(missed)[:SHOWN]:
        click.echo(f"  missed: {name} {file.name if file.name != 'index.html' else file.parent.name}: {why}")


def _tell_reposts(engine: "Engine", data: Path, files: Mapping[str, Path]) -> None:
    with transaction(engine) as session:
        hits = matches.list_hits(session, HitFilter(), limit=MOST_HITS)
    found = {frozenset((files.get(hit.copy.url), files.get(hit.source.url))) for hit in hits}
    known = set(files.values())
    with gzip.open(data / "site_reposts.jsonl.gz", "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    pairs = {frozenset((data / "sites" / row[side]).resolve() for side in "ab"): row for row in rows}
    here = {pair: row for pair, row in pairs.items() if pair <= known}
    click.echo(f"{len(hits)} hits between sites; of {len(here)} known reposts whose pages are stored:")
    for kind, count in Counter(row["label"] for row in here.values()).items():
        right = sum(row["label"] == kind and pair in found for pair, row in here.items())
        click.echo(f"  {kind}: {right} of {count}")
    for hit in hits[:SHOWN]:
        pair = frozenset((files.get(hit.copy.url), files.get(hit.source.url)))
        mark = "known" if pair in pairs else "new"
        click.echo(
            f"  {mark:6}{hit.kind!s:14}{hit.score:.2f} {hit.longest:6} {hit.copy.title[:30]} | {hit.source.title[:30]}"
        )


if __name__ == "__main__":
    main()
