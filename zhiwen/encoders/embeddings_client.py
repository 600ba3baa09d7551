"""Posts texts to the embeddings endpoint of the settings: to exactly its host and port, and nowhere else.

No proxy, no redirect, no compression. The setting is the permission to enter a private network: nobody but the
operator can name an endpoint, and nothing that is read from pages leads to another one.
"""

import http.client
import random
import socket
import ssl
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from email.utils import parsedate_to_datetime
from typing import Final, NamedTuple
from urllib.parse import urlsplit

from matcher.meaning.encoders.encoder import EncoderUnavailable

ANSWER_S: Final = 60.0
"""For one answer, from the connection to its last byte."""
ANSWER_BYTES: Final = 32_000_000
"""32 vectors of 8,192 numbers as JSON take 6 MB."""
TRIES: Final = 5
FIRST_PAUSE_S: Final = 1.0
"""Before the second try; doubled before each further one."""
LONGEST_PAUSE_S: Final = 60.0
"""Asked for longer, the caller comes back another time."""
WORDS_SHOWN: Final = 200
"""Characters of a refusal that are repeated."""

OK: Final = 200
REFUSED_KEY: Final = frozenset({401, 403})
BUSY: Final = frozenset({408, 425, 429, 500, 502, 503, 504})


class _Answer(NamedTuple):
    status: int
    body: bytes
    retry_after: str


class EmbeddingsClient:
    """`url`: where texts are posted. `key`: sent as a bearer token, and never shown.

    One connection a request, so that threads can share a client.
    """

    def __init__(
        self,
        url: str,
        key: str | None = None,
        *,
        answer_s: float = ANSWER_S,
        answer_bytes: int = ANSWER_BYTES,
        tries: int = TRIES,
        first_pause_s: float = FIRST_PAUSE_S,
    ) -> None:
        parts = urlsplit(url)
        self._secure = parts.scheme == "https"
        self._host = parts.hostname or ""
        self._port = parts.port or (443 if self._secure else 80)
        self._target = f"{parts.path or '/'}{'?' if parts.query else ''}{parts.query}"
        self._key = key
        self._answer_s = answer_s
        self._answer_bytes = answer_bytes
        self._tries = tries
        self._first_pause_s = first_pause_s

    @property
    def host(self) -> str:
        """Host and port, as in an address."""
        return f"[{self._host}]:{self._port}" if ":" in self._host else f"{self._host}:{self._port}"

    def post(self, body: bytes) -> bytes:
        """Return the body of the answer. Waits and tries again while the endpoint is busy.

        Raises EncoderUnavailable, which names the endpoint and the remedy, and never the key.
        """
        problem = "was not asked"
        for number in range(self._tries):
            least_s = self._first_pause_s * 2**number * random.uniform(1, 1.5)  # noqa: S311  (spreads the tries)
            try:
                answer = self._asked(body)
            except (OSError, http.client.HTTPException, UnicodeError) as error:  # the last: a name that is no host
                problem = f"cannot be reached ({self._without_key(str(error) or type(error).__name__)})"
                pause_s = least_s
            else:
                if answer.status == OK:
                    return answer.body
                if answer.status not in BUSY:
                    raise self._refusal(answer)
                problem = f"is busy or failing (status {answer.status})"
                pause_s = max(least_s, _seconds(answer.retry_after))
            if number + 1 == self._tries or pause_s > LONGEST_PAUSE_S:
                break
            time.sleep(pause_s)
        message = f"The embeddings endpoint {self.host} {problem}."
        raise EncoderUnavailable(f"{message} Try again later, or check ZHIWEN_ENCODER.")

    def _asked(self, body: bytes) -> _Answer:
        connection = self._connection()
        try:
            connection.connect()
            with _ended_after(self._answer_s, connection.sock) as ended:
                connection.request("POST", self._target, body, self._headers())
                with connection.getresponse() as response:
                    content = response.read(self._answer_bytes + 1)
                    missing = response.length or 0
                if ended.is_set():
                    raise TimeoutError(f"no whole answer within {self._answer_s:g} s")
            if len(content) > self._answer_bytes:
                message = f"The embeddings endpoint {self.host} answers with more than {self._answer_bytes:,} bytes."
                raise EncoderUnavailable(f"{message} Check ZHIWEN_ENCODER.")
            if missing:
                raise http.client.IncompleteRead(content, missing)
            return _Answer(response.status, content, response.headers.get("Retry-After", ""))
        finally:
            connection.close()

    def _connection(self) -> http.client.HTTPConnection:
        if not self._secure:
            return http.client.HTTPConnection(self._host, self._port, timeout=self._answer_s)
        context = ssl.create_default_context()
        return http.client.HTTPSConnection(self._host, self._port, timeout=self._answer_s, context=context)

    def _headers(self) -> dict[str, str]:
        headers = {"Content-Type": "application/json", "Accept": "application/json", "User-Agent": "Zhiwen"}
        return headers if self._key is None else headers | {"Authorization": f"Bearer {self._key}"}

    def _refusal(self, answer: _Answer) -> EncoderUnavailable:
        where = f"The embeddings endpoint {self.host}"
        if answer.status in REFUSED_KEY:
            # Some services repeat a part of the key in their answer.
            return EncoderUnavailable(f"{where} refuses the key (status {answer.status}). Correct ZHIWEN_ENCODER_KEY.")
        if 300 <= answer.status < 400:  # noqa: PLR2004  (redirects)
            message = f"{where} sends elsewhere (status {answer.status}), which is not followed."
            return EncoderUnavailable(f"{message} Set ZHIWEN_ENCODER to the final address.")
        words = self._without_key(answer.body[: 4 * WORDS_SHOWN].decode("utf-8", "replace"))
        says = f": {words[:WORDS_SHOWN]}" if words else ""
        message = f"{where} refuses the request (status {answer.status}{says})."
        return EncoderUnavailable(f"{message} Check ZHIWEN_ENCODER and ZHIWEN_ENCODER_MODEL.")

    def _without_key(self, text: str) -> str:
        words = " ".join("".join(char if char.isprintable() else " " for char in text).split())
        return words if self._key is None else words.replace(self._key, "…")


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
