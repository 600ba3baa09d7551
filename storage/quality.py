"""How often people agree with the program: their decisions counted by who, how and how sure."""

from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Final

from sqlalchemy import ColumnElement, Select, and_, case, func, select
from sqlalchemy.orm import Session

from storage.models.cases import Case, CasePage
from storage.models.pages import Page
from storage.models.sites import Site
from storage.types import CaseQueue, Dismissal, Verdict
from storage.verdicts import verdict_of_case

SCORE_BANDS: Final = (0.0, 0.5, 0.7, 0.8, 0.9, 0.95, 1.01)
"""Lower bounds of the bands, and the end of the last one: a score of 1 belongs to it."""
SHOWN_SITES: Final = 30
DECISIONS_COUNTED: Final = 10_000
"""The newest ones: of more a share is no surer, and the program of years ago was another one."""


@dataclass(frozen=True, slots=True)
class Tally:
    """Decisions on cases that have `key` in common; None: it is not known."""

    key: str | None
    right: int
    wrong: int

    @property
    def decided(self) -> int:
        return self.right + self.wrong


def decided_in_all(session: Session, *, newest: int = DECISIONS_COUNTED) -> Tally:
    row = session.execute(_tallied(newest=newest)).one()
    return Tally(None, row.right, row.wrong)


def decided_by_kind(session: Session) -> list[Tally]:
    return _by(session, Case.kind)


def decided_by_credit(session: Session) -> list[Tally]:
    return _by(session, Case.credit)


def decided_by_score(session: Session) -> list[Tally]:
    """The key is the number of the band in SCORE_BANDS."""
    bands = pairwise(SCORE_BANDS)
    whens = [(and_(Case.score >= low, Case.score < high), str(number)) for number, (low, high) in enumerate(bands)]
    return _by(session, case(*whens))


def decided_by_site(session: Session) -> list[Tally]:
    """By the site that the copies stand on, most decisions first; a case on two sites counts for both."""
    on_site = (
        select(CasePage.case_id, Page.site_id)
        .join(Page, Page.id == CasePage.their_page_id)
        .where(Page.site_id.is_not(None), CasePage.case_id.in_(_newest()))
        .distinct()
        .subquery()
    )
    statement = _tallied(Site.name.label("key")).join(on_site, on_site.c.case_id == Case.id)
    statement = statement.join(Site, Site.id == on_site.c.site_id).group_by(Site.name)
    rows = session.execute(statement.order_by(func.count().desc(), Site.name).limit(SHOWN_SITES))
    return [Tally(row.key, row.right, row.wrong) for row in rows]


def dismissals(session: Session) -> dict[Dismissal | None, int]:
    """How many cases were dismissed for which reason."""
    counted = select(Case.dismissed_because, func.count()).where(verdict_of_case() == Verdict.WRONG.value)
    counted = counted.where(Case.id.in_(_newest()))
    rows = session.execute(counted.group_by(Case.dismissed_because).order_by(func.count().desc()))
    return {because: count for because, count in rows}  # noqa: C416  # a row is no pair to the type checker


def _by(session: Session, key: ColumnElement[Any] | Any) -> list[Tally]:
    statement = _tallied(key.label("key")).group_by(key)
    return [Tally(row.key, row.right, row.wrong) for row in session.execute(statement.order_by(key))]


def _tallied(*columns: ColumnElement[Any], newest: int = DECISIONS_COUNTED) -> Select[Any]:
    verdict = verdict_of_case()
    right = func.count().filter(verdict == Verdict.RIGHT.value).label("right")
    wrong = func.count().filter(verdict == Verdict.WRONG.value).label("wrong")
    return select(*columns, right, wrong).select_from(Case).where(Case.id.in_(_newest(newest)))


def _newest(bound: int = DECISIONS_COUNTED) -> Select[Any]:
    """Numbers of the decided cases that are counted."""
    decided = select(Case.id).where(_is_ours(), verdict_of_case().is_not(None))
    return decided.order_by(Case.id.desc()).limit(bound)


def _is_ours() -> ColumnElement[bool]:
    """Where we may be the copier, a decision says something of the direction, not of the find."""
    return Case.queue == CaseQueue.COPIED
