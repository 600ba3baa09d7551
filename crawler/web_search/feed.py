"""Feeds of search results, such as RSSHub and search services offer them. Their entries are suspects."""

from dataclasses import dataclass
from datetime import datetime

from crawler.importers.feeds import feed_entries
from crawler.importers.model import BadRecord
from crawler.web_search.http_service import HttpService
from crawler.web_search.json_answers import answer_of
from crawler.web_search.json_template import filled, target_of
from crawler.web_search.service import MOST_RESULTS, SearchAnswer


@dataclass(frozen=True, slots=True)
class SearchFeed:
    """`url`: the address of the feed, with `{phrase}` in its path or query."""

    name: str
    url: str
    http: HttpService
    target: str

    @classmethod
    def at(cls, name: str, url: str, *, key: str | None = None, answer_s: float = 0) -> "SearchFeed":
        return cls(name, url, HttpService.at(name, url, key=key, answer_s=answer_s), target_of(url))

    @property
    def takes_words(self) -> bool:
        return True

    def search(self, phrase: str, language: str, since: datetime | None, *, exact: bool = True) -> SearchAnswer:
        target = filled(self.target, phrase, language, since, exact=exact)
        body = self.http.ask("GET", target=target, headers={"Accept": "application/rss+xml, application/xml"}).body
        try:
            # In a process of its own: some bytes keep the parser busy for ever.
            entries = feed_entries(body, url=self.url)
        except BadRecord as error:
            raise self.http.unreadable(body, str(error)) from error
        found = [(one.url, one.title, one.text) for one in entries[:MOST_RESULTS]]
        return answer_of(found, self.name, beyond=max(0, len(entries) - MOST_RESULTS))
