"""Requests to exactly one host and port, and nowhere else: a service that the operator names in the settings.

No proxy, no redirect, no compression; an answer ends by a time and a size. The setting is the permission to enter a
private network: nothing that is read from pages or answers leads to another host.
"""

import http.client
import socket
import ssl
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from typing import Final
from urllib.parse import urlsplit

UNREACHABLE: Final = (OSError, http.client.HTTPException, UnicodeError)
"""What `Endpoint.ask` raises if no whole answer came; the last: a name that is no host."""


class AnswerTooLarge(Exception):
    """An answer with more bytes than the caller reads."""


@dataclass(frozen=True, slots=True)
class Answer:
    """`retry_after_s`: how long the service asks to be left alone; 0 if it does not say."""

    status: int
    body: bytes
    retry_after_s: float

    @property
    def is_redirect(self) -> bool:
        return 300 <= self.status < 400  # noqa: PLR2004


class Endpoint:
    """`url`: its scheme, host and port are where all requests go; path and query are the default target.

    One connection a request, so that threads can share an endpoint.
    """

    def __init__(self, url: str, *, answer_s: float, answer_bytes: int) -> None:
        parts = urlsplit(url)
        self._secure = parts.scheme == "https"
        self._host = parts.hostname or ""
        self._port = parts.port or (443 if self._secure else 80)
        self._target = f"{parts.path or '/'}{'?' if parts.query else ''}{parts.query}"
        self._answer_s = answer_s
        self._answer_bytes = answer_bytes

    @property
    def host(self) -> str:
        """Host and port, as in an address."""
        return f"[{self._host}]:{self._port}" if ":" in self._host else f"{self._host}:{self._port}"

    def ask(
        self, method: str, *, target: str | None = None, body: bytes | None = None, headers: Mapping[str, str]
    ) -> Answer:
        """Return the answer, whatever its status. `target`: path and query, else those of the endpoint's address.

        Raises AnswerTooLarge, and one of UNREACHABLE if no whole answer came in time.
        """
        connection = self._connection()
        try:
            connection.connect()
            with _ended_after(self._answer_s, connection.sock) as ended:
                connection.request(method, target or self._target, body, dict(headers))
                with connection.getresponse() as response:
                    content = response.read(self._answer_bytes + 1)
                    missing = response.length or 0
                if ended.is_set():
                    raise TimeoutError(f"no whole answer within {self._answer_s:g} s")
            if len(content) > self._answer_bytes:
                raise AnswerTooLarge(f"more than {self._answer_bytes:,} bytes")
            if missing:
                raise http.client.IncompleteRead(content, missing)
            return Answer(response.status, content, _seconds(response.headers.get("Retry-After", "")))
        finally:
            connection.close()

    def _connection(self) -> http.client.HTTPConnection:
        if not self._secure:
            return http.client.HTTPConnection(self._host, self._port, timeout=self._answer_s)
        context = ssl.create_default_context()
        return http.client.HTTPSConnection(self._host, self._port, timeout=self._answer_s, context=context)


def on_one_line(text: str, *, without: str | None = None) -> str:
    """Return foreign words for a message: printable, on one line, without the key that some services repeat."""
    words = " ".join("".join(char if char.isprintable() else " " for char in text).split())
    return words.replace(without, "…") if without else words


@contextmanager
def _ended_after(seconds: float, connected: socket.socket | None) -> Iterator[threading.Event]:
    """End the connection after a time, however the other side spreads its bytes. Yields whether it was ended."""
    ended = threading.Event()

    def end() -> None:
        ended.set()
        if connected is not None:
            try:
                connected.shutdown(socket.SHUT_RDWR)
            except OSError:
                return  # closed already

    timer = threading.Timer(seconds, end)
    timer.daemon = True
    timer.start()
    try:
        yield ended
    finally:
        timer.cancel()


def _seconds(retry_after: str) -> float:
    """Return the seconds of a Retry-After header, a number or a date; 0 if there is none."""
    if retry_after.isascii() and retry_after.isdigit():
        return float(retry_after[:9])
    try:
        return max(0.0, parsedate_to_datetime(retry_after).timestamp() - time.time())
    except (ValueError, OverflowError, TypeError):
        return 0.0
