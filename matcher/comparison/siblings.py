"""Other pages of the two hosts of a pair: what they tell of the runs at the edges of its texts.

Only of a pair that would be a match are they read, and only those that share keys with the text asked about where the
pair shares a passage.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final

import numpy as np

from fingerprint.initials import to_initials
from fingerprint.model import UnitCodes
from fingerprint.normalize import canonicalize
from matcher.alignment.align import Grams
from matcher.boilerplate.edge_repeats import edge_grams, repeated_at_edge
from matcher.comparison.compare_pair import Asking, Compared, compare
from matcher.comparison.publishers import OtherOwners
from matcher.judgement.judge import judge_beside_edges
from matcher.retrieval.candidates import Candidate
from matcher.retrieval.pruning import KeyPlaces
from storage.fingerprints import candidates as stored_candidates
from storage.fingerprints.candidates import NO_TEXT

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

    from storage.records.pages import PageRecord

READ: Final = 6
"""Other pages of each host that are aligned: one tells of a footer, another of the lines about its author."""


class Siblings:
    """Judges again, without the notices of both hosts, what was found for the text asked about.

    `set_aside`: by text, the grams of what proves nothing beside it. `told_by`: which pages of the asked page's host
    told it, with the text compared.
    """

    def __init__(
        self, session: "Session", asking: Asking, candidates: Sequence[Candidate], others: OtherOwners, *, self_id: int
    ) -> None:
        self._session, self._asking, self._others = session, asking, others
        self._candidates = [candidate for candidate in candidates if candidate.places]
        self._where = KeyPlaces(asking.text)
        self._self_id = self_id
        self._units: dict[int, UnitCodes] = {}
        self._runs: dict[tuple[int, int], list[bytes]] = {}
        self.set_aside: dict[int, Grams] = {}
        self.told_by: set[tuple[int, int]] = set()

    def judged(self, found: Compared) -> Compared | None:
        """The find without what stands at the same edge of other pages of either host; None if too little is left."""
        grams = self._grams(found)
        if not len(grams):
            return _again(self._asking, found) if found.judgement.notice_units else found
        self.set_aside[found.stored.id] = grams
        known = np.union1d(self._asking.boilerplate, grams)
        asking = replace(self._asking, boilerplate=known, look=judge_beside_edges)
        again = _again(asking, found)
        return None if again is None else replace(again, edges_set_aside=True)

    def _grams(self, found: Compared) -> Grams:
        """Of the runs that either host has at an edge of other pages, and the other text of the pair at one of its."""
        asked, other = self._asking.text.initials.codes, self._codes(found.stored.id, found.stored.body)
        here = [(self._asking.facts.host, self._asking.facts.owner_key)]
        there = [(page.host, page.owner_key) for page in found.pages]
        own, foreign = self._alike(found, here), self._alike(found, there)
        of_own = [(text_id, self._repeated(NO_TEXT, asked, text_id)) for text_id in own]
        self.told_by |= {(text_id, found.stored.id) for text_id, runs in of_own if runs}
        left = [run for _, runs in of_own for run in runs]
        right = [run for text_id in foreign for run in self._repeated(found.stored.id, other, text_id)]
        return np.union1d(edge_grams(left, other, right), edge_grams(right, asked, left))

    def _alike(self, found: Compared, published: Sequence[tuple[str, str]]) -> list[int]:
        """Texts on other pages of the same host or owner that share keys with the asked one in the find's passages."""
        hosts, owners = {host for host, _ in published if host}, {owner for _, owner in published if owner}
        places = self._where.of_passages(found.judgement.passages)
        named = [item.text_id for item in self._candidates if item.places & places]
        named = [text_id for text_id in named if text_id not in (self._self_id, found.stored.id)]
        self._others.look_up(named)
        urls = {page.url for page in found.pages} | {self._asking.facts.url}

        def is_alike(page: "PageRecord") -> bool:
            return (page.host in hosts or page.owner_key in owners) and page.url not in urls

        return [text_id for text_id in named if any(map(is_alike, self._others.every_page_of(text_id)))][:READ]

    def _repeated(self, of_text: int, codes: UnitCodes, sibling: int) -> list[bytes]:
        if (of_text, sibling) not in self._runs:
            self._runs[of_text, sibling] = repeated_at_edge(codes, self._codes(sibling))
        return self._runs[of_text, sibling]

    def _codes(self, text_id: int, body: str | None = None) -> UnitCodes:
        if text_id not in self._units:
            if body is None:
                found = stored_candidates.texts_by_id(self._session, [text_id])
                body = found[text_id].body if text_id in found else ""
            self._units[text_id] = to_initials(canonicalize(body)).codes
        return self._units[text_id]


def _again(asking: Asking, found: Compared) -> Compared | None:
    return compare(asking, found.candidate, found.stored, list(found.pages))
