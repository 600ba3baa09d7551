"""What a person typed for a site: the addresses it may mean, and a name for what stands there (pure)."""

import ipaddress
import re
from collections.abc import Collection
from typing import Final
from urllib.parse import urlsplit

from crawler.outcomes.errors import CrawlerError
from crawler.outcomes.refusals import Refusal
from crawler.urls.canonical import web_url

NO_ANSWER_BY_HTTPS: Final = frozenset({Refusal.UNREACHABLE, Refusal.TIMEOUT, Refusal.BROKEN_RESPONSE})
"""Refusals after which a host without a scheme is asked by http: it may have no https."""

LONGEST_NAME: Final = 60
_SEPARATORS: Final = re.compile(r"\s*[_|｜·•»]\s*|\s+[-–—:：]\s+|\s*[–—]\s*|-(?=[^\x00-\x7f])|(?<=[^\x00-\x7f])-")
_MARKUP: Final = re.compile(r"[<>{}\"\\\x00-\x1f\ufffd]")
"""In no name, but in titles that were not read properly."""
_LETTERS: Final = re.compile(r"[^\W\d_]{2}")
_GENERIC: Final = frozenset(
    {
        "首页",
        "首頁",
        "主页",
        "网站首页",
        "官方网站",
        "官网",
        "欢迎访问",
        "home",
        "homepage",
        "home page",
        "index",
        "welcome",
    }
)


def meant_addresses(text: str) -> tuple[str, ...]:
    """The web addresses that `text` may mean, the likeliest first: without a scheme, https and then http.

    None where it is no address: other schemes, words with spaces, and a bare word without a dot.
    """
    has_scheme = "://" in text
    found = (text,) if has_scheme else (f"https://{text}", f"http://{text}")
    try:
        for one in found:
            web_url(one)
        parts = urlsplit(found[0])
    except (CrawlerError, ValueError):
        return ()
    is_named = has_scheme or (_is_named(parts.hostname or "") and "@" not in parts.netloc)
    if re.search(r"\s", text) or not is_named:
        return ()
    return found


def name_of_site(title: str, host: str, *, taken: Collection[str] = ()) -> str:
    """A name for a site: the part of its front page's title that is no general word, else its host without `www.`.

    A name that another site has is not proposed again.
    """
    pieces = (" ".join(piece.split()) for piece in _SEPARATORS.split("" if _MARKUP.search(title) else title))
    named = [piece for piece in pieces if _LETTERS.search(piece) and piece.casefold() not in _GENERIC]
    found = named[0] if named and len(named[0]) <= LONGEST_NAME else ""
    return found if found and found not in taken else host.removeprefix("www.")


def _is_named(host: str) -> bool:
    """Whether a host without a scheme is one: it has a dot, or is an address of a network, or this machine."""
    if "." in host.strip(".") or host == "localhost":
        return True
    try:
        return bool(ipaddress.ip_address(host))
    except ValueError:
        return False
