"""A full-text index behind HTTP, run by another Python: `full_text.py DOCUMENTS LOG`.

DOCUMENTS: JSON lines with url, title and text. Prints its address as JSON and serves until its input ends.
`/search?q=…` answers with JSON: a quoted phrase has to stand on the page as it is, other words are ranked. Every query
is a line of LOG, with the addresses that were returned, before it is answered. Imports nothing of Zhiwen: the index
(tantivy) belongs to the environment of the metasearch server.
"""

import json
import os
import re
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import zip_longest
from pathlib import Path
from typing import Any, Final
from urllib.parse import parse_qs, urlsplit

RETURNED: Final = 10
"""Results of a query: a page of a search service."""
SNIPPET: Final = 120
"""Characters of a snippet, around the first word that was found."""
HEAP: Final = 64_000_000
_HAN: Final = "\u3005\u3007\u3040-\u30ff\u3400-\u9fff\U00020000-\U0003134f"
_TOKEN: Final = re.compile(rf"[{_HAN}]|[^\W_{_HAN}]+")
_IS_HAN: Final = re.compile(rf"[{_HAN}]")
_QUOTED: Final = re.compile(r'"([^"]+)"')


def tokens(text: str) -> list[tuple[str, int]]:
    """Return what a phrase is compared by, with its place: each Chinese character, and each word of other scripts."""
    return [(one[0].lower(), one.start()) for one in _TOKEN.finditer(text)]


def terms(words: list[str]) -> list[str]:
    """Return what pages are ranked by: pairs of neighbouring Chinese characters, and words of other scripts."""
    found = []
    for first, second in zip_longest(words, words[1:], fillvalue=""):
        if not _IS_HAN.match(first):
            found.append(first)
        elif second and _IS_HAN.match(second):
            found.append(first + second)
    return found


class Index:
    def __init__(self, documents: list[dict[str, str]]) -> None:
        import tantivy  # noqa: PLC0415  # not in Zhiwen's own environment

        self._tantivy: Any = tantivy
        self._documents = documents
        self._texts = [f"{one['title']}\n{one['text']}" for one in documents]
        builder = tantivy.SchemaBuilder()
        builder.add_unsigned_field("number", stored=True)
        builder.add_text_field("characters", tokenizer_name="whitespace")
        builder.add_text_field("pairs", tokenizer_name="whitespace")
        self._schema = builder.build()
        index = tantivy.Index(self._schema)
        writer = index.writer(heap_size=HEAP, num_threads=1)
        for number, text in enumerate(self._texts):
            words = [word for word, _ in tokens(text)]
            document = tantivy.Document()
            document.add_unsigned("number", number)
            document.add_text("characters", " ".join(words))
            document.add_text("pairs", " ".join(terms(words)))
            writer.add_document(document)
        writer.commit()
        index.reload()
        self._index = index

    def search(self, query: str) -> list[dict[str, str]]:
        asked = self._query(query)
        if asked is None:
            return []
        searcher = self._index.searcher()
        found = [searcher.doc(address)["number"][0] for _, address in searcher.search(asked, limit=RETURNED).hits]
        return [
            {
                "url": self._documents[number]["url"],
                "title": self._documents[number]["title"],
                "content": self._snippet(number, query),
            }
            for number in found
        ]

    def _query(self, query: str) -> Any:
        tantivy, parts = self._tantivy, []
        for phrase in _QUOTED.findall(query):
            words = [word for word, _ in tokens(phrase)]
            if len(words) > 1:
                parts.append((tantivy.Occur.Must, tantivy.Query.phrase_query(self._schema, "characters", words)))
            elif words:
                parts.append((tantivy.Occur.Must, self._term("characters", words[0])))
        rest = terms([word for word, _ in tokens(_QUOTED.sub(" ", query))])
        parts += [(tantivy.Occur.Should, self._term("pairs", one)) for one in dict.fromkeys(rest)]
        return tantivy.Query.boolean_query(parts) if parts else None

    def _term(self, field: str, word: str) -> Any:
        return self._tantivy.Query.term_query(self._schema, field, word)

    def _snippet(self, number: int, query: str) -> str:
        """The stretch with the first phrase of the query; with most of its words if none stands there."""
        text = self._texts[number]
        found = tokens(text)
        phrases = [[word for word, _ in tokens(phrase)] for phrase in _QUOTED.findall(query)]
        starts = (place_of(phrase, found) for phrase in phrases)
        at = next((start for start in starts if start is not None), None)
        if at is None:
            wanted = {word for word, _ in tokens(query)}
            at = densest([place for word, place in found if word in wanted])
        start = max(0, at - SNIPPET // 4)
        return " ".join(text[start : start + SNIPPET].split())


def place_of(phrase: list[str], found: list[tuple[str, int]]) -> int | None:
    """Return where the words of a phrase first follow one another; None if they do not."""
    words = [word for word, _ in found]
    for first in range(len(words) - len(phrase) + 1):
        if words[first] == phrase[0] and words[first : first + len(phrase)] == phrase:
            return found[first][1]
    return None


def densest(places: list[int]) -> int:
    """Return the place, of some in ascending order, that most others follow within half a snippet; 0 of none."""
    best, most, last = 0, -1, 0
    for first, place in enumerate(places):
        while last < len(places) and places[last] - place <= SNIPPET // 2:
            last += 1
        if last - first > most:
            best, most = place, last - first
    return best


class _Handler(BaseHTTPRequestHandler):
    server: "_Server"

    def do_GET(self) -> None:
        query = parse_qs(urlsplit(self.path).query).get("q", [""])[0]
        results = self.server.index.search(query)
        self.server.keep(query, [one["url"] for one in results])
        body = json.dumps({"results": results}).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """The log is a file of its own."""


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, index: Index, log: Path) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.index = index
        self._log = log
        self._lock = threading.Lock()

    def keep(self, query: str, urls: list[str]) -> None:
        with self._lock, self._log.open("a", encoding="utf-8") as log:
            log.write(json.dumps({"query": query, "urls": urls}) + "\n")


def main() -> None:
    documents, log = map(Path, sys.argv[1:3])
    index = Index([json.loads(line) for line in documents.read_text("utf-8").splitlines()])
    log.touch()
    server = _Server(index, log)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    print(json.dumps({"address": f"http://127.0.0.1:{server.server_port}"}), flush=True)
    while os.read(0, 1024):
        pass


if __name__ == "__main__":
    main()
