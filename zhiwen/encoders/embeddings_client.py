"""Posts texts to the embeddings endpoint of the settings: to exactly its host and port, and nowhere else."""

import random
import time
from typing import Final

from crawler.network.endpoint import UNREACHABLE, Answer, AnswerTooLarge, Endpoint, on_one_line
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
        self._endpoint = Endpoint(url, answer_s=answer_s, answer_bytes=answer_bytes)
        self._key = key
        self._tries = tries
        self._first_pause_s = first_pause_s

    @property
    def host(self) -> str:
        """Host and port, as in an address."""
        return self._endpoint.host

    def post(self, body: bytes) -> bytes:
        """Return the body of the answer. Waits and tries again while the endpoint is busy.

        Raises EncoderUnavailable, which names the endpoint and the remedy, and never the key.
        """
        problem = "was not asked"
        for number in range(self._tries):
            least_s = self._first_pause_s * 2**number * random.uniform(1, 1.5)  # noqa: S311  (spreads the tries)
            try:
                answer = self._asked(body)
            except UNREACHABLE as error:
                problem = f"cannot be reached ({on_one_line(str(error) or type(error).__name__, without=self._key)})"
                pause_s = least_s
            else:
                if answer.status == OK:
                    return answer.body
                if answer.status not in BUSY:
                    raise self._refusal(answer)
                problem = f"is busy or failing (status {answer.status})"
                pause_s = max(least_s, answer.retry_after_s)
            if number + 1 == self._tries or pause_s > LONGEST_PAUSE_S:
                break
            time.sleep(pause_s)
        message = f"The embeddings endpoint {self.host} {problem}."
        raise EncoderUnavailable(f"{message} Try again later, or check ZHIWEN_ENCODER.")

    def _asked(self, body: bytes) -> Answer:
        try:
            return self._endpoint.ask("POST", body=body, headers=self._headers())
        except AnswerTooLarge as error:
            message = f"The embeddings endpoint {self.host} answers with {error}."
            raise EncoderUnavailable(f"{message} Check ZHIWEN_ENCODER.") from error

    def _headers(self) -> dict[str, str]:
        headers = {"Content-Type": "application/json", "Accept": "application/json", "User-Agent": "Zhiwen"}
        return headers if self._key is None else headers | {"Authorization": f"Bearer {self._key}"}

    def _refusal(self, answer: Answer) -> EncoderUnavailable:
        where = f"The embeddings endpoint {self.host}"
        if answer.status in REFUSED_KEY:
            # Some services repeat a part of the key in their answer.
            return EncoderUnavailable(f"{where} refuses the key (status {answer.status}). Correct ZHIWEN_ENCODER_KEY.")
        if answer.is_redirect:
            message = f"{where} sends elsewhere (status {answer.status}), which is not followed."
            return EncoderUnavailable(f"{message} Set ZHIWEN_ENCODER to the final address.")
        words = on_one_line(answer.body[: 4 * WORDS_SHOWN].decode("utf-8", "replace"), without=self._key)
        says = f": {words[:WORDS_SHOWN]}" if words else ""
        message = f"{where} refuses the request (status {answer.status}{says})."
        return EncoderUnavailable(f"{message} Check ZHIWEN_ENCODER and ZHIWEN_ENCODER_MODEL.")
