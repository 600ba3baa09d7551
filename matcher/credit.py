"""Does a copy say where it is from? The crawler stores raw lines and links; here they are read."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final
from urllib.parse import unquote, urlsplit

from fingerprint.normalize import canonicalize
from matcher.facts import PageFacts
from storage.types import Credit

SHORTEST_NAME: Final = 2
"""Characters: a one-letter site or author name stands in every line by chance."""


@dataclass(frozen=True, slots=True)
class CreditFound:
    credit: Credit
    evidence: str = ""


def credit_given(copy: PageFacts, source: PageFacts) -> CreditFound:
    """Whether `copy` links to or names `source`, with the link or line that does.

    A canonical link to another site counts as a link and no more: it never makes two pages one.
    """
    for link in _links(copy):
        if _leads_to(link, source):
            return CreditFound(Credit.LINKED, link)
    names = [name for name in map(_folded, _names(source)) if len(name) >= SHORTEST_NAME]
    for line in copy.credit_lines:
        folded = _folded(line)
        if any(name in folded for name in names):
            return CreditFound(Credit.NAMED, line.strip())
    return CreditFound(Credit.NONE)


def _links(copy: PageFacts) -> Iterator[str]:
    # The exact page first, so that the evidence shown is the strongest there is.
    yield from copy.credit_links
    if copy.canonical_link:
        yield copy.canonical_link


def _leads_to(link: str, source: PageFacts) -> bool:
    try:
        host = urlsplit(link).netloc
    except ValueError:
        return False  # a link as it was found may be nothing of the kind, and must not keep its page from being judged
    return bool(host) and _bare_host(host) == _bare_host(source.host)


def _bare_host(host: str) -> str:
    return unquote(host).lower().removeprefix("www.").removeprefix("m.")


def _names(source: PageFacts) -> Iterator[str]:
    yield source.site_name
    yield source.author
    yield _bare_host(source.host)


def _folded(text: str) -> str:
    return "".join(canonicalize(text).text.split())
