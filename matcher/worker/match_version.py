"""Compares page versions of the backlog with the store, a batch of them as one unit of work.

What the comparisons need is read for all of them together; the comparisons then follow each other, each seeing what
those before it found; what they found is written at the end. A single version is a batch of one.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import astuple, dataclass, replace
from functools import reduce
from operator import add
from typing import TYPE_CHECKING, TypeAlias

from fingerprint.compute import Analysis
from fingerprint.model import ALGORITHM_VERSION
from matcher.cases.case_rule import DEFAULT_RULE, CaseRule
from matcher.cases.case_updates import keep_cases, pages_for_cases
from matcher.comparison.candidate_loop import GROUP, in_order
from matcher.comparison.compare_pair import Compared
from matcher.comparison.compare_with_store import Comparison, compare_with_store
from matcher.comparison.kept_texts import KeptTexts
from matcher.comparison.query import Query
from matcher.comparison.store_reader import StoreReader
from matcher.retrieval.candidates import Found, find_candidates
from matcher.worker.known_by_meaning import known_by_meaning, learn_by_meaning
from matcher.worker.late_sources import versions_to_judge_again
from matcher.worker.save_matches import keep_matches, story_of
from matcher.worker.turns import Turn, turns_of
from storage.cases import page_pairs
from storage.cases.findings import claim_cases
from storage.fingerprints import boilerplate
from storage.fingerprints.candidates import NO_TEXT
from storage.log_context import about
from storage.matches.families import join_families
from storage.matches.pending_matches import PendingMatches
from storage.pages import backlog_entry
from storage.postgres.planner import indexes_forced
from storage.records.matches import BacklogItem
from storage.records.pages import PageRecord

if TYPE_CHECKING:
    from sqlalchemy.orm import Session


@dataclass(frozen=True, slots=True)
class Progress:
    """Counts of this call so far."""

    compared: int = 0
    matched: int = 0
    failed: int = 0
    cut: int = 0

    def plus(self, other: "Progress") -> "Progress":
        return Progress(*map(add, astuple(self), astuple(other)))


LookUpAll: TypeAlias = Callable[["Session", Mapping[int, Analysis]], Mapping[int, Found]]
"""Retrieves the candidates of stored texts, by their ids."""


def look_up_each(session: "Session", asked: Mapping[int, Analysis]) -> dict[int, Found]:
    """Query the database for the candidates of each text."""
    return {text_id: find_candidates(session, text, self_id=text_id) for text_id, text in asked.items()}


def match_version(
    session: "Session", item: BacklogItem, rule: CaseRule = DEFAULT_RULE, *, look_up: LookUpAll = look_up_each
) -> Progress:
    """`match_versions` for one."""
    return match_versions(session, [item], rule, look_up=look_up)


def match_versions(
    session: "Session",
    items: Sequence[BacklogItem],
    rule: CaseRule = DEFAULT_RULE,
    *,
    look_up: LookUpAll = look_up_each,
    kept: KeptTexts | None = None,
) -> Progress:
    """Compare versions with the store and store their matches. Repeating it changes nothing. `kept`: bodies that other
    batches read before.
    """
    total = Progress()
    for turns in turns_of(session, items):
        with indexes_forced(session, alone=True):
            work = _Batch(session, turns, look_up, kept)
            total = reduce(Progress.plus, map(work.compare, turns), total)
        work.write(rule)
    return replace(total, compared=len(items))


@dataclass(frozen=True, slots=True, eq=False)
class _Compared:
    """The results for a version. `pages_of`: the pages that may be in cases with it, by text. `left_out`: texts about
    which it says nothing. `story`: texts of one story. `shown`: pairs of texts that may have been matched too easily.
    """

    turn: Turn
    found: Sequence[Compared]
    kept: Sequence[Compared]
    pages_of: Mapping[int, Sequence[PageRecord]]
    left_out: Collection[int]
    story: Collection[int] = ()
    shown: Collection[tuple[int, int]] = ()


class _Batch:
    """What a batch has read, and what is to be written."""

    def __init__(self, session: "Session", turns: Sequence[Turn], look_up: LookUpAll, kept: KeptTexts | None) -> None:
        self._session = session
        self._reader = StoreReader(session, kept)
        self._looked_up = look_up(session, {turn.page.text_id: turn.text for turn in turns})
        self._pending = PendingMatches(session, {turn.page.text_id for turn in turns})
        self._by_meaning = known_by_meaning(session, [turn.page.id for turn in turns])
        self._done: list[_Compared] = []
        self._read_ahead(turns)

    def _read_ahead(self, turns: Sequence[Turn]) -> None:
        """Read verdicts, and the pages and texts of the first candidates, for all comparisons at once."""
        reader = self._reader
        asked = {seed for turn in turns for seed in turn.text.asked_seeds.hashes.tolist()}
        reader.runs(asked, site_ids={site_id for turn in turns for site_id in turn.query.site_ids})
        first = {
            turn.page.id: [one.text_id for one in in_order(self._query(turn), self._looked_up[turn.page.text_id])][
                :GROUP
            ]
            for turn in turns
        }
        own = [turn.page.text_id for turn in turns]
        present, former = reader.pages_of([*own, *(text_id for ids in first.values() for text_id in ids)])
        reader.texts(
            [
                *own,
                *(
                    text_id
                    for turn in turns
                    for text_id in first[turn.page.id]
                    if any(page.owner_key != turn.page.owner_key for page in (*present[text_id], *former[text_id]))
                ),
            ]
        )

    def _query(self, turn: Turn) -> Query:
        if turn.is_former:
            return turn.query
        known = self._pending.texts_matching(turn.page.text_id, algorithm_version=ALGORITHM_VERSION)
        return replace(turn.query, also=known)

    def _look_up(self, session: "Session", asked: Analysis, *, self_id: int = NO_TEXT) -> Found:
        found = self._looked_up.get(self_id)
        return find_candidates(session, asked, self_id=self_id) if found is None else found

    def compare(self, turn: Turn) -> Progress:
        """Compare one version, with what those before it found."""
        with about(page=turn.page.id, version=turn.page.version_id):
            comparison = compare_with_store(
                self._session, self._query(turn), look_up=self._look_up, reader=self._reader
            )
            if comparison.found and (known := self._by_meaning.get(turn.page.id)):
                learn_by_meaning(self._reader, turn.page, turn.body, comparison.found, known)
            done = self._former(turn, comparison) if turn.is_former else self._current(turn, comparison)
        self._done.append(done)
        return Progress(compared=1, matched=len(done.kept), cut=comparison.cut)

    def _current(self, turn: Turn, comparison: Comparison) -> _Compared:
        page, found, left_out = turn.page, comparison.found, comparison.search.left_out
        done = self._keep(turn, found, left_out)
        # An origin is one of the matches of each of its copies, though they are not all among its own nearest.
        standing = {item.stored.id for item in found} | left_out
        self._pending.drop(page.id, text_id=page.text_id, keep=standing)
        story = story_of(page.text_id, found)
        if story:
            self._reader.families.join(story)
        # The edges that this page shows were not known when older pages of its host were compared.
        return replace(done, story=story, shown=comparison.search.siblings.shown_by)

    def _former(self, turn: Turn, comparison: Comparison) -> _Compared:
        copies = [found for found in comparison.found if found.direction.left_is_source]
        # Which pages are not copies of it is unknown here, so that no case loses a page.
        return self._keep(turn, copies, comparison.search.left_out | {found.stored.id for found in comparison.found})

    def _keep(self, turn: Turn, found: Sequence[Compared], left_out: Collection[int]) -> _Compared:
        of_cases = pages_for_cases(self._reader, turn.page, found)
        kept = keep_matches(self._reader, self._pending, turn.page, found, of_cases)
        return _Compared(turn, found, kept, of_cases, left_out)

    def write(self, rule: CaseRule) -> None:
        """Write everything, in an order in which two batches of two processes cannot deadlock."""
        verdicts = self._reader.new_verdicts
        boilerplate.save_verdicts(self._session, verdicts)
        mosaics = self._pending.write()
        self._write_cases(rule)
        matched_before = (
            boilerplate.matched_before(self._session, done.turn.page.text_id, done.shown) for done in self._done
        )
        boilerplate.requeue(
            self._session,
            text_ids=mosaics.union(*matched_before),
            seeds={run.seed for run in verdicts if run.proves_nothing},
        )
        backlog_entry.enqueue(self._session, sorted(self._explained_late()))

    def _explained_late(self) -> set[int]:
        """Return versions whose hits with each other a page of the batch explains, which they could not know."""
        current = (done for done in self._done if not done.turn.is_former)
        return set().union(
            *(versions_to_judge_again(self._session, one.turn.page, one.turn.body, one.found) for one in current)
        )

    def _write_cases(self, rule: CaseRule) -> None:
        """Write families and cases, page by page: whether an agency has the story of a case depends on those before."""
        held = [(done.turn.page.id, done.turn.page.text_id) for done in self._done]
        known = page_pairs.live_pairs(self._session, held)
        stories: list[Collection[int]] = []
        changed: set[int] = set()
        for done, key in zip(self._done, held, strict=True):
            stories += [done.story] if done.story else []
            if not (done.pages_of or key in known or key[0] in changed):
                continue
            join_families(self._session, stories)
            stories = []
            claim_cases(self._session)
            pairs = page_pairs.live_pairs(self._session, [key]) if key[0] in changed else known
            changed |= keep_cases(
                self._session,
                done.turn.page,
                done.turn.body,
                done.found,
                done.pages_of,
                known=pairs.get(key, {}),
                left_out=done.left_out,
                rule=rule,
            )
        join_families(self._session, stories)
