"""Ranks search results by what their titles and snippets share with an article, before anything is fetched. Pure."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cached_property
from typing import Final

import numpy as np

from crawler.urls.canonical import host_of, identity_of
from crawler.web_search.service import SearchResult
from fingerprint.initials import to_initials
from fingerprint.model import Hashes
from fingerprint.normalize import canonicalize
from fingerprint.winnowing import DEFAULT_SEEDS, gram_order

ENOUGH_GRAMS: Final = 30
"""A snippet with so many grams of which the article has none is of another text: a service that drops the quotation
marks of a phrase returns such results. In Chinese about 40 characters.
"""
FETCHED_UNLIKE: Final = 3
"""The first results for words of the article whose snippets have nothing of it: a snippet of a line or two rarely shows
the part that was copied. Of 19 known partial reposts 12 were fetched without them, 18 with two and with three of them,
for 2.8 fetches an article instead of .5.
"""
LONGEST_ARTICLE: Final = 200_000


class LeftOut(StrEnum):
    """Why a result is not fetched."""

    KNOWN_PAGE = "known-page"
    OWN_HOST = "own-host"
    LICENSED = "licensed"
    IGNORED_HOST = "ignored-host"
    UNLIKE = "unlike"
    """Its snippet has nothing of the article."""
    TRIED = "tried"
    """Fetched before for this article."""


@dataclass(frozen=True, slots=True)
class HostRecord:
    """What was fetched from a host so far, and how much of it was a copy."""

    fetched: int = 0
    copies: int = 0

    @property
    def likelihood(self) -> float:
        """Of the next fetch to be a copy, 0…1, by Laplace's rule; ½ for an unknown host."""
        return (self.copies + 1) / (self.fetched + 2)


@dataclass(frozen=True, slots=True)
class Known:
    """What is known before the fetch. `pages` and `tried`: identities (`identity_of`) of addresses."""

    pages: Collection[int] = ()
    tried: Collection[int] = ()
    own_hosts: Collection[str] = ()
    licensed_hosts: Collection[str] = ()
    ignored_hosts: Collection[str] = ()
    hosts: Mapping[str, HostRecord] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Merged:
    """A result of one or several queries. `queries`: how many phrases returned it; `services`: in order of answers."""

    url: str
    title: str
    snippet: str
    services: tuple[str, ...]
    queries: int


@dataclass(frozen=True, slots=True)
class Ranked:
    """`score`: higher is likelier. `shared`: grams of title and snippet that the article has, of `grams`."""

    result: Merged
    score: float
    shared: int
    grams: int
    left_out: LeftOut | None


@dataclass(frozen=True)
class ArticleGrams:
    """The article that results are compared with: all runs of nine units, so homophones and variants are the same."""

    text: str

    @cached_property
    def grams(self) -> Hashes:
        return np.unique(_grams(self.text[:LONGEST_ARTICLE]))

    def shared_with(self, text: str) -> tuple[int, int]:
        """Return how many different grams of a text the article has, and how many the text has."""
        found = np.unique(_grams(text))
        return int(np.isin(found, self.grams, assume_unique=True).sum()), len(found)


def merge(answers: Iterable[Iterable[SearchResult]]) -> list[Merged]:
    """Merge the results of several queries, one iterable each, by the identity of their addresses, in order."""
    found: dict[int, Merged] = {}
    for results in answers:
        met: set[int] = set()
        for one in results:
            key = identity_of(one.url)
            before = found.get(key)
            if before is None:
                found[key] = Merged(one.url, one.title, one.snippet, (one.service,), 1)
            else:
                found[key] = _both(before, one, is_new_query=key not in met)
            met.add(key)
    return list(found.values())


def rank(
    results: Iterable[Merged], article: ArticleGrams, known: Known, *, for_words: Sequence[str] = ()
) -> list[Ranked]:
    """Return all results, likeliest copies first, those to leave out after them.

    `for_words`: the addresses that a query for the words of the article returned, in the order of the service.
    """
    ranked = [_ranked(one, article, known) for one in results]
    unlike = {identity_of(one.result.url) for one in ranked if one.left_out is LeftOut.UNLIKE}
    first = [key for key in dict.fromkeys(map(identity_of, for_words)) if key in unlike][:FETCHED_UNLIKE]
    ranked = [replace(one, left_out=None) if identity_of(one.result.url) in first else one for one in ranked]
    return sorted(ranked, key=lambda one: (one.left_out is not None, -one.score))


def _both(before: Merged, one: SearchResult, *, is_new_query: bool) -> Merged:
    services = before.services if one.service in before.services else (*before.services, one.service)
    # Another phrase has another snippet: all of them are evidence.
    snippet = before.snippet if one.snippet in before.snippet else f"{before.snippet}\n{one.snippet}"
    return Merged(before.url, before.title or one.title, snippet, services, before.queries + is_new_query)


def _ranked(result: Merged, article: ArticleGrams, known: Known) -> Ranked:
    shared, grams = article.shared_with(f"{result.title}\n{result.snippet}")
    likelihood = known.hosts.get(host_of(result.url), HostRecord()).likelihood
    score = result.queries + 2 * (shared / grams if grams else 0.0) + likelihood
    left_out = left_out_of(result.url, known)
    if left_out is None and not shared and grams >= ENOUGH_GRAMS and result.queries == 1:
        left_out = LeftOut.UNLIKE
    return Ranked(result, round(score, 4), shared, grams, left_out)


def left_out_of(url: str, known: Known) -> LeftOut | None:
    """Return why a page is not fetched, or not judged where a redirect led to it; None if it is."""
    host, key = host_of(url), identity_of(url)
    if host in known.own_hosts:
        return LeftOut.OWN_HOST
    if host in known.licensed_hosts:
        return LeftOut.LICENSED
    if host in known.ignored_hosts:
        return LeftOut.IGNORED_HOST
    if key in known.tried:
        return LeftOut.TRIED
    return LeftOut.KNOWN_PAGE if key in known.pages else None


def _grams(text: str) -> Hashes:
    return gram_order(to_initials(canonicalize(text)).codes, DEFAULT_SEEDS.k)
