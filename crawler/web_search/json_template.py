"""Any JSON search service: its address, and where in its answer the results are, come from the settings."""

from dataclasses import dataclass
from datetime import datetime
from typing import Final
from urllib.parse import quote, urlsplit

from crawler.web_search.http_service import HttpService
from crawler.web_search.json_answers import NoJson, ResultFields, results_in
from crawler.web_search.service import Fault, SearchAnswer, query_of

PHRASE: Final = "{phrase}"
_PLACES: Final = (PHRASE, "{language}", "{since}")


@dataclass(frozen=True, slots=True)
class JsonTemplate:
    """`target`: path and query of the address, with `{phrase}` and, if wanted, `{language}` and `{since}` in it."""

    name: str
    http: HttpService
    target: str
    fields: ResultFields

    @classmethod
    def at(
        cls,
        name: str,
        url: str,
        fields: ResultFields,
        *,
        key: str | None = None,
        key_header: str = "Authorization",
        answer_s: float = 0,
    ) -> "JsonTemplate":
        http = HttpService.at(name, url, key=key, key_header=key_header, answer_s=answer_s)
        return cls(name, http, target_of(url), fields)

    @property
    def takes_words(self) -> bool:
        return True

    def search(self, phrase: str, language: str, since: datetime | None, *, exact: bool = True) -> SearchAnswer:
        found = self.http.ask_json("GET", target=filled(self.target, phrase, language, since, exact=exact))
        try:
            return results_in(found, self.fields, self.name)
        except NoJson as error:
            raise self.http.failed(Fault.GARBAGE, f"answers with {error}. Check where its results are") from error


def target_of(url: str) -> str:
    """Return path and query of an address. Raises ValueError unless `{phrase}` is in them."""
    parts = urlsplit(url)
    target = f"{parts.path or '/'}{'?' if parts.query else ''}{parts.query}"
    if not parts.hostname or PHRASE not in target or any(place in parts.netloc for place in _PLACES):
        raise ValueError(f"it must have {PHRASE} after the host, like https://search.example.org/?q={PHRASE}")
    return target


def filled(target: str, phrase: str, language: str, since: datetime | None, *, exact: bool = True) -> str:
    """Return a target with the phrase, quoted if exact, the language and the date (YYYY-MM-DD, or nothing) in their
    places.
    """
    values = (query_of(phrase, exact=exact), language, "" if since is None else f"{since:%Y-%m-%d}")
    for place, value in zip(_PLACES, values, strict=True):
        target = target.replace(place, quote(value, safe=""))
    return target
