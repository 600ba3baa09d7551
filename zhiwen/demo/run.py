"""Crawls the demo's three sites with the real spider, matches, and prints found copies and innocent articles."""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from crawler.network.loopback_server import LOOPBACK
from crawler.run.crawl_order import CrawlOrder
from crawler.run.crawl_process import crawl_site
from matcher.worker.backlog import work_off
from storage.engine import transaction
from storage.matches import hits
from storage.records.sites import SiteSettings
from storage.sites import sites
from storage.types import Rights, SiteRole
from zhiwen.demo.by_meaning import compared_by_meaning
from zhiwen.demo.judging import FoundCopy, FoundRetelling, Verdict, disguise_seen, judge_demo
from zhiwen.demo.sites import build_sites
from zhiwen.output.terminal import print_table, say

if TYPE_CHECKING:
    from sqlalchemy import Engine

    from zhiwen.config.settings import Settings
    from zhiwen.demo.model import DemoSite


def run_demo(engine: "Engine", url: str, settings: "Settings", addresses: Mapping[str, str]) -> Verdict:
    """Crawls, matches and judges the demo's sites, which must be served at `addresses`. The store must be empty."""
    shown = build_sites(addresses)
    with transaction(engine) as session:
        for site in shown:
            sites.add_site(session, _settings_of(site), owner=site.owner)
    for site in shown:
        run = crawl_site(
            CrawlOrder(
                url,
                site.title,
                allowed_networks=LOOPBACK,
                user_agent=settings.user_agent,
                trigger="demo",
                home=settings.home,
            )
        )
        refused = sum(count for name, count in run.counters.items() if name.startswith("refused/"))
        say(f"Crawled {site.title}: {run.counters.get('articles/new', 0)} articles, {refused} other pages refused.")
    done = work_off(engine, should_stop=lambda: False)
    say(f"Compared {done.compared} articles with each other.")
    retellings = compared_by_meaning(engine, settings)
    with transaction(engine) as session:
        return judge_demo(shown, hits.list_hits(session), retellings)


def _settings_of(site: "DemoSite") -> SiteSettings:
    is_original = site.role == "original"
    return SiteSettings(
        name=site.title,
        start_urls=(site.address + site.start_path,),
        hosts=(site.address.partition("://")[2],),
        role=SiteRole.ORIGINAL if is_original else SiteRole.WATCHED,
        sitemaps=() if site.sitemap_path is None else (site.address + site.sitemap_path,),
        feeds=() if site.feed_path is None else (site.address + site.feed_path,),
        delay_s=0.0,
        rights=Rights.OWN if is_original else Rights.UNKNOWN,
    )


def show(verdict: Verdict) -> None:
    """Prints the table of copies, the false hits, and how many innocent articles were left alone."""
    rows = [row for found in verdict.copies for row in _rows(found)]
    columns = ("copy", "from", "taken", "kind", "how it was disguised", "seen", "credit", "sure", "right")
    print_table(columns, rows, title="Copies")
    for hit in verdict.false_hits:
        say(f"FALSE: {hit.copy.url} is said to copy {hit.source.url} ({hit.copy.share:.0%}, {hit.kind})")
    complete = sum(not copy.missing for copy in verdict.copies)
    say(f"{complete} of {len(verdict.copies)} planted copies found, {len(verdict.false_hits)} false.")
    _show_retellings(verdict)
    alone = len(verdict.left_alone)
    say(f"{alone} innocent articles, on the same subjects and with the same legal notice, left alone.")


def _show_retellings(verdict: Verdict) -> None:
    if verdict.retellings is None:
        return
    rows = [_retelling_row(one) for one in verdict.retellings]
    columns = ("similar page", "to", "kind", "sentences", "in order", "figures", "score", "sure", "right")
    print_table(columns, rows, title="Possible retellings: similar in meaning, for a person to judge")
    for one in verdict.false_retellings:
        say(f"FALSE: {one.copy.url} is named as {one.kind} of {one.source.url} (score {one.score:.2f})")
    named = sum(one.is_right for one in verdict.retellings)
    say(
        f"{named} of {len(verdict.retellings)} retellings found and named right, {len(verdict.false_retellings)} false."
    )


def _retelling_row(one: FoundRetelling) -> tuple[str, ...]:
    found = one.found
    if found is None:
        return one.url, one.source_url, str(one.planted.retelling), "", "", "", "", "", "MISSED"
    shared, most = found.figures
    return (
        *(found.copy.title, found.source.title, found.kind.value, str(len(found.sentences)), str(found.in_order)),
        *(f"{shared} of {most}", f"{found.score:.2f}", f"{found.confidence:.0%}", "yes" if one.is_right else "NO"),
    )


def _rows(found: FoundCopy) -> Iterator[tuple[str, ...]]:
    right = "yes" if found.is_right else "NO"
    for hit in found.hits:
        yield (
            *(hit.copy.title, hit.source.title, f"{hit.copy.share:.0%}", hit.kind.value, found.planted.disguise.value),
            *(disguise_seen(hit), hit.credit.value, f"{hit.confidence:.0%}", right),
        )
    for source in found.missing:
        yield (found.url, source, "", "", found.planted.disguise.value, "", "", "", "MISSED")
