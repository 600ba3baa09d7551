"""infini-gram: an exact index of a past crawl of the web, for copies that stood somewhere before.

https://infini-gram.readthedocs.io/en/latest/api.html, the query `search_docs`.
"""

import json
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from crawler.web_search.http_service import HttpService
from crawler.web_search.json_answers import NoJson, answer_of, parsed_json, text_at, value_at
from crawler.web_search.service import Fault, SearchAnswer

ADDRESS: Final = "https://api.infini-gram.io/"
MOST: Final = 10
"""Documents of a query: the service's own limit."""
SHOWN_TOKENS: Final = 200
_URLS: Final = ("url", "metadata.url", "metadata.metadata.url", "metadata.WARC-Target-URI", "metadata.warc_url")
"""Where the corpora keep the address of a document in its metadata."""


@dataclass(frozen=True, slots=True)
class InfiniGram:
    """`index`: the name of a corpus, such as `v4_rpj_llama_s4`."""

    name: str
    http: HttpService
    index: str

    @classmethod
    def at(cls, name: str, index: str, *, url: str = ADDRESS, answer_s: float = 0) -> "InfiniGram":
        return cls(name, HttpService.at(name, url, answer_s=answer_s), index)

    @property
    def takes_words(self) -> bool:
        return False

    def search(self, phrase: str, language: str, since: datetime | None, *, exact: bool = True) -> SearchAnswer:
        """A crawl of the past, and an index of exact phrases: language, date and `exact` choose nothing."""
        asked = {"index": self.index, "query_type": "search_docs", "query": phrase}
        body = json.dumps(asked | {"maxnum": MOST, "max_disp_len": SHOWN_TOKENS}).encode()
        found = self.http.ask_json("POST", body=body, headers={"Content-Type": "application/json"})
        documents = value_at(found, "documents")
        if not isinstance(documents, list):
            problem = text_at(found, "error")[:200] or "no list at “documents”"
            raise self.http.failed(Fault.REFUSED, f"answers with {problem}. Check the name of its index")
        read = [(_address(one), "", _text(one)) for one in documents[:MOST]]
        return answer_of(read, self.name, beyond=max(0, len(documents) - MOST))


def _address(document: Any) -> str:
    metadata = value_at(document, "metadata")
    if isinstance(metadata, str):  # JSON in a string
        try:
            metadata = parsed_json(metadata.encode("utf-8", "replace"))
        except NoJson:
            return ""
    return next((found for path in _URLS if (found := text_at(metadata, path))), "")


def _text(document: Any) -> str:
    spans = value_at(document, "spans")
    return "".join(text_at(one, "0") for one in spans) if isinstance(spans, list) else ""
