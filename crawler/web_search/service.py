"""The protocol of search services: a phrase in, results out."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Final, Protocol

MOST_RESULTS: Final = 100
"""Results of one answer that are read; a phrase of an article stands on fewer pages, or it proves nothing."""
MOST_TITLE: Final = 500
MOST_SNIPPET: Final = 2_000
"""In characters; the rest is cut off."""


@dataclass(frozen=True, slots=True)
class SearchResult:
    """`url` in its canonical form; `service`: the name of the one that returned it."""

    url: str
    title: str
    snippet: str
    service: str


@dataclass(frozen=True, slots=True)
class SearchAnswer:
    """`unusable`: results without an address on the web; `beyond`: further results, which were not read."""

    results: Sequence[SearchResult]
    unusable: int = 0
    beyond: int = 0


def query_of(phrase: str, *, exact: bool) -> str:
    """Return a phrase as services take it: in quotation marks if they are to find just this."""
    return f'"{phrase}"' if exact else phrase


class Fault(StrEnum):
    """Why a service gave no results."""

    UNREACHABLE = "unreachable"
    BUSY = "busy"
    """Too many queries, or a failing server: asked again later."""
    OUT_OF_QUOTA = "out-of-quota"
    KEY_REFUSED = "key-refused"
    REDIRECT = "redirect"
    """Not followed: the permission is for the configured host and port."""
    CAPTCHA = "captcha"
    TOO_LARGE = "too-large"
    GARBAGE = "garbage"
    REFUSED = "refused"
    INTERRUPTED = "interrupted"
    """The program ended between the booking of a query and its answer."""


class ServiceFailed(Exception):
    """The message names the service and the remedy, and never its key. `retry_after_s`: 0 if the service does not say
    how long it wants to be left alone.
    """

    def __init__(self, fault: Fault, message: str, *, retry_after_s: float = 0.0) -> None:
        super().__init__(message)
        self.fault = fault
        self.retry_after_s = retry_after_s


class SearchService(Protocol):
    """A service that is asked for phrases. One query is one request. `takes_words`: whether it ranks pages by words."""

    @property
    def name(self) -> str: ...

    @property
    def takes_words(self) -> bool: ...

    def search(self, phrase: str, language: str, since: datetime | None, *, exact: bool = True) -> SearchAnswer:
        """Return pages that have exactly this phrase, as far as the service knows them; else those that fit its words.

        `language`: as in page metadata (`zh-Hans`, `en`), or empty. `since`: only pages that are newer, where the
        service can tell; None: all. Raises ServiceFailed.
        """
