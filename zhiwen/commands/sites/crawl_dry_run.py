"""`crawl --dry-run`: the URLs that a crawl would fetch, and the least time it would take."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Final

from crawler.urls.canonical import canonical_url
from storage.crawl import politeness
from storage.crawl.dry_run import CrawlOutlook, outlook
from storage.engine import transaction
from zhiwen.output.terminal import print_records

if TYPE_CHECKING:
    from sqlalchemy import Engine

    from storage.records.crawl import Politeness
    from storage.records.sites import SiteRecord

SHOWN: Final = 20
MINUTE_S: Final = 60


def show(engine: "Engine", chosen: Sequence["SiteRecord"], *, revisit: bool, as_json: bool) -> None:
    """Prints the plan of a crawl; makes no request."""
    found = []
    for site in chosen:
        with transaction(engine) as session:
            seen = outlook(session, site.id, site.settings.name, _entries(site), shown=SHOWN, everything=revisit)
            found.append((site, seen, politeness.get_politeness(session, site.id)))
    print_records(
        found,
        ("site", "entries", "due", "first", "limits"),
        lambda one: (one[1].site, len(one[1].entries), _due(one[1]), "\n".join(one[1].first), _limits(*one)),
        as_json=as_json,
        shape=lambda one: asdict(one[1]) | {"requests": one[1].requests},
    )


def _entries(site: "SiteRecord") -> list[str]:
    chosen = site.settings
    return [canonical_url(url) for url in (*chosen.sitemaps, *chosen.feeds, *chosen.start_urls)]


def _due(found: CrawlOutlook) -> str:
    counts = [f"{count} × {kind}" for kind, count in sorted(found.due.items())]
    later = [f"more from {found.next_due_at:%Y-%m-%d %H:%M} UTC on"] if found.next_due_at else []
    return "\n".join([*counts, *later]) or "nothing yet"


def _limits(site: "SiteRecord", found: CrawlOutlook, rules: "Politeness") -> str:
    chosen = site.settings
    limits = [f"one request every {chosen.delay_s:g} s: {found.requests * chosen.delay_s / MINUTE_S:.0f} min at least"]
    if chosen.page_budget is not None:
        limits.append(f"{chosen.page_budget:,} pages at most")
    if rules.window_start is not None and rules.window_end is not None:
        limits.append(f"from {rules.window_start:%H:%M} to {rules.window_end:%H:%M} ({chosen.time_zone})")
    return "\n".join(limits)
