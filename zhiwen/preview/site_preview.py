"""Previews of sites and pages for the desk, in a child process with limits of time and memory, behind the SSRF guard.

Reading a page from outside may hang or crash the reader, and the desk must keep running.
"""

import json
import os
import resource
import signal
import subprocess
import sys
from collections.abc import Callable, Mapping
from dataclasses import asdict, replace
from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urljoin, urlsplit

from crawler.discovery.site_preview import PagePreview, SamplePreview, SitePreview
from crawler.outcomes.refusals import Refusal
from crawler.processes import fork_server
from storage.records.sites import SiteSettings

if TYPE_CHECKING:
    from crawler.discovery.site_proposal import Sample
    from crawler.fetch.fetch import Fetched
    from zhiwen.config.settings import Settings

DEADLINE_S: Final = 120.0
"""For all requests: a front page, robots.txt, a sitemap and three articles, each in a process of its own, and perhaps
some of them again in a browser."""
MEMORY_BYTES: Final = 3_000_000_000
"""Address space of the child, the same as of a crawl's reader processes."""
SHOWN_CHARACTERS: Final = 20_000
"""Most characters of an article's text: enough to see whether it is complete."""

_WEB: Final = frozenset({"http", "https"})
"""Other schemes are addresses of imported files."""
_ROOT_REACH: Final = 2_000
"""Bytes in which the root element of a feed or a sitemap is searched."""
_FEED_ROOTS: Final = (b"<rss", b"<feed", b"<rdf:RDF", b'"https://jsonfeed.org/')
_SITEMAP_ROOTS: Final = (b"<urlset", b"<sitemapindex")
_LISTS: Final = ("start_urls", "hosts", "sitemaps", "feeds", "allow", "deny")

_Get = Callable[[str], "Fetched | Refusal"]


def preview_site(settings: "Settings", url: str) -> SitePreview | Refusal:
    """Proposes settings for the site at `url`, which may also be a feed or a sitemap. Blocks up to DEADLINE_S."""
    answer = _answer_of({"look": "site", "url": url}, settings)
    if isinstance(answer, Refusal):
        return answer
    lists = {name: tuple(answer["settings"][name]) for name in _LISTS}
    found = SiteSettings(**{**answer["settings"], **lists, "time_zone": settings.time_zone})
    samples = tuple(SamplePreview(**{**sample, "refusal": _refusal(sample["refusal"])}) for sample in answer["samples"])
    return SitePreview(found, answer["title"], samples)


def preview_page(
    settings: "Settings", url: str, rule: Mapping[str, Any] | None, time_zone: str, *, in_browser: bool = False
) -> PagePreview | Refusal:
    """Reads a page by `rule`, which must be valid. `in_browser` requires a browser. Blocks up to DEADLINE_S."""
    order = {"look": "page", "url": url, "rule": dict(rule or {}), "time_zone": time_zone, "in_browser": in_browser}
    answer = _answer_of(order, settings)
    if isinstance(answer, Refusal):
        return answer
    at = answer["published_at"]
    changed = {"published_at": at and datetime.fromisoformat(at), "credit_lines": tuple(answer["credit_lines"])}
    return PagePreview(**{**answer, **changed})


def _answer_of(order: dict[str, Any], settings: "Settings") -> dict[str, Any] | Refusal:
    whole = {**order, "networks": [str(network) for network in settings.allowed_networks]}
    child = subprocess.Popen(
        [sys.executable, "-P", "-m", "zhiwen.preview.site_preview"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        # A process group: the child's own children are killed with it.
        start_new_session=True,
    )
    with child:
        try:
            output, _ = child.communicate(json.dumps(whole | {"user_agent": settings.user_agent}).encode(), DEADLINE_S)
        except subprocess.TimeoutExpired:
            os.killpg(child.pid, signal.SIGKILL)
            return Refusal.PARSE_DEADLINE
    try:
        answer = json.loads(output)
    except ValueError:
        return Refusal.PARSER_DIED
    return Refusal(answer["refused"]) if "refused" in answer else answer


def _refusal(value: str | None) -> Refusal | None:
    return None if value is None else Refusal(value)


def main() -> None:
    """The child process: reads one request from stdin and writes its answer to stdout."""
    # Each page is fetched in a process of its own; loading its modules is most of the cost.
    fork_server.from_this_process()
    # A soft limit: it is lifted for a browser.
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, resource.getrlimit(resource.RLIMIT_AS)[1]))
    order = json.load(sys.stdin)
    json.dump(_answer(order), sys.stdout, default=str)


