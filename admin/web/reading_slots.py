"""A bound on concurrent requests that take long: reading documents, fetching pages, printing, testing channels,
comparing long texts.

Each keeps a thread for up to a minute, and every other request must find one free.
"""

from typing import Final

from flask import Flask, g
from werkzeug.exceptions import ServiceUnavailable

from admin.web.services import current_services

RETRY_AFTER_S: Final = 10
"""A document is read in a second or two, on a busy machine in ten."""
LONG_TEXT: Final = 20_000
"""Characters: compared in under a second. A text of 200,000 from a dozen originals takes 14 s."""
_HELD: Final = "has_reading_slot"


class Busy(ServiceUnavailable):
    """All slots are taken; the same request will succeed in a moment."""

    def __init__(self) -> None:
        super().__init__(retry_after=RETRY_AFTER_S)


def take() -> None:
    """Keep a slot until the request ends, one per request. Raises Busy where none is free."""
    if _HELD in g:
        return
    if not current_services().reading_slots.acquire(blocking=False):
        raise Busy
    setattr(g, _HELD, True)


def take_for(text: str) -> None:
    """As `take`, if comparing `text` may take long. Raises Busy."""
    if len(text) > LONG_TEXT:
        take()


def init_app(app: Flask) -> None:
    app.teardown_request(_give_back)


def _give_back(_error: BaseException | None) -> None:
    if g.pop(_HELD, False):
        current_services().reading_slots.release()
