"""Serves the demo's three sites on loopback, as a process of its own.

`python -m zhiwen.demo.server` prints one line of JSON, site name to address, and ends when its standard input closes
or on SIGTERM: whoever started it may die in any way and leaves nothing running.
"""

import hashlib
import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC
from email.utils import format_datetime, parsedate_to_datetime
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from socketserver import TCPServer

from zhiwen.demo.model import Page
from zhiwen.demo.sites import SITE_NAMES, build_sites

# Every site its own host, so that a page tells its site by host alone. macOS has only the first: there ports differ.
HOSTS = {"original": "127.0.0.1", "copier": "127.0.0.2", "innocent": "127.0.0.3"}
FALLBACK_HOST = "127.0.0.1"
NOT_FOUND = "<!DOCTYPE html><html><head><meta charset='utf-8'><title>404</title></head><body>没有这个页面</body></html>"
STOP_TIMEOUT_S = 5.0
STDIN = 0


class ServerNotStarted(RuntimeError):
    """The demo's web server ended before it told its addresses."""


class SiteServer(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 64

    def __init__(self, host: str) -> None:
        super().__init__((host, 0), _Handler)
        self.pages: Mapping[str, Page] = {}

    def server_bind(self) -> None:
        """Without the look-up of the host's name that HTTPServer makes: it waits long where no DNS answers."""
        TCPServer.server_bind(self)
        self.server_name, self.server_port = str(self.server_address[0]), self.server_address[1]

    @property
    def address(self) -> str:
        host, port = self.server_address[:2]
        return f"http://{host!s}:{port}"


@contextmanager
def serving() -> Iterator[Mapping[str, str]]:
    """Runs the three sites in a child process for as long as the block lasts; gives name to address."""
    command = [sys.executable, "-P", "-m", "zhiwen.demo.server"]
    process = subprocess.Popen(  # noqa: S603 - our own module, nothing from outside
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8"
    )
    try:
        yield _addresses_from(process)
    finally:
        _stop(process)


def _addresses_from(process: subprocess.Popen[str]) -> dict[str, str]:
    line = process.stdout.readline() if process.stdout else ""
    if not line:
        raise ServerNotStarted(
            f"the demo's web server ended at once, exit code {process.wait()}; see its message above"
        )
    addresses: dict[str, str] = json.loads(line)
    return addresses


def _stop(process: subprocess.Popen[str]) -> None:
    for pipe in (process.stdin, process.stdout):
        if pipe:
            pipe.close()
    try:
        process.wait(STOP_TIMEOUT_S)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: SiteServer
    # A silent client must not hold its thread for ever.
    timeout = 30

    def do_GET(self) -> None:
        self._answer(with_body=True)

    def do_HEAD(self) -> None:
        self._answer(with_body=False)

    def _answer(self, *, with_body: bool) -> None:
        page = self.server.pages.get(self.path.partition("?")[0])
        if page is None:
            self._send(
                HTTPStatus.NOT_FOUND, NOT_FOUND.encode(), {"Content-Type": "text/html; charset=utf-8"}, with_body
            )
            return
        validators = {"ETag": etag(page), "Last-Modified": format_datetime(page.modified.astimezone(UTC), usegmt=True)}
        if self._is_unchanged(page):
            self._send(HTTPStatus.NOT_MODIFIED, b"", validators, with_body=False)
            return
        self._send(HTTPStatus.OK, page.body, {"Content-Type": page.content_type, **validators}, with_body)

    def _is_unchanged(self, page: Page) -> bool:
        known_tags = self.headers.get("If-None-Match")
        if known_tags is not None:
            return known_tags.strip() == "*" or etag(page) in known_tags.split(", ")
        try:
            known_date = parsedate_to_datetime(self.headers.get("If-Modified-Since", ""))
        except ValueError:
            return False
        # A date without a zone is in UTC, says RFC 9110.
        known_date = known_date if known_date.tzinfo else known_date.replace(tzinfo=UTC)
        return page.modified <= known_date

    def _send(self, status: HTTPStatus, body: bytes, headers: Mapping[str, str], with_body: bool) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        if status is not HTTPStatus.NOT_MODIFIED:
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if with_body:
            self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Says nothing: standard output is for the addresses, and a crawl would flood standard error."""


def etag(page: Page) -> str:
    return f'"{hashlib.sha256(page.body).hexdigest()[:32]}"'


def bind(host: str) -> SiteServer:
    try:
        return SiteServer(host)
    except OSError:
        return SiteServer(FALLBACK_HOST)


def main() -> None:
    stop = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stop.set())
    servers = {name: bind(HOSTS[name]) for name in SITE_NAMES}
    addresses = {name: server.address for name, server in servers.items()}
    for site in build_sites(addresses):
        servers[site.name].pages = site.pages
    for server in servers.values():
        threading.Thread(target=server.serve_forever, daemon=True).start()
    print(json.dumps(addresses), flush=True)
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


if __name__ == "__main__":
    main()
