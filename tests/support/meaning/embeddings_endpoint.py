"""An embeddings endpoint on loopback in a child process. Its first path segment says how it behaves.

`python -m tests.support.meaning.embeddings_endpoint` prints its address and serves until its input ends.
"""

import base64
import hashlib
import json
import subprocess
import sys
import time
import urllib.request
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler
from typing import Any, cast

from crawler.network.loopback_server import LoopbackServer, serve_until_input_ends

KEY = "sk-geheim-0123456789"
SIZE = 16
NATIVE_SIZE = 24
SEEN = "/seen"
ASKED: Counter[str] = Counter()
REQUESTS: list[dict[str, Any]] = []


@contextmanager
def served() -> Iterator[str]:
    command = [sys.executable, "-m", "tests.support.meaning.embeddings_endpoint"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None
        try:
            yield str(json.loads(child.stdout.readline())["endpoint"])
        finally:
            child.kill()


def seen(address: str) -> list[dict[str, Any]]:
    """The requests so far: path, headers and JSON of each."""
    with urllib.request.urlopen(f"{address}{SEEN}") as answer:  # noqa: S310  (our own child)
        return cast("list[dict[str, Any]]", json.load(answer))


def vector(text: str, size: int = SIZE) -> list[float]:
    digest = hashlib.shake_128(text.encode()).digest(size)
    return [byte - 127.5 for byte in digest]


class Endpoint(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        self.send(json.dumps(REQUESTS if self.path == SEEN else []).encode())

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.asked: dict[str, Any] = json.loads(body)
        REQUESTS.append({"path": self.path, "headers": dict(self.headers), "json": self.asked})
        behaviour = self.path.split("/")[1].partition("?")[0]
        ASKED[behaviour] += 1
        BEHAVIOURS[behaviour](self)

    def answer(self, size: int = SIZE, **changed: Any) -> None:
        texts = self.asked["input"]
        data = [
            {"object": "embedding", "index": place, "embedding": vector(text, size)} for place, text in enumerate(texts)
        ]
        self.send(json.dumps({"object": "list", "data": list(reversed(data)), **changed}).encode())

    def send(self, body: bytes, status: int = 200, **headers: str) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Silent: the test's output is not ours."""


def _good(endpoint: Endpoint) -> None:
    endpoint.answer()


def _locked(endpoint: Endpoint) -> None:
    if endpoint.headers["Authorization"] == f"Bearer {KEY}":
        endpoint.answer()
    else:
        endpoint.send(json.dumps({"error": f"wrong key: {endpoint.headers['Authorization']}"}).encode(), 401)


def _busy(endpoint: Endpoint) -> None:
    if ASKED["busy"] < 3:
        endpoint.send(b"later", 429, Retry_After="0")
    else:
        endpoint.answer()


def _shortens(endpoint: Endpoint) -> None:
    endpoint.answer(endpoint.asked.get("dimensions", NATIVE_SIZE))


def _endless(endpoint: Endpoint) -> None:
    endpoint.send_response(200)
    endpoint.end_headers()
    try:
        for _ in range(10_000):
            endpoint.wfile.write(b" " * 100_000)
    except OSError:
        endpoint.close_connection = True


def _drips(endpoint: Endpoint) -> None:
    """A byte now and then, so that no read times out by itself."""
    endpoint.send_response(200)
    endpoint.end_headers()
    try:
        for _ in range(600):
            endpoint.wfile.write(b" ")
            time.sleep(0.05)
    except OSError:
        endpoint.close_connection = True


def _drops(endpoint: Endpoint) -> None:
    endpoint.send_response(200)
    endpoint.send_header("Content-Length", "1000")
    endpoint.end_headers()
    endpoint.wfile.write(b'{"data": [')
    endpoint.close_connection = True


def _repeats_the_key(endpoint: Endpoint) -> None:
    endpoint.send(f"no such model\x1b[31m\n{endpoint.headers['Authorization']}".encode(), 404)


def _elsewhere(endpoint: Endpoint) -> None:
    endpoint.send(b"", 307, Location=f"{cast('LoopbackServer', endpoint.server).address}/good")


def _raw(answer: bytes) -> Callable[[Endpoint], None]:
    def send(endpoint: Endpoint) -> None:
        endpoint.wfile.write(answer)
        endpoint.close_connection = True

    return send


def _answers(body: bytes) -> Callable[[Endpoint], None]:
    return lambda endpoint: endpoint.send(body)


def _item(embedding: object, index: object = 0) -> bytes:
    return json.dumps({"data": [{"index": index, "embedding": embedding}]}).encode()


ONES = [1.0] * SIZE
BAD_ANSWERS: dict[str, bytes] = {
    "nothing": b"",
    "html": b"<!DOCTYPE html><html><body>Log in</body></html>",
    "cut": b'{"data": [{"index": 0, "embe',
    "latin": b'{"data": "\xff\xfe"}',
    "deep": b"[" * 100_000,
    "list": b"[]",
    "null": b"null",
    "no-data": b'{"error": "none"}',
    "data-text": b'{"data": "none"}',
    "none": b'{"data": []}',
    "too-many": json.dumps({"data": [{"index": place, "embedding": ONES} for place in (0, 1)]}).encode(),
    "item-text": b'{"data": ["vector"]}',
    "place": _item(ONES, 1),
    "place-below": _item(ONES, -1),
    "place-text": _item(ONES, "0"),
    "place-true": _item(ONES, True),
    "packed": _item(base64.b64encode(b"\0" * 4 * SIZE).decode()),
    "short": _item(ONES[1:]),
    "long": _item([*ONES, 1.0]),
    "no-numbers": _item([]),
    "texts": _item(["1"] * SIZE),
    "nested": _item([ONES] * SIZE),
    "null-number": _item([*ONES[1:], None]),
    "true": _item([*ONES[1:], True]),
    "nan": _item([*ONES[1:], float("nan")]),
    "infinite": _item([*ONES[1:], float("inf")]),
    "huge": _item([*ONES[1:], 10**400]),
    "zero": _item([0.0] * SIZE),
    "nearly-zero": _item([1e-300] * SIZE),
}
BEHAVIOURS: dict[str, Callable[[Endpoint], None]] = {
    "good": _good,
    "locked": _locked,
    "busy": _busy,
    "shortens": _shortens,
    "endless": _endless,
    "drips": _drips,
    "drops": _drops,
    "repeats-the-key": _repeats_the_key,
    "elsewhere": _elsewhere,
    "failing": lambda endpoint: endpoint.send(b"", 503),
    "not-today": lambda endpoint: endpoint.send(b"", 429, Retry_After="86400"),
    "headers": _raw(b"HTTP/1.1 200 OK\r\n" + b"A: b\r\n" * 500 + b"\r\n"),
    "chunks": _raw(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n"),
    "no-http": _raw(b"\0\xff" * 100_000),
    **{name: _answers(body) for name, body in BAD_ANSWERS.items()},
}

if __name__ == "__main__":
    serve_until_input_ends({"endpoint": LoopbackServer(handler=Endpoint)})
