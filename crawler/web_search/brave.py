"""Brave Search API, with a key of one's own. Each query has a price; see its plans."""

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final
from urllib.parse import urlencode, urlsplit

from crawler.web_search.http_service import HttpService
from crawler.web_search.json_answers import NoJson, ResultFields, results_in, value_at
from crawler.web_search.service import Fault, SearchAnswer, query_of

ADDRESS: Final = "https://api.search.brave.com/res/v1/web/search"
MOST: Final = 20
"""Results of a query: the service's own limit."""
GAP_S: Final = 1.1
"""Its smallest plan takes one query a second, and answers more of them with 429."""
_FIELDS: Final = ResultFields("web.results", snippet="description")
_LANGUAGES: Final = {"zh": "zh-hans", "zh-Hans": "zh-hans", "zh-Hant": "zh-hant", "ja": "jp", "en": "en"}


@dataclass(frozen=True, slots=True)
class Brave:
    name: str
    http: HttpService
    path: str

    @classmethod
    def at(cls, name: str, key: str, *, url: str = ADDRESS, answer_s: float = 0) -> "Brave":
        http = HttpService.at(name, url, key=key, key_header="X-Subscription-Token", answer_s=answer_s)
        return cls(name, http, urlsplit(url).path or "/")

    @property
    def takes_words(self) -> bool:
        return True

    def search(self, phrase: str, language: str, since: datetime | None, *, exact: bool = True) -> SearchAnswer:
        asked = {"q": query_of(phrase, exact=exact), "count": str(MOST), "text_decorations": "0"}
        if language in _LANGUAGES:
            asked["search_lang"] = _LANGUAGES[language]
        if since is not None:
            asked["freshness"] = f"{since:%Y-%m-%d}to{datetime.now(UTC):%Y-%m-%d}"
        found = self.http.ask_json("GET", target=f"{self.path}?{urlencode(asked)}")
        if value_at(found, "web") is None and isinstance(value_at(found, "query"), dict):
            return SearchAnswer(())  # nothing found: the part is left out
        return self._results(found)

    def _results(self, found: Any) -> SearchAnswer:
        try:
            return results_in(found, _FIELDS, self.name)
        except NoJson as error:
            raise self.http.failed(Fault.GARBAGE, f"answers with {error}. Check its address") from error
