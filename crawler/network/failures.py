"""Refusals for failed requests, by exception and by status. Pure."""

from typing import Final

from scrapy.exceptions import (
    CannotResolveHostError,
    DownloadCancelledError,
    DownloadConnectionRefusedError,
    DownloadFailedError,
    DownloadTimeoutError,
    IgnoreRequest,
    ResponseDataLossError,
    UnsupportedURLSchemeError,
)

from crawler.outcomes.refusals import Refusal


class Refused(IgnoreRequest):
    """A request or response that is refused."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(str(refusal))
        self.refusal = refusal


class HostHeld(IgnoreRequest):
    """The host asked for a pause that is longer than requests wait."""

    def __init__(self, wait_s: float) -> None:
        super().__init__(f"The host is left alone for {wait_s:.0f} s")
        self.wait_s = wait_s


class Stopped(IgnoreRequest):
    """The crawl is stopping: the request is given up, and made again by the next crawl."""


_BY_TYPE: Final[tuple[tuple[type[BaseException], Refusal], ...]] = (
    (DownloadCancelledError, Refusal.TOO_LARGE),
    (DownloadTimeoutError, Refusal.TIMEOUT),
    (ResponseDataLossError, Refusal.BROKEN_RESPONSE),
    (UnsupportedURLSchemeError, Refusal.OUT_OF_SCOPE),
    (CannotResolveHostError, Refusal.UNREACHABLE),
    (DownloadConnectionRefusedError, Refusal.UNREACHABLE),
    (DownloadFailedError, Refusal.BROKEN_RESPONSE),
    (ConnectionError, Refusal.UNREACHABLE),
    (TimeoutError, Refusal.TIMEOUT),
)

_GONE: Final = frozenset({404, 410})


def refusal_of_failure(error: BaseException) -> Refusal:
    if isinstance(error, Refused):
        return error.refusal
    if isinstance(error, HostHeld):
        return Refusal.HOST_HELD
    if isinstance(error, IgnoreRequest):
        # Scrapy's own: a body that grew beyond the bound while it was decompressed, else too many redirects.
        return Refusal.TOO_LARGE if error.__cause__ is not None else Refusal.TOO_MANY_REDIRECTS
    return next((refusal for kind, refusal in _BY_TYPE if isinstance(error, kind)), Refusal.BROKEN_RESPONSE)


def is_foreseen(error: BaseException) -> bool:
    """Whether the cause is the web, and not a bug."""
    return isinstance(error, (IgnoreRequest, OSError, *(kind for kind, _ in _BY_TYPE)))


def refusal_of_status(status: int) -> Refusal | None:
    """Why a response with this status holds no page; None for those that do."""
    if 200 <= status < 300:  # noqa: PLR2004  (the meaning of the first digit)
        return None
    return Refusal.GONE if status in _GONE else Refusal.BAD_STATUS
