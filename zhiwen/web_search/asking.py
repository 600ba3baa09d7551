"""Asks services for a phrase: each query is booked and committed before it is sent, and ended with its results.

Killed between the two, the query stays booked: it counts as spent and is not sent again within its time, so none is
paid twice. It is ended as interrupted later, and its article's visit stays open, so none is forgotten.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta, tzinfo
from enum import StrEnum
from typing import TYPE_CHECKING, Final

from crawler.web_search.budget import NOT_AGAIN_WITHIN, Limit, Spent, reached_limit, rest_after
from crawler.web_search.service import Fault, SearchAnswer, SearchResult, ServiceFailed
from storage.engine import transaction
from storage.records.web_search import ArticleToAsk, NewQuery, RestRecord, SpentRecord
from storage.web_search import queries

if TYPE_CHECKING:
    from sqlalchemy import Engine
    from sqlalchemy.orm import Session

    from zhiwen.web_search.plan import PlannedService, SearchPlan

OPEN_AT_MOST: Final = timedelta(minutes=10)
"""A query without an end for longer was sent by a program that is gone: an answer takes seconds."""


class Unasked(StrEnum):
    """Why a service was not asked for a phrase."""

    RESTING = "resting"
    """It failed lately."""
    ASKED_ALREADY = "asked-already"
    """It answered within the time of the query: what it found is stored."""
    NOT_ENDED = "not-ended"
    """It was asked within the time of the query, and its answer was lost."""
    SERVICE_BUDGET = "service-budget"
    SITE_BUDGET = "site-budget"
    EXACT_ONLY = "exact-only"
    """It finds exact phrases alone, and was to be asked for words."""


def _utc_now() -> datetime:
    return datetime.now(UTC)


@dataclass(slots=True)
class Asked:
    """What became of one phrase. `queries`: sent. `is_answered`: now, or earlier within the time of the query."""

    queries: int = 0
    is_answered: bool = False
    results: list[SearchResult] = field(default_factory=list)
    unasked: dict[str, Unasked] = field(default_factory=dict)
    faults: dict[str, ServiceFailed] = field(default_factory=dict)
    limits: dict[str, Limit] = field(default_factory=dict)
    """By service, the limit that is reached."""


Keep = Callable[["Session", SearchAnswer], None]
"""Saves what an answer found, in the transaction that ends its query."""


@dataclass(frozen=True, slots=True)
class Asker:
    """`zone`: whose days and months the budgets have."""

    engine: "Engine"
    plan: "SearchPlan"
    zone: tzinfo
    now: Callable[[], datetime] = _utc_now
    _sent_at: dict[str, float] = field(default_factory=dict)
    """By service, when this process sent its last query, on the monotonic clock."""

    def ask(
        self, phrase: str, article: ArticleToAsk, *, due: datetime | None = None, exact: bool = True, keep: Keep
    ) -> Asked:
        """Ask for a phrase of an article: the first service that can answer, or all of them.

        `exact`: for just this phrase, otherwise for its words. Where no service takes words, that counts as answered.
        `due`: when the visit became due that the phrase belongs to. A service that answered since then is not asked
        again, however long the visit takes: a small budget would be spent on the same phrases every day.
        """
        asked = Asked()
        for planned in self.plan.services:
            if not exact and not planned.service.takes_words:
                asked.unasked[planned.name] = Unasked.EXACT_ONLY
                continue
            self._ask_one(planned, phrase, article, due, keep, asked, exact=exact)
            if asked.is_answered and not self.plan.asks_all:
                break
        if not exact and self.plan.services:
            asked.is_answered |= not any(one.service.takes_words for one in self.plan.services)
        return asked

    def end_interrupted(self) -> int:
        """End the queries of programs that were killed. Returns their number."""
        with transaction(self.engine) as session:
            return queries.end_interrupted(session, self.now() - OPEN_AT_MOST, Fault.INTERRUPTED)

    def _ask_one(
        self,
        planned: "PlannedService",
        phrase: str,
        article: ArticleToAsk,
        due: datetime | None,
        keep: Keep,
        asked: Asked,
        *,
        exact: bool,
    ) -> None:
        with transaction(self.engine) as session:
            booked = self._book(session, planned, phrase, article, due, asked)
        if isinstance(booked, Unasked):
            asked.unasked[planned.name] = booked
            asked.is_answered |= booked is Unasked.ASKED_ALREADY
            return
        asked.queries += 1
        self._keep_gap(planned)
        try:
            answer = planned.service.search(phrase, article.language, None, exact=exact)
        except ServiceFailed as failure:
            asked.faults[planned.name] = failure
            with transaction(self.engine) as session:
                self._fail(session, planned, booked, failure)
            return
        with transaction(self.engine) as session:
            counts = {"unusable": answer.unusable, "beyond": answer.beyond}
            queries.end_answered(session, booked, results=len(answer.results), **counts)
            keep(session, answer)
        asked.is_answered = True
        asked.results.extend(answer.results)

    def _keep_gap(self, planned: "PlannedService") -> None:
        last = self._sent_at.get(planned.name)
        if last is not None:
            time.sleep(max(0.0, min(planned.gap_s, last + planned.gap_s - time.monotonic())))
        self._sent_at[planned.name] = time.monotonic()

    def _book(
        self,
        session: "Session",
        planned: "PlannedService",
        phrase: str,
        article: ArticleToAsk,
        due: datetime | None,
        asked: Asked,
    ) -> int | Unasked:
        """Return the id of the booked query, or why none is sent."""
        queries.hold_bookings(session)
        now = self.now()
        window = now - NOT_AGAIN_WITHIN
        if queries.was_answered(session, planned.name, phrase, window if due is None else min(window, due)):
            return Unasked.ASKED_ALREADY
        # One that failed may be asked again when its service has rested.
        if queries.is_unsettled(session, planned.name, phrase, window, Fault.INTERRUPTED):
            return Unasked.NOT_ENDED
        rest = queries.rests(session).get(planned.name)
        if rest is not None and rest.until > now:
            return Unasked.RESTING
        limited = self._limited(session, planned, article, now, asked)
        if limited is not None:
            return limited
        return queries.book(session, NewQuery(planned.name, phrase, article.site_id, article.page_id, planned.price))

    def _limited(
        self, session: "Session", planned: "PlannedService", article: ArticleToAsk, now: datetime, asked: Asked
    ) -> Unasked | None:
        day = now.astimezone(self.zone).replace(hour=0, minute=0, second=0, microsecond=0)
        month = day.replace(day=1)
        budgets = (
            (Unasked.SITE_BUDGET, self.plan.rule_of(article.site_name).budget, {"site_id": article.site_id}),
            (Unasked.SERVICE_BUDGET, planned.budget, {"service": planned.name}),
        )
        for why, budget, where in budgets:
            spent = queries.spent(session, day=day, month=month, **where)
            limit = reached_limit(budget, _spent(spent), planned.price)
            if limit is not None:
                asked.limits[planned.name] = limit
                return why
        return None

    def _fail(self, session: "Session", planned: "PlannedService", query_id: int, failure: ServiceFailed) -> None:
        queries.end_failed(session, query_id, failure.fault)
        before = queries.rests(session).get(planned.name)
        failures = (0 if before is None else before.failures) + 1
        until = self.now() + rest_after(failure.fault, failures, failure.retry_after_s)
        queries.keep_rest(session, RestRecord(planned.name, failures, until, failure.fault, str(failure)))


def _spent(record: SpentRecord) -> Spent:
    return Spent(record.queries_today, record.queries_this_month, record.money_this_month)
