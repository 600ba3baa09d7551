"""SearXNG: the user's own instance, over its JSON format (`formats: [html, json]` in its settings)."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final
from urllib.parse import urlencode, urlsplit

from crawler.web_search.http_service import HttpService
from crawler.web_search.json_answers import NoJson, ResultFields, results_in, value_at
from crawler.web_search.service import Fault, SearchAnswer, ServiceFailed, query_of

_FIELDS: Final = ResultFields("results", snippet="content")
_ENGINES_SHOWN: Final = 5
_LANGUAGES: Final = {"zh-Hans": "zh-CN", "zh-Hant": "zh-TW"}


@dataclass(frozen=True, slots=True)
class SearXNG:
    """`path`: of its search page, such as `/search`."""

    name: str
    http: HttpService
    path: str

    @classmethod
    def at(cls, name: str, url: str, *, key: str | None = None, answer_s: float = 0) -> "SearXNG":
        """`url`: of the instance or its search page. `key`: the Authorization header of a proxy before it."""
        path = urlsplit(url).path.rstrip("/")
        path = path if path.endswith("/search") else f"{path}/search"
        return cls(name, HttpService.at(name, url, key=key, answer_s=answer_s), path)

    @property
    def takes_words(self) -> bool:
        return True

    def search(self, phrase: str, language: str, since: datetime | None, *, exact: bool = True) -> SearchAnswer:
        # Without a time range: SearXNG leaves out all engines that have none.
        asked = {
            "q": query_of(phrase, exact=exact),
            "format": "json",
            "language": _LANGUAGES.get(language, language) or "all",
        }
        found = self.http.ask_json("GET", target=f"{self.path}?{urlencode(asked)}")
        try:
            answer = results_in(found, _FIELDS, self.name)
        except NoJson as error:
            raise self.http.failed(Fault.GARBAGE, f"answers with {error}. Check its address") from error
        if not answer.results and (failed := self._engines_failed(found)) is not None:
            raise failed
        return answer

    def _engines_failed(self, found: Any) -> ServiceFailed | None:
        """Without results: whether its engines did not answer."""
        silent = value_at(found, "unresponsive_engines")
        if not isinstance(silent, list) or not silent:
            return None
        words = "; ".join(_words(one) for one in silent[:_ENGINES_SHOWN])
        fault = Fault.CAPTCHA if "captcha" in words.lower() else Fault.BUSY
        return self.http.failed(fault, f"got no answer from its engines ({words}). It is asked later")


def _words(engine: Any) -> str:
    parts = engine if isinstance(engine, list) else [engine]
    return " ".join("".join(char for char in str(part)[:60] if char.isprintable()) for part in parts[:2])
