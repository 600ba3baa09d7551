"""A web server for generated sites: the demo, the benchmarks and the tests crawl it on loopback.

It answers from threads of its process. To separate them from the measured program, `serve_until_input_ends` is the
body of a child process and `served_by` its parent: however the parent ends, the child ends too.
"""

import hashlib
import json
import os
import signal
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import format_datetime, parsedate_to_datetime
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from ipaddress import ip_network
from socketserver import TCPServer
from typing import Final

LOOPBACK: Final = (ip_network("127.0.0.0/8"),)
"""What a crawl of such a site must be allowed to reach."""
HOST: Final = "127.0.0.1"
HTML: Final = "text/html; charset=utf-8"
STOP_TIMEOUT_S: Final = 5.0
STDIN: Final = 0


class ServerNotStarted(RuntimeError):
    """The server's process ended before it printed its addresses."""


@dataclass(frozen=True, slots=True)
class Answer:
    """A response. With an `etag` or a `modified` date, a request that names them gets 304."""

    body: bytes
    content_type: str = HTML
    etag: str = ""
    modified: datetime | None = None
    status: HTTPStatus = HTTPStatus.OK

    @property
    def validators(self) -> dict[str, str]:
        dated = format_datetime(self.modified.astimezone(UTC), usegmt=True) if self.modified else ""
        return {name: value for name, value in (("ETag", self.etag), ("Last-Modified", dated)) if value}


_NO_PAGE: Final = (
    "<!DOCTYPE html><html><head><meta charset='utf-8'><title>404</title></head><body>没有这个页面</body></html>"
)
NOT_FOUND: Final = Answer(_NO_PAGE.encode(), status=HTTPStatus.NOT_FOUND)


def etag_of(body: bytes) -> str:
    return f'"{hashlib.sha256(body).hexdigest()[:32]}"'


class LoopbackServer(ThreadingHTTPServer):
    """One site at any free port of `host`. `answers` maps a path without its query to an answer, None to 404.

    A `handler` of one's own answers instead where that does not say enough.
    """

    daemon_threads = True
    request_queue_size = 64

    def __init__(
        self,
        host: str = HOST,
        answers: Callable[[str], Answer | None] = lambda _: None,
        *,
        handler: type[BaseHTTPRequestHandler] | None = None,
    ) -> None:
        super().__init__((host, 0), handler or _Handler)
        self.answers = answers
        self.statuses: Counter[int] = Counter()
        """Answers so far by status."""

    def server_bind(self) -> None:
        """Binds without the reverse DNS look-up of HTTPServer, which is slow where no DNS server responds."""
        TCPServer.server_bind(self)
        self.server_name, self.server_port = str(self.server_address[0]), self.server_address[1]

    @property
    def address(self) -> str:
        return f"http://{self.server_name}:{self.server_port}"

    @contextmanager
    def running(self) -> Iterator[None]:
        threading.Thread(target=self.serve_forever, daemon=True).start()
        try:
            yield
        finally:
            self.shutdown()
            self.server_close()


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: LoopbackServer
    # A silent client must not hold its thread for ever.
    timeout = 30

    def do_GET(self) -> None:
        self._answer(with_body=True)

    def do_HEAD(self) -> None:
        self._answer(with_body=False)

    def _answer(self, *, with_body: bool) -> None:
        answer = self.server.answers(self.path.partition("?")[0]) or NOT_FOUND
        is_unchanged = self._is_unchanged(answer)
        status = HTTPStatus.NOT_MODIFIED if is_unchanged else answer.status
        self.server.statuses[status.value] += 1
        self.send_response(status)
        for name, value in answer.validators.items():
            self.send_header(name, value)
        if not is_unchanged:
            self.send_header("Content-Type", answer.content_type)
            self.send_header("Content-Length", str(len(answer.body)))
        self.end_headers()
        if with_body and not is_unchanged:
            self.wfile.write(answer.body)

    def _is_unchanged(self, answer: Answer) -> bool:
        known_tags = self.headers.get("If-None-Match")
        if known_tags is not None and answer.etag:
            return known_tags.strip() == "*" or answer.etag in known_tags.split(", ")
        if answer.modified is None:
            return False
        try:
            known_date = parsedate_to_datetime(self.headers.get("If-Modified-Since", ""))
        except ValueError:
            return False
        # A date without a zone is in UTC, says RFC 9110.
        known_date = known_date if known_date.tzinfo else known_date.replace(tzinfo=UTC)
        return answer.modified <= known_date

    def log_message(self, format: str, *args: object) -> None:  # the library's name
        """Logs nothing: standard output is for the addresses, and a line a request would flood standard error."""


@contextmanager
def served_by(module: str, *arguments: str) -> Iterator[Mapping[str, str]]:
    """Runs `python -m module` while the block lasts; yields the addresses of its servers by name.

    Raises ServerNotStarted.
    """
    command = [sys.executable, "-P", "-m", module, *arguments]
    process = subprocess.Popen(  # noqa: S603 - our own module, nothing from outside
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8"
    )
    try:
        line = process.stdout.readline() if process.stdout else ""
        if not line:
            raise ServerNotStarted(f"{module} ended at once, exit code {process.wait()}; see its message above")
        addresses: dict[str, str] = json.loads(line)
        yield addresses
    finally:
        _stop(process)


def _stop(process: subprocess.Popen[str]) -> None:
    for pipe in (process.stdin, process.stdout):
        if pipe:
            pipe.close()
    try:
        process.wait(STOP_TIMEOUT_S)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def serve_until_input_ends(servers: Mapping[str, LoopbackServer]) -> None:
    """Prints one line of JSON, server name to address, and serves until standard input closes or SIGTERM."""
    stop = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stop.set())
    for server in servers.values():
        threading.Thread(target=server.serve_forever, daemon=True).start()
    print(json.dumps({name: server.address for name, server in servers.items()}), flush=True)
    threading.Thread(target=_watch_input, args=(stop,), daemon=True).start()
    stop.wait()
    for server in servers.values():
        server.shutdown()
        server.server_close()


def _watch_input(stop: threading.Event) -> None:
    # Not through sys.stdin: its lock, held by this waiting thread, would abort the interpreter when it ends.
    while os.read(STDIN, 1024):
        pass
    stop.set()
