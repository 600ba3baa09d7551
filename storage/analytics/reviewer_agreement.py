"""Agreement of reviewers with the program: their decisions by kind, credit, score, site and reason."""

from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Final

from sqlalchemy import CTE, ColumnElement, Label, and_, case, func, select, tuple_
from sqlalchemy.orm import Session

from storage.cases.verdicts import verdict_of_case
from storage.models.cases import Case, CasePage
from storage.models.pages import Page
from storage.models.sites import Site
from storage.postgres.rows import record_of, records_of
from storage.types import CaseQueue, Dismissal, Verdict

SCORE_BANDS: Final = (0.0, 0.5, 0.7, 0.8, 0.9, 0.95, 1.01)
"""Lower bounds of the bands, and the end of the last one, which includes a score of 1."""
SHOWN_SITES: Final = 30
DECISIONS_COUNTED: Final = 10_000
"""The newest decisions: more would not make a share more exact, and the program of years ago was different."""


@dataclass(frozen=True, slots=True)
class Tally:
    """Decisions on cases with the same `key`; None: unknown."""

    key: str | None
    right: int
    """Of these, `lawful` are copies that the law permits: found rightly, with nothing to pursue."""
    wrong: int
    lawful: int = 0

    @property
    def decided(self) -> int:
        return self.right + self.wrong


@dataclass(frozen=True, slots=True)
class Decisions:
    """The same decisions grouped by several properties of the case; unknown values are left out."""

    in_all: Tally
    by_kind: list[Tally]
    by_credit: list[Tally]
    by_score: list[Tally]
    """The key is the index of the band in SCORE_BANDS."""
    by_site: list[Tally]
    """Sites of the copies, most decisions first; a case on two sites counts for both."""
    dismissals: dict[Dismissal | None, int]
    """Wrong cases by the reason of their dismissal, most first."""


def decisions(session: Session, *, newest: int = DECISIONS_COUNTED) -> Decisions:
    """Two queries: one over the cases for all groupings of their own, and one with their sites."""
    counted = _counted(newest)
    by = counted.c.kind, counted.c.credit, counted.c.band, counted.c.because
    grouped = func.grouping(*by).label("grouped")
    sets = func.grouping_sets(*(tuple_(column) for column in by), tuple_())
    rows = session.execute(select(grouped, *by, *_tallied(counted.c.verdict)).group_by(sets)).all()

    def tallies(number: int) -> list[Tally]:
        key = by[number].name
        found = [record_of(Tally, row, key=row._mapping[key]) for row in rows if row.grouped == _by_only(number)]
        return sorted((tally for tally in found if tally.key is not None), key=lambda tally: str(tally.key))

    (whole,) = (record_of(Tally, row, key=None) for row in rows if row.grouped == _by_only(None))
    wrong = [(row.because, row.wrong) for row in rows if row.grouped == _by_only(_BECAUSE) and row.wrong]
    return Decisions(
        in_all=whole,
        by_kind=tallies(0),
        by_credit=tallies(1),
        by_score=tallies(2),
        by_site=_by_site(session, counted),
        dismissals=dict(sorted(wrong, key=lambda item: -item[1])),
    )


_BECAUSE: Final = 3


def _by_only(number: int | None) -> int:
    """The value of GROUPING() for a row that is grouped by this one of the four columns, or by none: a bit for each
    column it is not grouped by, the first the highest.
    """
    return 0b1111 if number is None else 0b1111 ^ (0b1000 >> number)


def _by_site(session: Session, counted: CTE) -> list[Tally]:
    there = select(counted.c.id, counted.c.verdict, Page.site_id).join(CasePage, CasePage.case_id == counted.c.id)
    there = there.join(Page, Page.id == CasePage.their_page_id).where(Page.site_id.is_not(None))
    on_site = there.distinct().subquery()
    statement = select(Site.name.label("key"), *_tallied(on_site.c.verdict)).join(Site, Site.id == on_site.c.site_id)
    rows = session.execute(statement.group_by(Site.name).order_by(func.count().desc(), Site.name).limit(SHOWN_SITES))
    return records_of(Tally, rows)


def _tallied(verdict: ColumnElement[Any]) -> tuple[Label[int], ...]:
    wrong, lawful = (func.count().filter(verdict == one.value) for one in (Verdict.WRONG, Verdict.LAWFUL))
    right = func.count().filter(verdict != Verdict.WRONG.value)
    return right.label("right"), wrong.label("wrong"), lawful.label("lawful")


def _counted(newest: int) -> CTE:
    """The decided cases that are counted. Materialized, else Postgres selects them once for each use."""
    bands = pairwise(SCORE_BANDS)
    whens = [(and_(Case.score >= low, Case.score < high), str(number)) for number, (low, high) in enumerate(bands)]
    verdict = verdict_of_case()
    decided = (
        select(
            *(Case.id, verdict.label("verdict"), Case.kind, Case.credit, case(*whens).label("band")),
            Case.dismissed_because.label("because"),
        )
        .where(_is_ours(), verdict.is_not(None))
        .order_by(Case.id.desc())
        .limit(newest)
    )
    return decided.cte("decided").prefix_with("MATERIALIZED")


def _is_ours() -> ColumnElement[bool]:
    """Cases in which we may be the copier are left out: their decisions are about the direction."""
    return Case.queue == CaseQueue.COPIED
