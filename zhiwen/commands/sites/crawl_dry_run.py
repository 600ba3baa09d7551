"""`crawl --dry-run`: what would be asked for, and how long that takes at least."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Final

from crawler.urls.canonical import canonical_url
from storage.crawl import politeness
from storage.crawl.dry_run import CrawlOutlook, outlook
from storage.engine import transaction
from zhiwen.output.terminal import print_json, print_table

if TYPE_CHECKING:
    from sqlalchemy import Engine

    from storage.records.crawl import Manners
    from storage.records.sites import SiteRecord

SHOWN: Final = 20
MINUTE_S: Final = 60


def show(engine: "Engine", chosen: Sequence["SiteRecord"], *, revisit: bool, as_json: bool) -> None:
    """Asks no site for anything."""
    rows = []
    for site in chosen:
        with transaction(engine) as session:
            found = outlook(session, site.id, site.settings.name, _entries(site), shown=SHOWN, everything=revisit)
            kept_to = politeness.get_manners(session, site.id)
        if as_json:
            print_json(asdict(found) | {"requests": found.requests})
            continue
        rows.append(
            (found.site, len(found.entries), _due(found), "\n".join(found.first), _bounds(site, found, kept_to))
        )
    if not as_json:
        print_table(("site", "entries", "due", "of them first", "bounds"), rows)


def _entries(site: "SiteRecord") -> list[str]:
    chosen = site.settings
    return [canonical_url(url) for url in (*chosen.sitemaps, *chosen.feeds, *chosen.start_urls)]


def _due(found: CrawlOutlook) -> str:
    counts = [f"{count} × {kind}" for kind, count in sorted(found.due.items())]
    later = [f"more from {found.next_due_at:%Y-%m-%d %H:%M} UTC on"] if found.next_due_at else []
    return "\n".join([*counts, *later]) or "nothing yet"


def _bounds(site: "SiteRecord", found: CrawlOutlook, kept_to: "Manners") -> str:
    chosen = site.settings
    told = [f"one request every {chosen.delay_s:g} s: {found.requests * chosen.delay_s / MINUTE_S:.0f} min at least"]
    if chosen.page_budget is not None:
        told.append(f"{chosen.page_budget:,} pages at most")
    if kept_to.window_start is not None and kept_to.window_end is not None:
        told.append(f"from {kept_to.window_start:%H:%M} to {kept_to.window_end:%H:%M} ({chosen.time_zone})")
    return "\n".join(told)
