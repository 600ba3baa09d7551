"""Compares what is new with everything stored: claims, judges, keeps the results, all in one transaction a batch."""

import logging
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

from fingerprint.compute import analyse
from fingerprint.model import ALGORITHM_VERSION
from matcher.boilerplate.survey import survey
from matcher.cases.case_rule import DEFAULT_RULE, CaseRule
from matcher.cases.case_updates import keep_cases, pages_for_cases
from matcher.comparison.check import Comparison, compare_with_store
from matcher.comparison.compare_pair import Compared, credit_between
from matcher.provenance.copy_damage import wear_of
from matcher.provenance.direction import direction_between
from matcher.provenance.origin import likely_origin
from matcher.provenance.page_facts import facts_of_page
from matcher.retrieval.candidates import LookUp, find_candidates
from matcher.worker.recompute import bring_up_to_date
from storage.analytics import fingerprint_health
from storage.engine import transaction
from storage.errors import StorageError
from storage.fingerprints import boilerplate
from storage.log_context import about
from storage.matches import backlog, families, saving
from storage.pages import pages
from storage.postgres import statistics
from storage.records.matches import BacklogItem, Evidence, NewMatch, NewPageMatch
from storage.records.pages import PageRecord
from storage.types import MatchKind

if TYPE_CHECKING:
    from sqlalchemy import Engine
    from sqlalchemy.orm import Session

LOG = logging.getLogger(__name__)

BATCH: Final = 16
NEAREST: Final = 10
"""Matches kept per family beside the one with its origin: a text matches 50,000 copies of itself, and says it once."""
PAGES_SHOWN: Final = 3
"""Pages of one matching text that a page is paired with: its origin and the next."""
FAMILY_SHARE: Final = 0.5
"""From this share of both texts on, they tell one story."""
SURVEY_FROM: Final = 500
"""Pages waiting from which a survey of the whole store costs less than comparing them twice."""
YOUNG_SITE: Final = 50
"""Pages below which a site is too little known to tell its boilerplate."""


@dataclass(frozen=True, slots=True)
class _Terms:
    """How pages are compared: by which rule, which of those that wait (None: all), and who names candidates."""

    rule: CaseRule
    among: Collection[int] | None
    look_up: LookUp


@dataclass(frozen=True, slots=True)
class Progress:
    """What was done so far in this call."""

    compared: int = 0
    matched: int = 0
    failed: int = 0
    cut: int = 0

    def plus(self, other: "Progress") -> "Progress":
        return Progress(
            self.compared + other.compared,
            self.matched + other.matched,
            self.failed + other.failed,
            self.cut + other.cut,
        )


def work_off(
    engine: "Engine",
    *,
    should_stop: Callable[[], bool],
    on_progress: Callable[[Progress], None] | None = None,
    rule: CaseRule = DEFAULT_RULE,
) -> Progress:
    """Compares all that waits, until nothing does or `should_stop()`; any number of processes may do so at once.

    Texts that wait for the fingerprint of this version get it first; where much is new, what repeats itself in the
    store is judged before anything is compared.
    """
    bring_up_to_date(engine, should_stop=should_stop)
    with transaction(engine) as session:
        much = backlog.waiting(session) >= SURVEY_FROM
    if much:
        survey(engine, should_stop=should_stop)
    done = work_on(engine, should_stop=should_stop, on_progress=on_progress, rule=rule)
    if done.compared:
        statistics.refresh(engine)
    return done


def work_on(
    engine: "Engine",
    *,
    should_stop: Callable[[], bool],
    on_progress: Callable[[Progress], None] | None = None,
    rule: CaseRule = DEFAULT_RULE,
    among: Collection[int] | None = None,
    look_up: LookUp = find_candidates,
) -> Progress:
    """The same without looking first whether anything has to be read or judged anew. `among`: only these versions;
    `look_up` names the candidates of each.
    """
    terms = _Terms(rule, among, look_up)
    total = Progress()
    while not should_stop():
        step = _batch(engine, terms)
        if step is None:
            return total
        total = total.plus(step)
        _note(engine, step)
        if on_progress is not None:
            on_progress(total)
    return total


def _note(engine: "Engine", step: Progress) -> None:
    """What was compared and left out is counted by the day; apart from the batch, so that nobody waits for its end."""
    with transaction(engine) as session:
        fingerprint_health.note_comparisons(
            session,
            datetime.now(UTC).date(),
            compared=step.compared,
            matched=step.matched,
            failed=step.failed,
            cut=step.cut,
        )


