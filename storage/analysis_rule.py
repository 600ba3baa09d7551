"""What another rule for cases would change, counted on what is stored. Nothing is written."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from sqlalchemy import ColumnElement, Select, and_, case, exists, func, literal, null, or_, select
from sqlalchemy.orm import Session, aliased

from storage.case_states import WAITING_STATES
from storage.hit_filters import copy_page_id
from storage.matches import passage_from_json
from storage.models.cases import Case, CasePage
from storage.models.matches import Match, PageMatch
from storage.models.pages import Page, PageVersion, Text
from storage.models.sites import Site
from storage.quality import DECISIONS_COUNTED
from storage.records import Passage
from storage.types import CaseQueue, Rights, SiteRole, Verdict
from storage.verdicts import verdict_of_case

CASES_READ: Final = 20_000
HITS_READ: Final = 20_000
HITS_AT_ONCE: Final = 500
MOST_NAMED: Final = 200
CharsShared: TypeAlias = Callable[[Sequence[Passage], int], int]
"""Of the left text of passages, with its length: how many of its characters they hold."""


@dataclass(frozen=True, slots=True)
class Rule:
    """From where on a copy of ours makes a case: characters or share, and a score on top."""

    min_chars: int
    min_share: float
    min_score: float = 0.0


@dataclass(frozen=True, slots=True)
class Verdicts:
    """What the rule would have done with the cases that people have decided."""

    kept_right: int
    kept_wrong: int
    lost_right: int
    lost_wrong: int


@dataclass(frozen=True, slots=True)
class Closing:
    """Cases that wait and that the rule would not open. `read`: how many that wait were looked at."""

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
    found = {(bool(is_kept), verdict): count for is_kept, verdict, count in rows}
    right, wrong = Verdict.RIGHT.value, Verdict.WRONG.value
    order = ((True, right), (True, wrong), (False, right), (False, wrong))
    return Verdicts(*(found.get(key, 0) for key in order))


def closing(session: Session, rule: Rule) -> Closing:
    """The newest first, up to a bound; those that somebody decided stay, whatever the rule."""
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
    """Numbers of hits of ours that make no case now and hold enough for this rule; the last found first, up to a
    bound. `chars_shared` counts what is taken of a text as cases do. Whether a licence covers them, or an agency wrote
    them, is for whoever judges.
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
    """Hits of ours in no case: passages and length of ours where the share is too small for the rule, else NULL."""
    newest = (
        select(PageMatch.id, PageMatch.match_id, PageMatch.source_page_id, copy_page_id.label("copy_page_id"))
        .order_by(PageMatch.id.desc())
        .limit(HITS_READ)
        .subquery("newest")
    )
    ours, theirs = aliased(Page, name="ours"), aliased(Page, name="theirs")
    our_site, their_site = aliased(Site, name="our_site"), aliased(Site, name="their_site")
    version, their_version = aliased(PageVersion, name="version"), aliased(PageVersion, name="their_version")
    is_low = their_version.text_id == Match.low_text_id
    their_share = case((is_low, Match.low_share), else_=Match.high_share)
    our_share = case((is_low, Match.high_share), else_=Match.low_share)
    is_enough = func.greatest(our_share, their_share) >= rule.min_share
    is_own = or_(version.rights == Rights.OWN, and_(version.rights == Rights.UNKNOWN, our_site.rights == Rights.OWN))
    in_case = exists().where(
        CasePage.case_id == Case.id,
        Case.our_page_id == newest.c.source_page_id,
        CasePage.their_page_id == newest.c.copy_page_id,
        CasePage.gone_at.is_(None),
    )
    return (
        select(newest.c.id, is_low, case((is_enough, null()), else_=Match.passages), Text.chars)
        .join(Match, Match.id == newest.c.match_id)
        .join(ours, ours.id == newest.c.source_page_id)
        .join(our_site, our_site.id == ours.site_id)
        .join(version, and_(version.page_id == ours.id, version.is_current))
        .join(theirs, theirs.id == newest.c.copy_page_id)
        .join(their_version, and_(their_version.page_id == theirs.id, their_version.is_current))
        .join(Text, Text.id == version.text_id)
        .outerjoin(their_site, their_site.id == theirs.site_id)
        .where(our_site.role == SiteRole.ORIGINAL, is_own, Match.score >= rule.min_score)
        .where(their_site.owner_id.is_distinct_from(our_site.owner_id))
        .where(~in_case)
        .order_by(newest.c.id.desc())
    )


def _enough(case_id: Any, rule: Rule) -> ColumnElement[bool]:
    """Whether one of the pages of a case holds enough. A case whose pages hold nothing any more keeps its figures."""
    share = func.greatest(CasePage.our_share, CasePage.their_share)
    holds = or_(CasePage.chars >= rule.min_chars, share >= rule.min_share)
    of_case = select(func.bool_or(holds)).where(CasePage.case_id == case_id)
    return func.coalesce(of_case.scalar_subquery(), literal(True))


def _sure(score: Any, rule: Rule) -> ColumnElement[bool]:
    """Of a case without a score nothing is known: it stays."""
    return func.coalesce(score, 1.0) >= rule.min_score
