"""Serves web sites from folders, each on a host of its own, from one process: `… -m benchmarks.discovery.web LIST LOG`.

LIST: JSON lines with the fields of `WebCopy`. Every request is a line of LOG: the name of the site, and the path.
"""

import json
import sys
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from benchmarks.crawl.web_copies import WebCopy
from crawler.network.loopback_server import Answer, LoopbackServer, serve_until_input_ends, served_by

FIRST: Final = 11
"""The last number of the first host's address, 127.0.0.11."""


@dataclass(frozen=True, slots=True)
class Served:
    """`addresses`: by the name of the site."""

    addresses: Mapping[str, str]
    log: Path

    def requests(self) -> list[tuple[str, str]]:
        """Return name of the site and path of every request so far."""
        return [(row[0], row[1]) for row in map(json.loads, self.log.read_text("utf-8").splitlines())]


@contextmanager
def serving(copies: Sequence[WebCopy], folder: Path) -> Iterator[Served]:
    """Serves the sites while the block lasts; the list and the log are in a folder."""
    listed, log = folder / "hosts.jsonl", folder / "requests.jsonl"
    rows = ((one.name, str(one.root), one.hosts, one.prefix) for one in copies)
    listed.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    log.write_text("", "utf-8")
    with served_by(__name__, str(listed), str(log)) as addresses:
        yield Served(addresses, log)


class _Site:
    def __init__(self, copy: WebCopy, number: int, log: Path, lock: threading.Lock) -> None:
        self._copy, self._log, self._lock = copy, log, lock
        self.server = LoopbackServer(f"127.0.0.{FIRST + number}", self._answer)

    def _answer(self, path: str) -> Answer | None:
        with self._lock, self._log.open("a", encoding="utf-8") as log:
            log.write(json.dumps((self._copy.name, path)) + "\n")
        if path == "/robots.txt":
            file = self._copy.root / "robots.txt"
            return Answer(file.read_bytes(), "text/plain; charset=utf-8") if file.is_file() else None
        return self._copy.answer(path, base=self.server.address)


def main() -> None:
    listed, log = map(Path, sys.argv[1:3])
    rows = map(json.loads, listed.read_text("utf-8").splitlines())
    copies = [WebCopy(name, Path(root), tuple(hosts), prefix) for name, root, hosts, prefix in rows]
    lock = threading.Lock()
    sites = [_Site(copy, number, log, lock) for number, copy in enumerate(copies)]
    serve_until_input_ends({copy.name: site.server for copy, site in zip(copies, sites, strict=True)})


if __name__ == "__main__":
    main()