def _batch(engine: "Engine", terms: _Terms) -> Progress | None:
    """One batch in one transaction; if a page of it fails, the batch is done again page by page."""
    try:
        with transaction(engine) as session:
            items = backlog.claim(session, limit=BATCH, among=terms.among)
            if not items:
                return None
            done = [match_version(session, item, terms.rule, look_up=terms.look_up) for item in items]
            backlog.done(session, [item.version_id for item in items])
    except Exception:
        LOG.exception("a batch failed; its pages are compared one by one")
        return _one_by_one(engine, terms)
    return _sum(done)


def _one_by_one(engine: "Engine", terms: _Terms) -> Progress:
    done = []
    for _ in range(BATCH):
        with transaction(engine) as session:
            items = backlog.claim(session, limit=1, among=terms.among)
            if items:
                done.append(_single(session, items[0], terms))
    return _sum(done)


def _single(session: "Session", item: BacklogItem, terms: _Terms) -> Progress:
    """A page that cannot be compared is set aside with its error; whatever it had written is undone."""
    try:
        with session.begin_nested():
            step = match_version(session, item, terms.rule, look_up=terms.look_up)
            backlog.done(session, [item.version_id])
    except Exception as error:  # any failure of one page must not stop the others, and is kept with it
        LOG.exception("version %d could not be compared", item.version_id, extra={"page": item.page_id})
        backlog.push_ahead(session, item.version_id, f"{type(error).__name__}: {error}")
        return Progress(failed=1)
    return step


def _sum(steps: Iterable[Progress]) -> Progress:
    total = Progress()
    for step in steps:
        total = total.plus(step)
    return total


def match_version(
    session: "Session", item: BacklogItem, rule: CaseRule = DEFAULT_RULE, *, look_up: LookUp = find_candidates
) -> Progress:
    """Compares one version with the store and keeps what was found. Doing it again changes nothing."""
    with about(page=item.page_id, version=item.version_id):
        return _match_version(session, item, rule, look_up)


def _match_version(session: "Session", item: BacklogItem, rule: CaseRule, look_up: LookUp) -> Progress:
    page = pages.page_by_id(session, item.page_id)
    if page is None:
        return Progress(compared=1)
    if page.text_id != item.text_id:
        return _match_former(session, item, rule, look_up)
    body = pages.text_body(session, item.text_id)
    if body is None:
        raise StorageError(f"text {item.text_id} of page {page.url} is missing")
    known = saving.matched_texts(session, item.text_id, algorithm_version=ALGORITHM_VERSION)
    comparison = _compare(session, page, body, look_up, also=known)
    of_cases = pages_for_cases(session, page, comparison.found)
    kept = _nearest(comparison.found, of_cases)
    for found in kept:
        _keep(session, page, body, found, of_cases.get(found.stored.id, ()))
    # An origin is one of the matches of each of its copies, though they are not all among its own nearest.
    standing = {found.stored.id for found in comparison.found} | comparison.left_out
    saving.drop_page_matches(session, page.id, text_id=item.text_id, keep=standing)
    _join_families(session, item.text_id, comparison.found)
    keep_cases(session, page, body, comparison.found, of_cases, left_out=comparison.left_out, rule=rule)
    # What this page tells of an edge was not known when older pages of its host were compared.
    boilerplate.requeue_older(session, item.text_id, comparison.told_by)
    return Progress(compared=1, matched=len(kept), cut=comparison.cut)


def _match_former(session: "Session", item: BacklogItem, rule: CaseRule, look_up: LookUp) -> Progress:
    """A version that was replaced before anybody compared it: who copied it meanwhile is found, and nothing dropped."""
    page, body = pages.page_at_version(session, item.version_id), pages.text_body(session, item.text_id)
    if page is None or body is None:
        return Progress(compared=1)
    comparison = _compare(session, page, body, look_up)
    copies = [found for found in comparison.found if found.direction.left_is_source]
    of_cases = pages_for_cases(session, page, copies)
    kept = _nearest(copies, of_cases)
    for found in kept:
        _keep(session, page, body, found, of_cases.get(found.stored.id, ()))
    # What is not a copy of it is unknown here, so that no case loses a page by it.
    unknown = comparison.left_out | {found.stored.id for found in comparison.found}
    keep_cases(session, page, body, copies, of_cases, left_out=unknown, rule=rule)
    return Progress(compared=1, matched=len(kept), cut=comparison.cut)


