"""Siblings: other pages of the two hosts of a pair, which show what their pages repeat at the edges.

They are read only for a pair that would be a match, and only if they share keys with the query text in a passage of
the pair.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, TypeAlias

import numpy as np

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
from matcher.comparison.text_units import units_of
from matcher.judgement.judge import judge_beside_edges
from matcher.retrieval.candidates import Candidate
from matcher.retrieval.pruning import KeyPlaces, Places
from storage.fingerprints.candidates import NO_TEXT

if TYPE_CHECKING:
    from fingerprint.model import UnitCodes
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
        self._named: dict[Places, list[int]] = {}
        self.set_aside: dict[int, Grams] = {}
        self.shown_by: set[tuple[int, int]] = set()

    def judged(self, found: Sequence[Compared]) -> list[Compared]:
        """Return the matches without text that other pages of either host have at the same edge, less those of which
        too little is left.
        """
        beside = [(one, self._of_both_hosts(one)) for one in found]
        self._read({text_id for _, of_hosts in beside for side in of_hosts for text_id in side})
        judged = (self._judged(one, *of_hosts) for one, of_hosts in beside)
        return [one for one in judged if one is not None]

    def _judged(self, found: Compared, own: "_OnSide", foreign: "_OnSide") -> Compared | None:
        grams = self._grams(found, own, foreign)
        if not len(grams):
            return _again(self._prepared_query, found) if found.judgement.notice_units else found
        self.set_aside[found.stored.id] = grams
        known = np.union1d(self._prepared_query.boilerplate, grams)
        prepared_query = replace(self._prepared_query, boilerplate=known, judge_pair=judge_beside_edges)
        again = _again(prepared_query, found)
        return None if again is None else replace(again, edges_set_aside=True)

    def _of_both_hosts(self, found: Compared) -> "tuple[_OnSide, _OnSide]":
        """Return the siblings of the query page and those of the other pages of a match."""
        facts = self._prepared_query.facts
        here = _Publishers.of([(facts.host, facts.owner_key)])
        there = _Publishers.of((page.host, page.owner_key) for page in found.pages)
        named = self._sharing_places(found)
        return (
            dict.fromkeys(self._alike(found, here, named), NO_TEXT),
            dict.fromkeys(self._alike(found, there, named), found.stored.id),
        )

    def _grams(self, found: Compared, own: "_OnSide", foreign: "_OnSide") -> Grams:
        """Return grams of runs that either host has at an edge of other pages, and the other text of the pair at one of
        its.
        """
        self._units[NO_TEXT], other = self._prepared_query.text.initials.codes, found.units
        self._units[found.stored.id] = other
        # A short page has more footer than text; two hosts that have it on several pages each are proof enough.
        both = all(any(self._repeated(*pair, BOTH_HOSTS) for pair in side.items()) for side in (own, foreign))
        limits = BOTH_HOSTS if both else ONE_HOST
        of_own = {sibling: self._repeated(sibling, text_id, limits) for sibling, text_id in own.items()}
        self.shown_by |= {(sibling, found.stored.id) for sibling, runs in of_own.items() if runs}
        left = [run for runs in of_own.values() for run in runs]
        right = [run for sibling, text_id in foreign.items() for run in self._repeated(sibling, text_id, limits)]
        asked = self._units[NO_TEXT]
        return np.union1d(edge_grams(left, other, right), edge_grams(right, asked, left))

    def _sharing_places(self, found: Compared) -> list[int]:
        """Return the candidates that share keys with the query text where the pair does, best first, with their pages
        looked up.
        """
        # The keys that led to the pair may be in a passage that no longer counts, and others may hold none.
        places = self._where.of_passages(found.judgement.passages) | found.candidate.places
        if places not in self._named:  # the copies of a story share all of their places
            named = [item.text_id for item in self._candidates if places & item.places]
            self._others.look_up(text_id for text_id in named if text_id not in (self._self_id, found.stored.id))
            self._named[places] = named
        return self._named[places]

    def _alike(self, found: Compared, publishers: "_Publishers", named: Sequence[int]) -> list[int]:
        """Return texts on other pages of these hosts or owners: those `named`; if these are too few and the passages
        could be notices, any other text of the hosts.
        """
        alike = self._on_other_pages(found, publishers, named)[:READ]
        if len(alike) < WITNESSES and _may_be_notices(found):
            near = [text_id for host in sorted(publishers.hosts) for text_id in self._near(host, found.stored.id)]
            self._others.look_up(text_id for text_id in near if text_id not in (self._self_id, found.stored.id))
            others = self._on_other_pages(found, publishers, near)
            alike += [text_id for text_id in others if text_id not in alike][: WITNESSES - len(alike)]
        return alike

    def _on_other_pages(self, found: Compared, publishers: "_Publishers", text_ids: Sequence[int]) -> list[int]:
        """Return those of the texts that are on pages of these publishers other than those of the pair."""
        urls = {page.url for page in found.pages} | {self._prepared_query.facts.url}
        theirs = {
            text_id
            for text_id in self._others.texts_of(publishers.hosts, publishers.owners).intersection(text_ids)
            if any(publishers.have(page) and page.url not in urls for page in self._others.every_page_of(text_id))
        } - {self._self_id, found.stored.id}
        return [text_id for text_id in text_ids if text_id in theirs] if theirs else []

    def _near(self, host: str, text_id: int) -> list[int]:
        """Return texts of the host's pages, those stored at about the same time as this text first."""
        return sorted(self._reader.texts_on_host(host, most=ON_HOST), key=lambda other: (abs(other - text_id), other))

    def _repeated(self, sibling: int, text_id: int, limits: EdgeLimits) -> list[bytes]:
        key = sibling, text_id, limits
        if key not in self._runs:
            self._runs[key] = repeated_at_edge(self._units[text_id], self._units[sibling], limits)
        return self._runs[key]

    def _read(self, text_ids: Collection[int]) -> None:
        """Read the units of these texts, all at once; a text that is gone has none."""
        wanted = [text_id for text_id in text_ids if text_id not in self._units]
        found = self._reader.texts(wanted) if wanted else {}
        for text_id in wanted:
            body = found[text_id].body if text_id in found else ""
            self._units[text_id] = units_of(body).codes


_OnSide: TypeAlias = Mapping[int, int]
"""Texts of siblings, each with the text of the pair that they stand beside."""


@dataclass(frozen=True, slots=True)
class _Publishers:
    hosts: frozenset[str]
    owners: frozenset[str]

    @classmethod
    def of(cls, known: Iterable[tuple[str, str]]) -> "_Publishers":
        """Return the hosts and owners of pages, as far as they are known."""
        hosts, owners = zip(*known, strict=True)
        return cls(frozenset(filter(None, hosts)), frozenset(filter(None, owners)))

    def have(self, page: "PageRecord") -> bool:
        return page.host in self.hosts or page.owner_key in self.owners


def _may_be_notices(found: Compared) -> bool:
    """Return whether the pair shares so little that it may be at the edges of unrelated pages."""
    most = BOTH_HOSTS
    judgement = found.judgement
    shared = judgement.matched_units - judgement.boilerplate_units
    return shared <= most.together and max(judgement.left_share, judgement.right_share) <= most.share


def _again(prepared_query: PreparedQuery, found: Compared) -> Compared | None:
    return compare(prepared_query, found.candidate, found.stored, list(found.pages))
