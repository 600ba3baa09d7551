"""One request to a search service, and what its answer means. Every service is asked through this."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from crawler.network.endpoint import UNREACHABLE, Answer, AnswerTooLarge, Endpoint, on_one_line
from crawler.web_search.json_answers import NoJson, parsed_json
from crawler.web_search.service import Fault, ServiceFailed

ANSWER_S: Final = 20.0
ANSWER_BYTES: Final = 16_000_000
"""A hundred results take 100 kB; some services send a whole page with each."""
WORDS_SHOWN: Final = 200

OK: Final = 200
KEY_REFUSED: Final = frozenset({401, 403})
PAYMENT: Final = 402
BUSY: Final = frozenset({408, 425, 429, 500, 502, 503, 504})
_CAPTCHA: Final = (b"captcha", "验证码".encode(), b"unusual traffic", b"are you a robot", b"/sorry/")
_LOOKED_AT: Final = 100_000
_USER_AGENT: Final = {"User-Agent": "Zhiwen"}


@dataclass(frozen=True, slots=True)
class HttpService:
    """`called`: the name of the service in messages. `key` is sent in the header `key_header`, and never shown."""

    called: str
    endpoint: Endpoint
    key: str | None = field(default=None, repr=False)
    key_header: str = "Authorization"

    @classmethod
    def at(
        cls, called: str, url: str, *, key: str | None = None, key_header: str = "Authorization", answer_s: float = 0
    ) -> "HttpService":
        endpoint = Endpoint(url, answer_s=answer_s or ANSWER_S, answer_bytes=ANSWER_BYTES)
        return cls(called, endpoint, key, key_header)

    def ask(
        self, method: str, *, target: str | None = None, body: bytes | None = None, headers: Mapping[str, str]
    ) -> Answer:
        """Return an answer with status 200. Raises ServiceFailed."""
        secret = {} if self.key is None else {self.key_header: self.key}
        try:
            answer = self.endpoint.ask(method, target=target, body=body, headers={**_USER_AGENT, **headers, **secret})
        except AnswerTooLarge as error:
            raise self.failed(Fault.TOO_LARGE, f"answers with {error}. Ask it for fewer results") from error
        except UNREACHABLE as error:
            words = on_one_line(str(error) or type(error).__name__, without=self.key)
            raise self.failed(Fault.UNREACHABLE, f"cannot be reached ({words}). Check its address") from error
        if answer.status != OK:
            raise self._refusal(answer)
        return answer

    def ask_json(
        self, method: str, *, target: str | None = None, body: bytes | None = None, headers: Mapping[str, str] = {}
    ) -> Any:
        """Return an answer as parsed JSON. Raises ServiceFailed."""
        answer = self.ask(method, target=target, body=body, headers={"Accept": "application/json", **headers})
        try:
            return parsed_json(answer.body)
        except NoJson as error:
            raise self.unreadable(answer.body, str(error)) from error

    def failed(self, fault: Fault, words: str, *, retry_after_s: float = 0.0) -> ServiceFailed:
        message = f"The search service {self.called} ({self.endpoint.host}) {words}."
        return ServiceFailed(fault, message, retry_after_s=retry_after_s)

    def unreadable(self, body: bytes, expected: str) -> ServiceFailed:
        """The failure for an answer that is not what was asked for."""
        if _asks_for_a_person(body):
            return self.failed(Fault.CAPTCHA, "asks for a captcha. Ask it less often")
        return self.failed(Fault.GARBAGE, f"answers with something else ({expected}). Check its address and format")

    def _refusal(self, answer: Answer) -> ServiceFailed:
        status = f"status {answer.status}"
        if answer.is_redirect:
            return self.failed(Fault.REDIRECT, f"sends elsewhere ({status}), which is not followed. Set its address")
        if answer.status in KEY_REFUSED and not _asks_for_a_person(answer.body):
            # Some services repeat a part of the key in their answer.
            return self.failed(Fault.KEY_REFUSED, f"refuses access ({status}). Check its key, or its own settings")
        if answer.status == PAYMENT:
            return self.failed(Fault.OUT_OF_QUOTA, f"has no queries left ({status}). Extend its plan")
        if answer.status in BUSY:
            wait_s = answer.retry_after_s
            return self.failed(Fault.BUSY, f"is busy or failing ({status}). It is asked later", retry_after_s=wait_s)
        if _asks_for_a_person(answer.body):
            return self.failed(Fault.CAPTCHA, f"asks for a captcha ({status}). Ask it less often")
        words = on_one_line(answer.body[: 4 * WORDS_SHOWN].decode("utf-8", "replace"), without=self.key)[:WORDS_SHOWN]
        return self.failed(Fault.REFUSED, f"refuses the query ({status}: {words}). Check its settings")


def _asks_for_a_person(body: bytes) -> bool:
    """Whether an answer is a page with a captcha."""
    start = body[:_LOOKED_AT].lower()
    return start.lstrip().startswith(b"<") and any(mark in start for mark in _CAPTCHA)
