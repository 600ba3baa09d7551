"""Preview of another case rule on the stored data. Read-only."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from sqlalchemy import ColumnElement, Select, and_, case, exists, func, literal, null, or_, select, true
from sqlalchemy.orm import Session
from sqlalchemy.sql.selectable import LateralFromClause

from storage.analytics.reviewer_agreement import DECISIONS_COUNTED
from storage.cases.verdicts import verdict_of_case
from storage.matches.filters import copy_page_id
from storage.matches.hits import passage_from_json
from storage.models.cases import Case, CasePage
from storage.models.matches import Match, PageMatch
from storage.models.pages import Page, PageVersion, Text
from storage.models.sites import Site
from storage.records.case_states import WAITING_STATES
from storage.records.matches import Passage
from storage.types import CaseQueue, Rights, SiteRole, Verdict

CASES_READ: Final = 20_000
HITS_READ: Final = 20_000
HITS_AT_ONCE: Final = 500
MOST_NAMED: Final = 200
CharsShared: TypeAlias = Callable[[Sequence[Passage], int], int]
"""From passages and the length of their left text to the number of its characters they cover."""


@dataclass(frozen=True, slots=True)
class Rule:
    """When a copy makes a case: enough characters or share, and enough score."""

    min_chars: int
    min_share: float
    min_score: float = 0.0


@dataclass(frozen=True, slots=True)
class Verdicts:
    """What the rule would have done with decided cases."""

    kept_right: int
    kept_wrong: int
    lost_right: int
    lost_wrong: int


@dataclass(frozen=True, slots=True)
class Closing:
    """Waiting cases that the rule would not open. `read`: how many waiting cases were read."""

    numbers: tuple[int, ...]
    read: int


def verdicts_under(session: Session, rule: Rule) -> Verdicts:
    verdict = verdict_of_case()
    decided = (
        select(Case.id, verdict.label("verdict"), Case.score)
        .where(Case.queue == CaseQueue.COPIED, verdict.is_not(None))
        .order_by(Case.id.desc())
        .limit(DECISIONS_COUNTED)
        .subquery("decided")
    )
    kept = and_(_enough(decided.c.id, rule), _sure(decided.c.score, rule))
    rows = session.execute(select(kept, decided.c.verdict, func.count()).group_by(kept, decided.c.verdict))
    found: Counter[tuple[bool, str]] = Counter()
    right, wrong = Verdict.RIGHT.value, Verdict.WRONG.value
    for is_kept, verdict_found, count in rows:  # a lawful copy was found rightly
        found[bool(is_kept), wrong if verdict_found == wrong else right] += count
    order = ((True, right), (True, wrong), (False, right), (False, wrong))
    return Verdicts(*(found.get(key, 0) for key in order))


def closing(session: Session, rule: Rule) -> Closing:
    """Waiting cases that the rule would close, newest first, up to a bound. Decided cases stay."""
    waits = (
        select(Case.id, Case.score)
        .where(Case.queue == CaseQueue.COPIED, Case.state.in_(WAITING_STATES))
        .order_by(Case.id.desc())
        .limit(CASES_READ)
        .subquery("waits")
    )
    kept = and_(_enough(waits.c.id, rule), _sure(waits.c.score, rule))
    numbers = session.scalars(select(waits.c.id).where(~kept).order_by(waits.c.id.desc())).all()
    return Closing(tuple(numbers), session.scalar(select(func.count()).select_from(waits)) or 0)


def opening(session: Session, rule: Rule, chars_shared: CharsShared) -> list[int]:
    """Ids of hits on our articles that make no case now and would under this rule, newest first, up to a bound.

    `chars_shared` counts copied characters as cases do. Licences and agency texts are not considered.
    """
    found: list[int] = []
    rows = session.execute(_makes_no_case(rule), execution_options={"yield_per": HITS_AT_ONCE})
    for hit_id, is_low, passages, length in rows:
        if passages is None or chars_shared(_of_ours(passages, their_text_is_low=is_low), length) >= rule.min_chars:
            found.append(hit_id)
        if len(found) == MOST_NAMED:
            break
    rows.close()
    return found


def _of_ours(passages: Sequence[dict[str, Any]], *, their_text_is_low: bool) -> list[Passage]:
    """The passages with our text on the left."""
    kept = map(passage_from_json, passages)
    return [passage.swapped() for passage in kept] if their_text_is_low else list(kept)


def _makes_no_case(rule: Rule) -> Select[tuple[int, bool, list[dict[str, Any]], int]]:
    """Hits on our articles without a case: passages and length of our text if the share is too small, else NULL."""
    newest = (
        select(PageMatch.id, PageMatch.match_id, PageMatch.source_page_id, copy_page_id.label("copy_page_id"))
        .order_by(PageMatch.id.desc())
        .limit(HITS_READ)
        .subquery("newest")
    )
    ours, theirs = _ours(newest.c.source_page_id), _theirs(newest.c.copy_page_id)
    is_low = theirs.c.text_id == Match.low_text_id
    their_share = case((is_low, Match.low_share), else_=Match.high_share)
    our_share = case((is_low, Match.high_share), else_=Match.low_share)
    is_enough = func.greatest(our_share, their_share) >= rule.min_share
    in_case = exists().where(
        CasePage.case_id == Case.id,
        Case.our_page_id == newest.c.source_page_id,
        CasePage.their_page_id == newest.c.copy_page_id,
        CasePage.gone_at.is_(None),
    )
    return (
        select(newest.c.id, is_low, case((is_enough, null()), else_=Match.passages), ours.c.chars)
        .join(Match, Match.id == newest.c.match_id)
        .join(ours, true())
        .join(theirs, true())
        .where(Match.score >= rule.min_score, theirs.c.owner_id.is_distinct_from(ours.c.owner_id))
        .where(~in_case)
        .order_by(newest.c.id.desc())
    )


def _ours(page_id: ColumnElement[int]) -> LateralFromClause:
    """The page, if it is ours. Looked up for each hit separately: with outdated statistics the planner would join all
    pages of our sites first.
    """
    is_own = or_(
        PageVersion.rights == Rights.OWN, and_(PageVersion.rights == Rights.UNKNOWN, Site.rights == Rights.OWN)
    )
    found = (
        select(Site.owner_id, Text.chars)
        .select_from(Page)
        .join(Site, Site.id == Page.site_id)
        .join(PageVersion, and_(PageVersion.page_id == Page.id, PageVersion.is_current))
        .join(Text, Text.id == PageVersion.text_id)
        .where(Page.id == page_id, Site.role == SiteRole.ORIGINAL, is_own)
    )
    return found.limit(1).lateral("ours")


def _theirs(page_id: ColumnElement[int]) -> LateralFromClause:
    found = (
        select(Site.owner_id, PageVersion.text_id)
        .select_from(Page)
        .join(PageVersion, and_(PageVersion.page_id == Page.id, PageVersion.is_current))
        .outerjoin(Site, Site.id == Page.site_id)
        .where(Page.id == page_id)
    )
    return found.limit(1).lateral("theirs")


def _enough(case_id: Any, rule: Rule) -> ColumnElement[bool]:
    """Whether a page of the case holds enough. A case without pages keeps its figures."""
    share = func.greatest(CasePage.our_share, CasePage.their_share)
    holds = or_(CasePage.chars >= rule.min_chars, share >= rule.min_share)
    of_case = select(func.bool_or(holds)).where(CasePage.case_id == case_id)
    return func.coalesce(of_case.scalar_subquery(), literal(True))


def _sure(score: Any, rule: Rule) -> ColumnElement[bool]:
    """Whether the score is enough. A case without a score stays."""
    return func.coalesce(score, 1.0) >= rule.min_score
