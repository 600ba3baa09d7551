"""Which links of a page lead to contact and copyright pages: by their words and addresses, in both languages. Pure."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final
from urllib.parse import unquote, urlsplit

from crawler.contacts.domains import registered_domain
from crawler.urls.canonical import host_of
from storage.records.correspondence.contacts import ContactRole

MOST_LINKS: Final = 2_000
"""Links of a page that are looked at."""
LONGEST_WORDS: Final = 40
"""Characters of a link's words: longer ones are headlines, which may speak of copyright too."""

_WORDS: Final[tuple[tuple[ContactRole, re.Pattern[str]], ...]] = (
    (
        ContactRole.COPYRIGHT,
        re.compile(
            r"版权|版權|侵权|侵權|著作权|著作權|维权|維權|投诉|投訴|举报|舉報|不良信息"
            r"|copyright|dmca|infring|take-?\s?down|notice and action|report abuse|report content",
            re.IGNORECASE,
        ),
    ),
    (ContactRole.LEGAL, re.compile(r"法律声明|法律聲明|法务|法務|免责|免責|legal|imprint|impressum", re.IGNORECASE)),
    (
        ContactRole.GENERAL,
        re.compile(r"联系|聯繫|聯系|聯絡|客服|关于我们|關於我們|contact|about us|about-us|support", re.IGNORECASE),
    ),
)
_PATHS: Final[tuple[tuple[ContactRole, re.Pattern[str]], ...]] = (
    (
        ContactRole.COPYRIGHT,
        re.compile(r"/[\w\-]{0,30}(?:copyright|dmca|banquan|qinquan|tousu|jubao|weiquan|abuse)", re.I),
    ),
    (ContactRole.LEGAL, re.compile(r"/(?:legal|falv|shengming|statement|disclaimer|imprint|impressum)\b", re.I)),
    (ContactRole.GENERAL, re.compile(r"/(?:contact|lianxi|about|guanyu|aboutus|support)[\w\-]{0,20}", re.I)),
)
_ARTICLE: Final = re.compile(r"/(?:19|20)\d\d[/\-]?\d\d|\d{6,}")
"""A date or a long number in the address: an article about copyright, not a page about the site."""


@dataclass(frozen=True, slots=True)
class ContactLink:
    url: str
    words: str
    role: ContactRole


def contact_links(links: Iterable[tuple[str, str]], host: str, *, limit: int) -> list[ContactLink]:
    """Return the links of a page on `host` that lead to contact or copyright pages of the same domain.

    `links`: canonical address and words of each. At most `limit`, those for complaints first, in the page's order.
    """
    domain = registered_domain(host)
    found: dict[str, ContactLink] = {}
    for number, (url, words) in enumerate(links):
        if number >= MOST_LINKS:
            break
        role = role_of(url, words)
        is_theirs = host_of(url) == host or (domain is not None and registered_domain(host_of(url)) == domain)
        if role is not None and is_theirs:
            found.setdefault(url, ContactLink(url, words[:LONGEST_WORDS], role))
    rank = [role for role, _ in _WORDS]
    return sorted(found.values(), key=lambda link: rank.index(link.role))[:limit]


def role_of(url: str, words: str) -> ContactRole | None:
    """Return for what a page at this address, linked with these words, is there; None for most pages."""
    parts = urlsplit(url)
    path = unquote(parts.path)
    if len(words) <= LONGEST_WORDS:
        by_words = next((role for role, pattern in _WORDS if pattern.search(words)), None)
        if by_words is not None and not (len(words) > LONGEST_WORDS // 2 and _ARTICLE.search(path)):
            return by_words
    if _ARTICLE.search(path):
        return None
    return next((role for role, pattern in _PATHS if pattern.search(path)), None)
