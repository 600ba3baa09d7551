"""One way to post JSON to where alerts go: no redirects, no proxy, bounded in time."""

import urllib.error
import urllib.request
from collections.abc import Mapping
from typing import Final

TIMEOUT_S: Final = 20.0
"""Of one answer; a message takes several."""
READ_BYTES: Final = 10_000
"""Of what is answered: nobody reads more of it."""


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """A receiver is told where its address says, nowhere else."""

    def redirect_request(self, *_: object) -> None:
        return None


def post(address: str, body: bytes, headers: Mapping[str, str]) -> tuple[int, bytes]:
    """Status and beginning of the answer. Raises OSError, ValueError."""
    asked = urllib.request.Request(address, data=body, headers=dict(headers))  # noqa: S310  # http or https, read before
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}), _NoRedirects)
    try:
        with opener.open(asked, timeout=TIMEOUT_S) as answer:
            return answer.status, answer.read(READ_BYTES)
    except urllib.error.HTTPError as error:
        with error:
            return error.code, b""
