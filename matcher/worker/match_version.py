"""Compares one page version of the backlog with the store."""

from collections.abc import Collection
from dataclasses import astuple, dataclass, replace
from operator import add
from typing import TYPE_CHECKING

from fingerprint.compute import analyse
from fingerprint.model import ALGORITHM_VERSION
from matcher.cases.case_rule import DEFAULT_RULE, CaseRule
from matcher.cases.case_updates import keep_cases, pages_for_cases
from matcher.comparison.compare_with_store import Comparison, compare_with_store
from matcher.comparison.query import query_of_page
from matcher.retrieval.candidates import LookUp, find_candidates
from matcher.worker.save_matches import join_families, keep_matches
from storage.errors import StorageError
from storage.fingerprints import boilerplate
from storage.log_context import about
from storage.matches import saving
from storage.pages import pages
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


def match_version(
    session: "Session", item: BacklogItem, rule: CaseRule = DEFAULT_RULE, *, look_up: LookUp = find_candidates
) -> Progress:
    """Compare one version with the store and store its matches. Repeating it changes nothing."""
    with about(page=item.page_id, version=item.version_id):
        page = pages.page_by_id(session, item.page_id)
        if page is None:
            return Progress(compared=1)
        if page.text_id == item.text_id:
            return _match_current(session, page, rule, look_up)
        former = pages.page_at_version(session, item.version_id)
        return Progress(compared=1) if former is None else _match_former(session, former, item.text_id, rule, look_up)


def _match_current(session: "Session", page: PageRecord, rule: CaseRule, look_up: LookUp) -> Progress:
    body = pages.text_body(session, page.text_id)
    if body is None:
        raise StorageError(f"text {page.text_id} of page {page.url} is missing")
    known = saving.matched_texts(session, page.text_id, algorithm_version=ALGORITHM_VERSION)
    comparison = _compare(session, page, body, look_up, also=known)
    of_cases = pages_for_cases(session, page, comparison.found)
    matched = keep_matches(session, page, comparison.found, of_cases)
    # An origin is one of the matches of each of its copies, though they are not all among its own nearest.
    left_out = comparison.search.left_out
    standing = {found.stored.id for found in comparison.found} | left_out
    saving.drop_page_matches(session, page.id, text_id=page.text_id, keep=standing)
    join_families(session, page.text_id, comparison.found)
    keep_cases(session, page, body, comparison.found, of_cases, left_out=left_out, rule=rule)
    # The edges that this page shows were not known when older pages of its host were compared.
    boilerplate.requeue_older(session, page.text_id, comparison.search.siblings.shown_by)
    return Progress(compared=1, matched=matched, cut=comparison.cut)


def _match_former(session: "Session", page: PageRecord, text_id: int, rule: CaseRule, look_up: LookUp) -> Progress:
    """Compare a version that was replaced before its turn: copies made meanwhile are found, and nothing is dropped."""
    body = pages.text_body(session, text_id)
    if body is None:
        return Progress(compared=1)
    comparison = _compare(session, page, body, look_up)
    copies = [found for found in comparison.found if found.direction.left_is_source]
    of_cases = pages_for_cases(session, page, copies)
    matched = keep_matches(session, page, copies, of_cases)
    # Which pages are not copies of it is unknown here, so that no case loses a page.
    unknown = comparison.search.left_out | {found.stored.id for found in comparison.found}
    keep_cases(session, page, body, copies, of_cases, left_out=unknown, rule=rule)
    return Progress(compared=1, matched=matched, cut=comparison.cut)


def _compare(
    session: "Session", page: PageRecord, body: str, look_up: LookUp, *, also: Collection[int] = ()
) -> Comparison:
    query = replace(query_of_page(page, analyse(body)), also=also, keeps_verdicts=True)
    return compare_with_store(session, query, look_up=look_up)
