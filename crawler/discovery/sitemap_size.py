"""How many addresses the sitemaps of a site list, for people who decide whether to watch it. Pure but for `fetch`."""

import re
import zlib
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from html import unescape
from typing import Final
from urllib.parse import urljoin

from crawler.fetch.fetch import Fetched
from crawler.outcomes.refusals import Refusal

MOST_SITEMAPS: Final = 4
"""Fetched for one answer: a person waits for it."""
MOST_BYTES: Final = 50_000_000
"""Unpacked, of one sitemap; what sitemaps.org allows."""

_LOCATION: Final = re.compile(rb"<(?:[\w.-]{1,20}:)?loc\s{0,20}>\s{0,200}([^<\s]{0,2000})")
_INDEX: Final = re.compile(rb"<(?:[\w.-]{1,20}:)?sitemapindex[\s>]")
_ROOT_REACH: Final = 2_000
_GZIP: Final = b"\x1f\x8b"
_ANY_HEADER: Final = 47
"""zlib's word for “gzip or zlib, as the data say”."""


@dataclass(frozen=True, slots=True)
class Listed:
    """`is_whole`: False if sitemaps were left out or cut, so that there are more addresses."""

    addresses: int
    is_whole: bool


def listed_addresses(sitemaps: Iterable[str], fetch: Callable[[str], Fetched | Refusal]) -> Listed:
    """Count the addresses in these sitemaps and those that they name, in at most MOST_SITEMAPS of them."""
    waiting = deque(dict.fromkeys(sitemaps))
    fetched, addresses, is_whole = 0, 0, True
    while waiting and fetched < MOST_SITEMAPS:
        url = waiting.popleft()
        page = fetch(url)
        fetched += 1
        if isinstance(page, Refusal):
            is_whole = False
            continue
        body, is_cut = _unpacked(page.body)
        is_whole &= not is_cut
        if _INDEX.search(body, 0, _ROOT_REACH):
            waiting.extend(_named(body, page.url, most=MOST_SITEMAPS + 1))
        else:
            addresses += sum(1 for _found in _LOCATION.finditer(body))
    return Listed(addresses, is_whole and not waiting)


def _named(body: bytes, url: str, *, most: int) -> list[str]:
    found = []
    for one in _LOCATION.finditer(body):
        try:
            found.append(urljoin(url, unescape(one[1].decode("utf-8", "replace"))))
        except ValueError:
            continue
        if len(found) == most:
            break
    return found


def _unpacked(body: bytes) -> tuple[bytes, bool]:
    """The sitemap without its compression, and whether some of it is missing."""
    if not body.startswith(_GZIP):
        return body[:MOST_BYTES], len(body) > MOST_BYTES
    unpacking = zlib.decompressobj(_ANY_HEADER)
    try:
        content = unpacking.decompress(body, MOST_BYTES)
    except zlib.error:
        return b"", True
    return content, not unpacking.eof