def _compare(
    session: "Session", page: PageRecord, body: str, look_up: LookUp, *, also: Collection[int] = ()
) -> Comparison:
    return compare_with_store(
        session,
        analyse(body),
        facts_of_page(page, body),
        body,
        self_id=page.text_id,
        not_owner=page.owner_key,
        also=also,
        site_ids=() if page.site_id is None else (page.site_id,),
        look_up=look_up,
    )


def _nearest(compared: Sequence[Compared], of_cases: Collection[int] = ()) -> list[Compared]:
    """Of each family its likely origin and the nearest; texts of no family yet stand alone.

    `of_cases`: texts that are kept however many there are, since each of their owners may have a case.
    """
    by_family: defaultdict[int, list[Compared]] = defaultdict(list)
    for found in compared:
        by_family[found.stored.family_id or found.stored.id].append(found)
    kept: list[Compared] = []
    for members in by_family.values():
        origin = members[likely_origin([facts_of_page(found.pages[0], found.stored.body) for found in members])]
        others = [found for found in members if found is not origin]
        kept += [origin, *others[:NEAREST], *(found for found in others[NEAREST:] if found.stored.id in of_cases)]
    return kept


def _keep(
    session: "Session", page: PageRecord, body: str, found: Compared, of_cases: Sequence[PageRecord] = ()
) -> None:
    match_id, is_new = saving.store_match(
        session, _new_match(session, page, found), seen_from_copy=not found.direction.left_is_source
    )
    for other in {other.id: other for other in (*found.pages[:PAGES_SHOWN], *of_cases)}.values():
        saving.store_page_match(session, match_id, _new_page_match(page, other, body, found))
    if is_new and found.direction.left_is_source and found.kind is MatchKind.EMBEDDED:
        # Only from the copying side can one see whether it is a mosaic: let the copy look again.
        boilerplate.requeue_matched(session, [found.stored.id])


def _new_match(session: "Session", page: PageRecord, found: Compared) -> NewMatch:
    judgement, candidate = found.judgement, found.candidate
    is_low = page.text_id <= found.stored.id
    shares = (judgement.left_share, judgement.right_share)
    return NewMatch(
        low_text_id=min(page.text_id, found.stored.id),
        high_text_id=max(page.text_id, found.stored.id),
        algorithm_version=ALGORITHM_VERSION,
        kind=found.kind,
        score=judgement.score,
        low_share=shares[0] if is_low else shares[1],
        high_share=shares[1] if is_low else shares[0],
        longest=judgement.longest,
        passages=tuple(item if is_low else item.swapped() for item in judgement.passages),
        evidence=Evidence(
            simhash_distance=candidate.simhash_distance,
            shared_slices=candidate.shared_slices,
            shared_seeds=candidate.shared_seeds,
            matched_units=judgement.matched_units,
            boilerplate_units=judgement.boilerplate_units,
            provisional=_rests_on_little(session, page, found),
        ),
    )


def _rests_on_little(session: "Session", page: PageRecord, found: Compared) -> bool:
    """One short passage between pages of sites too young for their boilerplate to be known, or beside a run that only a
    few pages tell to be such.
    """
    proving = [passage for passage in found.judgement.passages if not passage.is_boilerplate]
    if len(proving) > 1 or max(found.judgement.left_share, found.judgement.right_share) >= FAMILY_SHARE:
        return False
    if found.edges_set_aside:
        return True
    sites = [site for site in (page.site_id, found.pages[0].site_id) if site is not None]
    return any(pages.pages_of_site(session, site, bound=YOUNG_SITE) < YOUNG_SITE for site in sites)


def _new_page_match(page: PageRecord, other: PageRecord, body: str, found: Compared) -> NewPageMatch:
    left, right = facts_of_page(page, body), facts_of_page(other, found.stored.body)
    direction = direction_between(left, right, wear_of(found.judgement, body, found.stored.body))
    credit = credit_between(left, right, direction)
    return NewPageMatch(
        page_ids=(page.id, other.id),
        source_page_id=page.id if direction.left_is_source else other.id,
        confidence=round(direction.confidence, 4),
        reasons=direction.reasons,
        credit=credit.credit,
        credit_evidence=credit.evidence,
    )


def _join_families(session: "Session", text_id: int, compared: Sequence[Compared]) -> None:
    story = [
        found.stored.id
        for found in compared
        if min(found.judgement.left_share, found.judgement.right_share) >= FAMILY_SHARE and found.stored.id != text_id
    ]
    if story:
        families.join_family(session, {text_id, *story})
