"""Captures the pages of cases: first the responses of all of them, then records of them in a browser, one by one."""

import logging
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from threading import Event
from typing import TYPE_CHECKING, Final, TypeAlias
from urllib.parse import urlsplit

from crawler.browser.availability import what_is_missing
from crawler.evidence.page_capture import CapturedPage, Capturer
from crawler.evidence.recordings.page_recording import PageRecorder
from crawler.evidence.signing_keys import KeyUnusable
from crawler.outcomes.refusals import Refusal
from storage.crawl import host_rate_limit
from storage.engine import transaction
from storage.pages import pages
from storage.takedowns import capture_retries, page_presence, recaptures
from storage.takedowns.recaptures import PageToCapture
from storage.types import CopyState, Sight
from zhiwen.worker.page_sights import Known, sight_of

if TYPE_CHECKING:
    from sqlalchemy import Engine
    from sqlalchemy.orm import Session

Ask: TypeAlias = "Callable[[Session], list[PageToCapture]]"
"""Returns the pages to capture now."""

AT_ONCE: Final = 20
SIDE_BY_SIDE: Final = 2
DELAY_S: Final = 1.0
LONGEST_TURN_S: Final = 30.0
"""If a host requires a longer delay, its page is captured later."""

SAME_CAPTURE: Final = timedelta(minutes=10)
"""A page captured within this time is not fetched again for another case: a source often belongs to many."""

MOST_TO_RECORD: Final = 1_000
"""Most captured pages that wait to be opened in a browser; beyond it, the oldest are skipped."""

_SIGHTS: Final = {
    CopyState.THERE: Sight.THERE,
    CopyState.EDITED: Sight.EDITED,
    CopyState.MISSING: Sight.ABSENT,
    CopyState.REMOVED: Sight.ABSENT,
    CopyState.ELSEWHERE: Sight.ELSEWHERE,
    CopyState.UNREADABLE: Sight.UNREADABLE,
}
"""The result of a recent capture."""

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class CaseCaptures:
    """The captures of one job. When `stopping` is set, it ends after the current page."""

    engine: "Engine"
    capturer: Capturer
    stopping: Event
    _tried: set[tuple[int, int]] = field(default_factory=set)
    _to_record: deque[tuple[CapturedPage, str]] = field(default_factory=deque)
    _problems: list[str] = field(default_factory=list)

    def work_off(self, ask: Ask, why: str) -> list[str]:
        """Captures the pages of `ask` until it returns no new ones. Returns the problems, each with its page.

        A record takes as long as several pages, and a page may disappear within a minute: before each record, `ask` is
        called again, and its pages come first.
        """
        while not self.stopping.is_set():
            with transaction(self.engine) as session:
                target = [one for one in ask(session) if (one.case_id, one.page_id) not in self._tried][:AT_ONCE]
            if target:
                self._tried.update((one.case_id, one.page_id) for one in target)
                self._capture(target, why)
            elif self._to_record:
                self._record(*self._to_record.popleft())
            else:
                break
        if self._to_record:
            log.warning("stopped: %s captured pages were not recorded", len(self._to_record))
        return self._problems

    def _capture(self, target: Sequence[PageToCapture], why: str) -> None:
        """Captures two pages at once: those of a case."""
        around = copy_context()

        def one(page: PageToCapture) -> CapturedPage | None:
            return around.copy().run(self._captured_or_not, page, why)

        with ThreadPoolExecutor(SIDE_BY_SIDE) as side_by_side:
            captured = zip(side_by_side.map(one, target), target, strict=True)
            kept = [(page, f"{why} {asked.case_id}") for page, asked in captured if page is not None]
        if what_is_missing() is not None:
            return
        # Also of missing pages, and of articles that only scripts show: it is what a reader sees.
        waiting = [(page, occasion) for page, occasion in kept if page.entry.record is not None]
        with transaction(self.engine) as session:
            for page, _ in waiting:
                capture_retries.begin_picture(session, page.url, at=datetime.now(UTC))
        self._to_record.extend(waiting)
        for _ in range(len(self._to_record) - MOST_TO_RECORD):
            log.warning("%s was not recorded: too many are waiting", self._to_record.popleft()[0].url)

    def _captured_or_not(self, target: PageToCapture, why: str) -> CapturedPage | None:
        try:
            return None if self.stopping.is_set() else self._captured(target, f"{why} {target.case_id}")
        except Exception as error:
            log.exception(
                "%s could not be captured", target.url, extra={"page": target.page_id, "case": target.case_id}
            )
            self._problems.append(f"{target.url}: {error}")
            return None

    def _captured(self, target: PageToCapture, why: str) -> CapturedPage | None:
        """None if nothing was fetched: the page was captured recently, or its host requires a delay."""
        with transaction(self.engine) as session:
            if self._is_captured(session, target):
                return None
            wait_s = host_rate_limit.take_turn(session, urlsplit(target.url).netloc, delay_s=DELAY_S)
        if wait_s > LONGEST_TURN_S or self.stopping.wait(wait_s):
            return None  # the next job captures it
        page = self.capturer.capture_page(target.url, why=why)
        with transaction(self.engine) as session:
            self._note(session, target, page, why)
        return page

    @staticmethod
    def _is_captured(session: "Session", target: PageToCapture) -> bool:
        """True if a recent capture was reused for this case."""
        known = recaptures.recent(session, target.page_id, datetime.now(UTC) - SAME_CAPTURE)
        if known is None:
            return False
        recaptures.record(
            session,
            target.case_id,
            target.page_id,
            at=known.at,
            entry=known.entry,
            refusal=known.refusal,
            sight=_SIGHTS[known.state],
        )
        return True

    @staticmethod
    def _note(session: "Session", target: PageToCapture, page: CapturedPage, why: str) -> None:
        """Records the result for every case with a copy on this page, and for the page."""
        outcome, number = page.outcome, page.entry.number
        refusal = outcome if isinstance(outcome, Refusal) else None
        standings, sights = [], set()
        for copy in recaptures.copies_on(session, target):
            known = Known(target.url, _body(session, copy.their_text_id), _body(session, copy.our_text_id))
            sight = sight_of(known, page.url, outcome)
            standing = recaptures.record(
                session, copy.case_id, target.page_id, at=page.at, entry=number, refusal=refusal, sight=sight
            )
            sights.add(sight)
            standings.append(standing.state)
        if CopyState.REMOVED in standings and Sight.ABSENT in sights:
            page_presence.record_gone(session, target.url, page.at, reason=f"captured: {why}", is_captured=True)
        elif sights & {Sight.THERE, Sight.EDITED}:
            page_presence.record_seen(session, target.url, page.at, is_captured=True)

    def _record(self, page: CapturedPage, why: str) -> None:
        """Keeps what a browser shows of a page; a failure is kept, too, and tried again later, as is a part of it."""
        recorder = PageRecorder(self.capturer.keeper, self.capturer.allowed_networks)
        try:
            entry, problem = recorder.record_and_judge(page, why=why)
        except (KeyUnusable, OSError) as error:
            log.exception("%s could not be recorded", page.url)
            self._problems.append(f"{page.url}: {error}")
            problem = str(error)
        else:
            if problem is not None:
                log.info("%s, entry %s: %s", page.url, entry.number, problem)
        with transaction(self.engine) as session:
            capture_retries.record_picture(session, page.url, problem)


def _body(session: "Session", text_id: int | None) -> str | None:
    return None if text_id is None else pages.text_body(session, text_id)
