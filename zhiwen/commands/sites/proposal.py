"""The proposal of `site add`: settings found on the site, overridden by those of the command line."""

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from crawler.browser.availability import what_is_missing
from crawler.discovery.site_proposal import Sample, discover
from crawler.outcomes.refusal_words import in_words
from crawler.outcomes.refusals import Refusal
from storage.records.sites import SiteSettings
from storage.types import Rights, SiteRole
from zhiwen.output.terminal import fail, say
from zhiwen.wiring import fetch_page

if TYPE_CHECKING:
    from zhiwen.config.settings import Settings


def _shown(sample: Sample) -> str:
    if isinstance(sample.outcome, Refusal):
        return f"  not an article: {sample.url} ({in_words(sample.outcome)})"
    return f"  article: {sample.outcome.title or sample.url}, {len(sample.outcome.text)} characters"


def _bare(missing: str | None) -> str:
    if missing is None:
        return "Its pages are empty, even in a browser: perhaps they require a login."
    return f"Its pages are empty without a browser. They may be readable in one, but none can be used here: {missing}."


def propose(url: str, settings: "Settings", given: Mapping[str, Any], *, browser: bool) -> SiteSettings:
    """Fetches the site's front page and robots.txt. `given`: fields of the settings, which override what is found.

    Fails with a message where the site cannot be fetched.
    """
    get = partial(fetch_page, settings)
    missing = what_is_missing()
    opened = None if missing is not None else partial(get, in_browser=True)
    if browser and missing is not None:
        say(f"No browser can be used here ({missing}): its pages are fetched without one.")
    found = discover(url, fetch=get, open_page=opened if browser else None, browser=opened)
    if isinstance(found, Refusal):
        fail(f"{url} cannot be previewed: {in_words(found)}.")
    say(f"{found.title or url} answers.")
    for sample in found.samples:
        say(_shown(sample))
    if found.settings.browser and not browser:
        say("Its pages are empty without a browser, and readable in one: the crawl will use a browser.")
    elif found.is_bare:
        say(_bare(missing))
    is_original = given.get("role") is SiteRole.ORIGINAL
    return replace(
        replace(found.settings, time_zone=settings.time_zone, browser=browser or found.settings.browser),
        rights=Rights.OWN if is_original else Rights.UNKNOWN,
        **given,
    )
