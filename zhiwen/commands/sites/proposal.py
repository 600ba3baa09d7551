"""What `site add` proposes: what the site says of itself, overruled by what the command line says."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from crawler.browser.availability import what_is_missing
from crawler.discovery.site_proposal import Sample, discover
from crawler.fetch.fetch import fetch
from crawler.outcomes.errors import CrawlerError
from crawler.outcomes.refusal_words import in_words
from crawler.outcomes.refusals import Refusal
from crawler.urls.patterns import check_patterns
from storage.records.sites import SiteSettings
from storage.types import Rights, SiteRole
from zhiwen.output.terminal import fail, say

if TYPE_CHECKING:
    from zhiwen.config.settings import Settings


def _shown(sample: Sample) -> str:
    if isinstance(sample.outcome, Refusal):
        return f"  not an article: {sample.url} ({in_words(sample.outcome)})"
    return f"  article: {sample.outcome.title or sample.url}, {len(sample.outcome.text)} characters"


def _bare(missing: str | None) -> str:
    if missing is None:
        return "Its pages show nothing, not even in a browser: perhaps they want a log-in."
    return f"Its pages show nothing as they are sent. In a browser they may, but none can be used here: {missing}."


def propose(
    url: str,
    settings: "Settings",
    *,
    name: str | None,
    role: str,
    sitemaps: Sequence[str],
    feeds: Sequence[str],
    allow: Sequence[str],
    deny: Sequence[str],
    delay: float,
    max_pages: int | None,
    time_zone: str | None,
    browser: bool,
) -> SiteSettings:
    """Looks at the site's front page and robots.txt. Fails with a message where they cannot be had."""
    get = partial(fetch, allowed_networks=settings.allowed_networks, user_agent=settings.user_agent)
    missing = what_is_missing()
    opened = None if missing is not None else partial(get, in_browser=True)
    if browser and missing is not None:
        say(f"Its pages are looked at as they are sent, for no browser can open them here: {missing}.")
    try:
        found = discover(url, fetch=get, open_page=opened if browser else None, browser=opened)
        if isinstance(found, Refusal):
            fail(f"{url} cannot be looked at: {in_words(found)}.")
        say(f"{found.title or url} answers.")
        for sample in found.samples:
            say(_shown(sample))
        if found.settings.browser and not browser:
            say("Its pages show nothing as they are sent, but do in a browser: the crawl will open them in one.")
        elif found.is_bare:
            say(_bare(missing))
        check_patterns((*allow, *deny))
    except CrawlerError as error:
        fail(str(error))
    is_original = role == SiteRole.ORIGINAL
    return replace(
        found.settings,
        name=name or found.settings.name,
        role=SiteRole(role),
        sitemaps=tuple(sitemaps) or found.settings.sitemaps,
        feeds=tuple(feeds) or found.settings.feeds,
        allow=tuple(allow),
        deny=tuple(deny),
        delay_s=delay,
        page_budget=max_pages,
        time_zone=time_zone or settings.time_zone,
        browser=browser or found.settings.browser,
        rights=Rights.OWN if is_original else Rights.UNKNOWN,
    )
