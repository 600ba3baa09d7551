"""Siblings: other pages of the two hosts of a pair, which show what their pages repeat at the edges.

They are read only for a pair that would be a match, and only if they share keys with the query text in a passage of
the pair.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final

import numpy as np

from fingerprint.initials import to_initials
from fingerprint.model import UnitCodes
from fingerprint.normalize import canonicalize
from matcher.alignment.align import Grams
from matcher.boilerplate.edge_repeats import (
    BOTH_HOSTS,
    ONE_HOST,
    EdgeLimits,
    edge_grams,
    repeated_at_edge,
)
from matcher.comparison.compare_pair import Compared, PreparedQuery, compare
from matcher.comparison.publishers import OtherOwners
from matcher.judgement.judge import judge_beside_edges
from matcher.retrieval.candidates import Candidate
from matcher.retrieval.pruning import KeyPlaces
from storage.fingerprints.candidates import NO_TEXT

if TYPE_CHECKING:
    from matcher.comparison.store_reader import StoreReader
    from storage.records.pages import PageRecord

READ: Final = 6
"""Other pages of each host that are aligned: one may show a footer, another the lines about the author."""
WITNESSES: Final = 2
"""Other pages of a host that are read whatever they share: a short notice leaves a key on half of its pages."""
ON_HOST: Final = 24
"""Pages of a host among which these are chosen. On a host with more, notices leave keys enough."""


class Siblings:
    """Judges matches of the query text again without the notices of both hosts.

    `set_aside`: by text, the grams that prove nothing in a comparison with it. `shown_by`: the pages of the query
    page's host that showed it, with the text compared.
    """

    def __init__(
        self,
        reader: "StoreReader",
        prepared_query: PreparedQuery,
        candidates: Sequence[Candidate],
        others: OtherOwners,
        *,
        self_id: int,
    ) -> None:
        self._reader, self._prepared_query, self._others = reader, prepared_query, others
        self._candidates = [candidate for candidate in candidates if candidate.places]
        self._where = KeyPlaces(prepared_query.text)
        self._self_id = self_id
        self._units: dict[int, UnitCodes] = {}
        self._runs: dict[tuple[int, int, EdgeLimits], list[bytes]] = {}
        self.set_aside: dict[int, Grams] = {}
        self.shown_by: set[tuple[int, int]] = set()

    def judged(self, found: Compared) -> Compared | None:
        """Return the hit without text that other pages of either host have at the same edge; None if too little is
        left.
        """
        grams = self._grams(found)
        if not len(grams):
            return _again(self._prepared_query, found) if found.judgement.notice_units else found
        self.set_aside[found.stored.id] = grams
        known = np.union1d(self._prepared_query.boilerplate, grams)
        prepared_query = replace(self._prepared_query, boilerplate=known, judge_pair=judge_beside_edges)
        again = _again(prepared_query, found)
        return None if again is None else replace(again, edges_set_aside=True)

    def _grams(self, found: Compared) -> Grams:
        """Return grams of runs that either host has at an edge of other pages, and the other text of the pair at one of
        its.
        """
        here = [(self._prepared_query.facts.host, self._prepared_query.facts.owner_key)]
        there = [(page.host, page.owner_key) for page in found.pages]
        self._units[NO_TEXT], other = (
            self._prepared_query.text.initials.codes,
            self._codes(found.stored.id, found.stored.body),
        )
        own = dict.fromkeys(self._alike(found, here), NO_TEXT)
        foreign = dict.fromkeys(self._alike(found, there), found.stored.id)
        # A short page has more footer than text; two hosts that have it on several pages each are proof enough.
        both = all(any(self._repeated(*pair, BOTH_HOSTS) for pair in side.items()) for side in (own, foreign))
        limits = BOTH_HOSTS if both else ONE_HOST
        of_own = {sibling: self._repeated(sibling, text_id, limits) for sibling, text_id in own.items()}
        self.shown_by |= {(sibling, found.stored.id) for sibling, runs in of_own.items() if runs}
        left = [run for runs in of_own.values() for run in runs]
        right = [run for sibling, text_id in foreign.items() for run in self._repeated(sibling, text_id, limits)]
        asked = self._units[NO_TEXT]
        return np.union1d(edge_grams(left, other, right), edge_grams(right, asked, left))

    def _alike(self, found: Compared, published: Sequence[tuple[str, str]]) -> list[int]:
        """Return texts on other pages of the same hosts or owners: those that share keys with the query text where the
        pair does; if these are too few and the passages could be notices, any other text of the hosts.
        """
        hosts, owners = {host for host, _ in published if host}, {owner for _, owner in published if owner}
        # The keys that led to the pair may be in a passage that no longer counts, and others may hold none.
        places = self._where.of_passages(found.judgement.passages) | found.candidate.places
        named = [item.text_id for item in self._candidates if item.places & places]
        urls = {page.url for page in found.pages} | {self._prepared_query.facts.url}

        def is_alike(page: "PageRecord") -> bool:
            return (page.host in hosts or page.owner_key in owners) and page.url not in urls

        def on_their_pages(text_ids: Sequence[int]) -> list[int]:
            others = [text_id for text_id in text_ids if text_id not in (self._self_id, found.stored.id)]
            self._others.look_up(others)
            return [text_id for text_id in others if any(map(is_alike, self._others.every_page_of(text_id)))]

        alike = on_their_pages(named)[:READ]
        if len(alike) < WITNESSES and _may_be_notices(found):
            near = [text_id for host in sorted(hosts) for text_id in self._near(host, found.stored.id)]
            alike += [text_id for text_id in on_their_pages(near) if text_id not in alike][: WITNESSES - len(alike)]
        return alike

    def _near(self, host: str, text_id: int) -> list[int]:
        """Return texts of the host's pages, those stored at about the same time as this text first."""
        return sorted(self._reader.texts_on_host(host, most=ON_HOST), key=lambda other: (abs(other - text_id), other))

    def _repeated(self, sibling: int, text_id: int, limits: EdgeLimits) -> list[bytes]:
        key = sibling, text_id, limits
        if key not in self._runs:
            self._runs[key] = repeated_at_edge(self._codes(text_id), self._codes(sibling), limits)
        return self._runs[key]

    def _codes(self, text_id: int, body: str | None = None) -> UnitCodes:
        if text_id not in self._units:
            if body is None:
                found = self._reader.texts([text_id])
                body = found[text_id].body if text_id in found else ""
            self._units[text_id] = to_initials(canonicalize(body)).codes
        return self._units[text_id]


def _may_be_notices(found: Compared) -> bool:
    """Return whether the pair shares so little that it may be at the edges of unrelated pages."""
    most = BOTH_HOSTS
    judgement = found.judgement
    shared = judgement.matched_units - judgement.boilerplate_units
    return shared <= most.together and max(judgement.left_share, judgement.right_share) <= most.share


def _again(prepared_query: PreparedQuery, found: Compared) -> Compared | None:
    return compare(prepared_query, found.candidate, found.stored, list(found.pages))
