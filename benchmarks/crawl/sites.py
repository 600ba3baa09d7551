"""`python -m benchmarks.crawl.sites --data DIR`: crawls copies of real sites twice and reports what was stored."""

import contextlib
import gzip
import json
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING
from urllib.parse import quote, urlsplit

import click

from benchmarks.common.processes import crawl_megabytes
from benchmarks.common.stores import opened
from benchmarks.crawl import reposts
from benchmarks.crawl.site_result import HEAD, Crawled, crawled_before
from benchmarks.crawl.web_copies import FRONT_PAGE, WebCopy, copies_in, reached, served_copy
from crawler.discovery.site_proposal import Proposal, discover
from crawler.fetch.fetch import fetch
from crawler.network.loopback_server import LOOPBACK, LoopbackServer
from crawler.outcomes.refusals import Refusal
from crawler.run.crawl_order import CrawlOrder
from crawler.run.crawl_process import crawl_site
from crawler.urls.canonical import canonical_url, identity_of
from matcher.worker.backlog import work_off
from storage.crawl import frontier
from storage.engine import transaction
from storage.errors import NotKnown
from storage.pages import pages
from storage.sites import sites

if TYPE_CHECKING:
    from sqlalchemy import Engine

SHOWN = 40
"""Missed pages that are listed, of all sites together."""

RESULTS = "crawled.jsonl"


@click.command()
@click.option("--data", required=True, type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--only", multiple=True, help="Only sites whose names begin so; may be given several times.")
@click.option(
    "--home",
    type=click.Path(file_okay=False, path_type=Path),
    help="Keep the store here: sites that were crawled to their end are not crawled again.",
)
@click.option("--hits", type=click.Path(dir_okay=False, path_type=Path), help="List every hit here, as JSON lines.")
def main(*, data: Path, only: tuple[str, ...], home: Path | None, hits: Path | None) -> None:
    """Crawl the copies of sites in DATA/sites from loopback, each twice, and compare all of them."""
    data = data.resolve()
    labelled = _labelled(data)
    files: dict[str, Path] = {}
    done: list[Crawled] = []
    with _kept_or_not(home) as kept, opened(kept, fsync=True) as (url, engine):
        before = crawled_before(kept / RESULTS)
        click.echo(HEAD)
        for copy in copies_in(data / "sites"):
            if only and not copy.name.startswith(only):
                continue
            one = before.get(copy.name) or _crawled(url, engine, copy, labelled[copy.name])
            if copy.name not in before:
                with (kept / RESULTS).open("a", encoding="utf-8") as lines:
                    lines.write(one.as_line() + "\n")
            files |= _stored(engine, copy)
            done.append(one)
            click.echo(one.row)
        _summary(done, files)
        work_off(engine, should_stop=lambda: False)
        for line in reposts.repost_lines(engine, data, files, listed_in=hits):
            click.echo(line)


@contextlib.contextmanager
def _kept_or_not(home: Path | None) -> Iterator[Path]:
    """The given folder, or a temporary one."""
    if home is not None:
        home.mkdir(parents=True, exist_ok=True)
        yield home.resolve()
        return
    with tempfile.TemporaryDirectory(dir="/tmp") as made:
        yield Path(made)


def _labelled(data: Path) -> dict[str, set[Path]]:
    found = defaultdict(set)
    with gzip.open(data / "extraction/site_articles.jsonl.gz", "rt", encoding="utf-8") as lines:
        for row in map(json.loads, lines):
            found[row["site"]].add((data / "sites" / row["site"] / row["path"]).resolve())
    return found


def _crawled(url: str, engine: "Engine", copy: WebCopy, labelled: set[Path]) -> Crawled:
    """Crawls one site twice."""
    with served_copy(copy) as server:
        _add(engine, copy, server)
        server.statuses.clear()
        most = 0.0

        def watch(_: Mapping[str, int]) -> None:
            nonlocal most
            most = max(most, crawl_megabytes()[0])

        began = monotonic()
        run = crawl_site(CrawlOrder(url, copy.name, allowed_networks=LOOPBACK, trigger="benchmark"), on_progress=watch)
        took_s = monotonic() - began
        first, again = Counter(server.statuses), Counter[int]()
        server.statuses.clear()
        crawl_site(CrawlOrder(url, copy.name, allowed_networks=LOOPBACK, trigger="benchmark"))
        again.update(server.statuses)
        wanted = frozenset(labelled & reached(copy))
        kept = frozenset(_stored(engine, copy).values())
        missed = {file: _why(engine, file, copy, server) for file in wanted - kept}
    fetched = run.counters.get("pages/fetched", 0)
    return Crawled(copy.name, fetched, wanted, kept, missed, took_s, most, first, again)


def _add(engine: "Engine", copy: WebCopy, server: LoopbackServer) -> None:
    """Adds a site as `site add` does, from its front page; remains of an interrupted crawl are removed first."""
    with transaction(engine) as session, contextlib.suppress(NotKnown):
        sites.remove_site(session, copy.name)
    found = discover(f"{server.address}{copy.prefix}/", fetch=partial(fetch, allowed_networks=LOOPBACK))
    if not isinstance(found, Proposal):
        raise click.ClickException(f"{copy.name} cannot be previewed: {found}")
    with transaction(engine) as session:
        sites.add_site(session, replace(found.settings, name=copy.name, delay_s=0.0), owner=copy.name)


def _stored(engine: "Engine", copy: WebCopy) -> dict[str, Path]:
    with transaction(engine) as session:
        urls = [page.url for page in pages.list_pages(session, site=copy.name)]
    found = {url: copy.file_of(urlsplit(url).path) for url in urls}
    return {url: file for url, file in found.items() if file is not None}


def _why(engine: "Engine", file: Path, copy: WebCopy, server: LoopbackServer) -> str:
    """The recorded outcome of an address that this file answers."""
    path = quote(file.relative_to(copy.root.resolve()).as_posix())
    spellings = dict.fromkeys((path, path.removesuffix(FRONT_PAGE), path.removesuffix(".html")))
    urls = [canonical_url(f"{server.address}{copy.prefix}/{spelling}") for spelling in spellings]
    with transaction(engine) as session:
        site_id = sites.get_site(session, copy.name).id
        known = (frontier.known(session, site_id, identity_of(url)) for url in urls)
        reasons = [one.refusal or f"{one.kind}, {one.state}" for one in known if one is not None]
    return " / ".join(dict.fromkeys(reasons)) or "never met"


def _summary(done: list[Crawled], files: Mapping[str, Path]) -> None:
    labelled = sum(len(one.labelled) for one in done)
    kept = sum(one.kept for one in done)
    click.echo(
        f"{kept} of {labelled} labelled articles stored ({kept / max(1, labelled):.3f}); {len(files)} pages in all"
    )
    missed = [(one.name, file, why) for one in done for file, why in one.missed.items()]
    twins = sum(why == Refusal.DUPLICATE for _, _, why in missed)
    click.echo(f"{twins} more are stored under another address, which they name as theirs")
    for name, file, why in sorted(missed)[:SHOWN]:
        click.echo(f"  missed: {name} {file.name if file.name != 'index.html' else file.parent.name}: {why}")


if __name__ == "__main__":
    main()