def _answer(order: Mapping[str, Any]) -> dict[str, Any]:
    from crawler.browser.availability import what_is_missing  # noqa: PLC0415  # loads the crawler, in the child only
    from crawler.fetch.fetch import fetch  # noqa: PLC0415
    from crawler.network.public_addresses import networks  # noqa: PLC0415
    from crawler.outcomes.errors import UnusableUrl  # noqa: PLC0415
    from crawler.urls.canonical import canonical_url  # noqa: PLC0415

    plainly = partial(fetch, allowed_networks=networks(order["networks"]), user_agent=order["user_agent"])
    get = _remembering(partial(plainly, in_browser=order.get("in_browser", False)))
    browser = None if what_is_missing() else partial(plainly, in_browser=True)
    try:
        if urlsplit(canonical_url(order["url"])).scheme not in _WEB:
            return {"refused": Refusal.UNUSABLE_URL}
        return _site(order["url"], get, browser) if order["look"] == "site" else _page(order, get)
    except UnusableUrl:
        return {"refused": Refusal.UNUSABLE_URL}


def _remembering(get: _Get) -> _Get:
    """Remembers responses: the address is fetched to see its type, and is often the front page."""
    fetched: dict[str, Fetched | Refusal] = {}

    def remembered(url: str) -> "Fetched | Refusal":
        if url not in fetched:
            fetched[url] = get(url)
        return fetched[url]

    return remembered


def _site(url: str, get: _Get, browser: _Get | None) -> dict[str, Any]:
    from crawler.discovery.site_proposal import discover  # noqa: PLC0415
    from crawler.urls.canonical import canonical_url  # noqa: PLC0415

    first = get(canonical_url(url))
    if isinstance(first, Refusal):
        return {"refused": first}
    field = _list_at(first.body[:_ROOT_REACH])
    front = url if field is None else urljoin(first.url, "/")
    found = discover(front, fetch=get, browser=browser)
    if isinstance(found, Refusal):
        return {"refused": found}
    settings = found.settings
    if field is not None:
        addresses = tuple(dict.fromkeys((first.url, *getattr(settings, field))))
        lists: dict[str, Any] = {field: addresses}
        settings = replace(settings, **lists)
    return {"settings": asdict(settings), "title": found.title, "samples": [_sample(one) for one in found.samples]}


def _list_at(beginning: bytes) -> str | None:
    """The setting that an address belongs to, by its content; None for a page."""
    if any(root in beginning for root in _SITEMAP_ROOTS):
        return "sitemaps"
    return "feeds" if any(root in beginning for root in _FEED_ROOTS) else None


def _sample(sample: "Sample") -> dict[str, Any]:
    if isinstance(sample.outcome, Refusal):
        return {"url": sample.url, "refusal": sample.outcome}
    return {"url": sample.url, "refusal": None, "title": sample.outcome.title, "chars": len(sample.outcome.text)}


def _page(order: Mapping[str, Any], get: _Get) -> dict[str, Any]:
    from crawler.extraction.site_rule import ExtractionRule  # noqa: PLC0415
    from zhiwen.preview.page_preview import article_facts, read_by_rule  # noqa: PLC0415

    rule = ExtractionRule.of(order["rule"])
    found, parts = read_by_rule(order["url"], get=get, rule=rule, time_zone=order["time_zone"])
    if isinstance(found, Refusal):
        return {"refused": found}
    return {"url": order["url"], **article_facts(found, parts), "text": found.text[:SHOWN_CHARACTERS]}


if __name__ == "__main__":
    main()
