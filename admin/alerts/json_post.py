"""Post JSON to a receiver of alerts: without redirects or proxies, limited in time."""

import urllib.error
import urllib.request
from collections.abc import Mapping
from typing import Final

TIMEOUT_S: Final = 20.0
"""For one answer; some services need several requests for a message."""
READ_BYTES: Final = 10_000
"""How much of an answer is read."""


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """Sends to the given address only."""

    def redirect_request(self, *_: object) -> None:
        return None


def post(address: str, body: bytes, headers: Mapping[str, str]) -> tuple[int, bytes]:
    """Post `body` and return the status and the beginning of the answer. Raises OSError, ValueError."""
    asked = urllib.request.Request(address, data=body, headers=dict(headers))  # noqa: S310  # http or https, read before
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}), _NoRedirects)
    try:
        with opener.open(asked, timeout=TIMEOUT_S) as answer:
            return answer.status, answer.read(READ_BYTES)
    except urllib.error.HTTPError as error:
        with error:
            return error.code, b""
