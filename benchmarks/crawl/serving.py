"""A copy of a web site on loopback, that counts what it is asked for."""

import ipaddress
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from mimetypes import guess_type
from typing import Final
from urllib.parse import urlsplit

from benchmarks.crawl.web_copies import WebCopy

LOOPBACK: Final = (ipaddress.ip_network("127.0.0.0/8"),)


class CopyServer(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, copy: WebCopy) -> None:
        super().__init__(("127.0.0.1", 0), _Answers)
        self.copy = copy
        self.asked: Counter[int] = Counter()
        """Requests by the status of their answers."""

    @property
    def base(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"


class _Answers(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: CopyServer

    def do_GET(self) -> None:
        path = urlsplit(self.path).path
        file = self.server.copy.file_of(path)
        if file is None:
            self._answer(404, b"", "text/plain")
            return
        tag = f'"{file.stat().st_mtime_ns:x}"'
        if self.headers.get("If-None-Match") == tag:
            self._answer(304, b"", None, tag)
            return
        kind = guess_type(file.name)[0] or "application/octet-stream"
        self._answer(200, self.server.copy.body_of(file, base=self.server.base), kind, tag)

    def _answer(self, status: int, body: bytes, kind: str | None, tag: str | None = None) -> None:
        self.server.asked[status] += 1
        self.send_response(status)
        for name, value in (("Content-Type", kind), ("ETag", tag), ("Content-Length", str(len(body)))):
            if value is not None:
                self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Silent: a line for each request would be most of the output."""


@contextmanager
def served_copy(copy: WebCopy) -> Iterator[CopyServer]:
    with CopyServer(copy) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield server
        finally:
            server.shutdown()
