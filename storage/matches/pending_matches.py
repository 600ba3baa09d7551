"""Matches of the texts of a batch: those stored, and what its comparisons make of them, written at the end.

A later page of the batch sees what an earlier one found, as if it were stored already.
"""

from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import TypeAlias

from sqlalchemy.orm import Session

from storage.matches import saving
from storage.records.matches import NewHit, NewMatch, NewPageMatch, SeenMatch
from storage.types import MatchKind

Key: TypeAlias = tuple[int, int, int]
"""A pair of texts, the lower first, and the algorithm version."""
Pages: TypeAlias = tuple[int, int]
"""A pair of pages, the lower first."""


class PendingMatches:
    """The matches of some texts. Nothing is written before `write`."""

    def __init__(self, session: Session, text_ids: Collection[int]) -> None:
        """Read the stored matches of these texts."""
        self._session = session
        self._hits: dict[Key, dict[Pages, int | None]] = {}
        """The pairs of pages that show a match, each with its stored id if it has one."""
        self._of_text: defaultdict[int, set[Key]] = defaultdict(set)
        self._new: dict[Key, SeenMatch] = {}
        self._found: dict[Key, dict[Pages, NewPageMatch]] = defaultdict(dict)
        self._removed: set[int] = set()
        self._embedded: dict[Key, int] = {}
        for known in saving.known_hits(session, text_ids) if text_ids else ():
            key = known.low_text_id, known.high_text_id, known.algorithm_version
            self._add(key)
            if known.low_page_id is not None and known.high_page_id is not None:
                self._hits[key][known.low_page_id, known.high_page_id] = known.hit_id

    def texts_matching(self, text_id: int, *, algorithm_version: int) -> set[int]:
        """Return the texts that `text_id` matches, including itself if it is on several pages."""
        keys = (key for key in self._of_text[text_id] if key[2] == algorithm_version)
        return {_other(key, text_id) for key in keys}

    def keep(self, match: NewMatch, found: Sequence[NewPageMatch], *, of: int, from_copy: bool) -> None:
        """Keep a match found by the comparison of the text `of`, and the pages that show it. A later judgement replaces
        an earlier one, but the kind seen from the source yields to a known one (see `saving.store_matches`).
        """
        if match.key not in self._hits and match.kind is MatchKind.EMBEDDED and not from_copy:
            self._embedded[match.key] = _other(match.key, of)
        before = self._new.get(match.key)
        if before is not None and not from_copy:
            match, from_copy = replace(match, kind=before.match.kind), before.from_copy
        self._new[match.key] = SeenMatch(match, from_copy=from_copy)
        self._add(match.key)
        for one in found:
            low, high = sorted(one.page_ids)
            self._hits[match.key].setdefault((low, high), None)
            self._found[match.key][low, high] = one

    def drop(self, page_id: int, *, text_id: int, keep: Collection[int]) -> int:
        """Drop the hits of a page's current text that a new judgement did not confirm: those with texts not in `keep`.
        Return how many.

        Matches of older versions stay: the page did hold the copy. Matches that no hit shows any more are dropped.
        """
        dropped = 0
        for key in [key for key in self._of_text[text_id] if _other(key, text_id) not in keep]:
            shown = self._hits[key]
            outdated = [pair for pair in shown if page_id in pair]
            for pair in outdated:
                self._removed.update(filter(None, [shown.pop(pair)]))
                self._found[key].pop(pair, None)
            if outdated and not shown:
                self._forget(key)
            dropped += len(outdated)
        return dropped

    def write(self) -> set[int]:
        """Write all changes. Return the copies of new matches that were found embedded, and seen only from the source:
        the comparison of the copy shows whether it is a mosaic.
        """
        saving.remove_hits(self._session, self._removed)
        keys = sorted(self._new)
        stored = dict(zip(keys, saving.store_matches(self._session, [self._new[key] for key in keys]), strict=True))
        hits = [NewHit(stored[key][0], found) for key in keys for _, found in sorted(self._found[key].items())]
        saving.store_hits(self._session, hits)
        return {copy for key, copy in self._embedded.items() if key in stored and stored[key][1]}

    def _add(self, key: Key) -> None:
        self._hits.setdefault(key, {})
        for text_id in key[:2]:
            self._of_text[text_id].add(key)

    def _forget(self, key: Key) -> None:
        for text_id in key[:2]:
            self._of_text[text_id].discard(key)
        self._new.pop(key, None)
        self._found.pop(key, None)
        self._hits.pop(key, None)
        self._embedded.pop(key, None)


def _other(key: Key, text_id: int) -> int:
    return key[1] if key[0] == text_id else key[0]
