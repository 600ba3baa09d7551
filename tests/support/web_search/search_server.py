"""A search service on loopback: it answers as scripted, and remembers what it was asked."""

import json
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass(frozen=True, slots=True)
class Scripted:
    status: int = 200
    body: bytes = b""
    headers: Mapping[str, str] = field(default_factory=dict)
    wait: threading.Event | None = None
    """The answer begins when it is set."""


@dataclass(frozen=True, slots=True)
class Asked:
    method: str
    target: str
    headers: Mapping[str, str]
    body: bytes


@dataclass(slots=True)
class SearchServer:
    base: str = ""
    answer: Scripted = field(default_factory=Scripted)
    asked: list[Asked] = field(default_factory=list)
    by_text: Mapping[str, Scripted] = field(default_factory=dict)
    """Answers to targets that contain a text."""

    def says(self, value: Any, **more: Any) -> None:
        self.answer = Scripted(body=json.dumps(value).encode(), **more)


@contextmanager
def search_server() -> Iterator[SearchServer]:
    found = SearchServer()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            found.asked.append(Asked(self.command, self.path, dict(self.headers), body))
            answer = next((one for text, one in found.by_text.items() if text in self.path), found.answer)
            if answer.wait is not None:
                answer.wait.wait(30)
            self.send_response(answer.status)
            for name, value in {"Content-Length": str(len(answer.body)), **answer.headers}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(answer.body)

        do_POST = do_GET

        def log_message(self, *_: object) -> None:
            """Nothing on stderr."""

        def handle(self) -> None:
            try:
                super().handle()
            except OSError:
                return  # the client has gone

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    found.base = f"http://127.0.0.1:{server.server_port}"
    try:
        yield found
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
