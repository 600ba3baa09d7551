"""Captures the pages of cases: first what they answer, for all of them; then what they look like, one by one."""

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
from crawler.browser.screenshot import NoScreenshot
from crawler.evidence.page_capture import CapturedPage, Capturer
from crawler.outcomes.refusals import Refusal
from storage.crawl import host_rate_limit
from storage.engine import transaction
from storage.pages import pages
from storage.takedowns import page_presence, recaptures
from storage.takedowns.recaptures import Asked
from storage.types import CopyState, Sight
from zhiwen.worker.page_sights import Known, sight_of

if TYPE_CHECKING:
    from sqlalchemy import Engine
    from sqlalchemy.orm import Session

Ask: TypeAlias = "Callable[[Session], list[Asked]]"
"""Which pages are to be captured now."""

AT_ONCE: Final = 20
SIDE_BY_SIDE: Final = 2
DELAY_S: Final = 1.0
LONGEST_TURN_S: Final = 30.0
"""A host that has to be left alone for longer is captured later."""

SAME_CAPTURE: Final = timedelta(minutes=10)
"""A page that was captured so lately is not fetched again for the next case: ours often stands in many."""

PICTURES_OWED: Final = 1_000
"""Pages captured of which a picture is still to be made; of more, the first go without."""

_SIGHTS: Final = {
    CopyState.THERE: Sight.THERE,
    CopyState.EDITED: Sight.EDITED,
    CopyState.MISSING: Sight.ABSENT,
    CopyState.REMOVED: Sight.ABSENT,
    CopyState.ELSEWHERE: Sight.ELSEWHERE,
    CopyState.UNREADABLE: Sight.UNREADABLE,
}
"""What a capture of a moment ago saw."""

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class CaseCaptures:
    """One job's captures. `stopping` set, it ends after the page or picture it is at."""

    engine: "Engine"
    capturer: Capturer
    stopping: Event
    _tried: set[tuple[int, int]] = field(default_factory=set)
    _owed: deque[str] = field(default_factory=deque)
    _problems: list[str] = field(default_factory=list)

    def work_off(self, ask: Ask, why: str) -> list[str]:
        """Captures what `ask` names until it names nothing new. Returns what went wrong with which page.

        A picture takes as long as several pages, and a page may be gone within the minute: before each picture it is
        asked for pages again, and these come first.
        """
        while not self.stopping.is_set():
            with transaction(self.engine) as session:
                asked = [one for one in ask(session) if (one.case_id, one.page_id) not in self._tried][:AT_ONCE]
            if asked:
                self._tried.update((one.case_id, one.page_id) for one in asked)
                self._capture(asked, why)
            elif self._owed:
                self._picture(self._owed.popleft())
            else:
                break
        if self._owed:
            log.warning("told to stop: %s captured pages are left without a picture", len(self._owed))
        return self._problems

    def _capture(self, asked: Sequence[Asked], why: str) -> None:
        """Two side by side, as the pages of a case are."""
        around = copy_context()

        def one(page: Asked) -> CapturedPage | None:
            return around.copy().run(self._captured_or_not, page, why)

        with ThreadPoolExecutor(SIDE_BY_SIDE) as side_by_side:
            captured = list(side_by_side.map(one, asked))
        if what_is_missing() is not None:
            return
        # Also of a page that is gone, or whose article only a browser sees: that is what a reader meets.
        self._owed.extend(page.url for page in captured if page is not None and page.entry.record is not None)
        for _ in range(len(self._owed) - PICTURES_OWED):
            log.warning("no screenshot of %s: too many are to be made", self._owed.popleft())

    def _captured_or_not(self, asked: Asked, why: str) -> CapturedPage | None:
        try:
            return None if self.stopping.is_set() else self._captured(asked, f"{why} {asked.case_id}")
        except Exception as error:
            log.exception("%s could not be captured", asked.url, extra={"page": asked.page_id, "case": asked.case_id})
            self._problems.append(f"{asked.url}: {error}")
            return None

    def _captured(self, asked: Asked, why: str) -> CapturedPage | None:
        """None where nothing was fetched: it was captured a moment ago, or its host is left alone for now."""
        with transaction(self.engine) as session:
            if self._is_captured(session, asked):
                return None
            wait_s = host_rate_limit.take_turn(session, urlsplit(asked.url).netloc, delay_s=DELAY_S)
        if wait_s > LONGEST_TURN_S or self.stopping.wait(wait_s):
            return None  # asked for again by the next job
        page = self.capturer.capture_page(asked.url, why=why)
        with transaction(self.engine) as session:
            self._note(session, asked, page, why)
        return page

    @staticmethod
    def _is_captured(session: "Session", asked: Asked) -> bool:
        """Whether a capture of a moment ago was made to do for this case, too."""
        known = recaptures.recent(session, asked.page_id, datetime.now(UTC) - SAME_CAPTURE)
        if known is None:
            return False
        recaptures.record(
            session,
            asked.case_id,
            asked.page_id,
            at=known.at,
            entry=known.entry,
            refusal=known.refusal,
            sight=_SIGHTS[known.state],
        )
        return True

    @staticmethod
    def _note(session: "Session", asked: Asked, page: CapturedPage, why: str) -> None:
        """What the look says, for every case that has a copy on this page; and of the page itself."""
        outcome, number = page.outcome, page.entry.number
        refusal = outcome if isinstance(outcome, Refusal) else None
        standings, sights = [], set()
        for copy in recaptures.copies_on(session, asked):
            known = Known(asked.url, _body(session, copy.their_text_id), _body(session, copy.our_text_id))
            sight = sight_of(known, page.url, outcome)
            standing = recaptures.record(
                session, copy.case_id, asked.page_id, at=page.at, entry=number, refusal=refusal, sight=sight
            )
            sights.add(sight)
            standings.append(standing.state)
        if CopyState.REMOVED in standings and Sight.ABSENT in sights:
            page_presence.record_gone(session, asked.url, page.at, reason=f"captured: {why}", is_captured=True)
        elif sights & {Sight.THERE, Sight.EDITED}:
            page_presence.record_seen(session, asked.url, page.at, is_captured=True)

    def _picture(self, url: str) -> None:
        try:
            self.capturer.keep_screenshot(url)
        except NoScreenshot as error:
            log.info("no screenshot of %s: %s", url, error)


def _body(session: "Session", text_id: int | None) -> str | None:
    return None if text_id is None else pages.text_body(session, text_id)
