"""A capture of one page that somebody at the desk asked for."""

import logging
from threading import Event
from typing import TYPE_CHECKING, Final

from crawler.browser.availability import what_is_missing
from crawler.browser.screenshot import NoScreenshot
from crawler.extraction.page_reader import page_reader
from storage.engine import transaction
from storage.pages import pages
from storage.takedowns import recaptures
from zhiwen.wiring import capturer_of
from zhiwen.worker.case_captures import CaseCaptures

if TYPE_CHECKING:
    from sqlalchemy import Engine

    from crawler.evidence.page_capture import Capturer
    from zhiwen.config.settings import Settings

MOST_CASES: Final = 200
"""Of one page; cases beyond get the capture with their next one."""

log = logging.getLogger(__name__)


def capture_asked(settings: "Settings", engine: "Engine", page_id: int, stopping: Event) -> None:
    """Captures a page as it is now, with a screenshot, for every open case that it belongs to; a page of no case is
    captured as well. Does nothing for a page that was removed. Raises OSError if the answer cannot be kept.
    """
    with transaction(engine) as session:
        page = pages.page_by_id(session, page_id)
    if page is None:
        log.warning("page %s was removed before its capture began", page_id)
        return
    with page_reader(settings.time_zone, asks_presence=True) as read_page:
        capturer = capturer_of(settings, engine, read_page)
        work = CaseCaptures(engine, capturer, stopping)
        problems = work.work_off(
            lambda session: recaptures.of_page(session, page_id, limit=MOST_CASES), "asked for, case"
        )
        with transaction(engine) as session:
            is_of_case = bool(recaptures.of_page(session, page_id, limit=1))
        if not is_of_case:
            _capture_alone(capturer, page.url)
    if problems:
        raise OSError(f"{page.url} could not be captured. {problems[0]}")


def _capture_alone(capturer: "Capturer", url: str) -> None:
    captured = capturer.capture_page(url, why="asked for at the desk")
    if captured.entry.record is None or what_is_missing() is not None:
        return
    try:
        capturer.keep_screenshot(captured.url)
    except NoScreenshot as error:
        log.info("no screenshot of %s: %s", url, error)
