"""Answers no honest server gives. Each ends when its client has had enough."""

import contextlib
import gzip
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler
from time import sleep

from tests.fake_web.pages import article

PATIENCE = 60
"""Seconds, or as many pieces, after which an answer that never ends does."""

Answer = Callable[[BaseHTTPRequestHandler], None]


def _sent(web: BaseHTTPRequestHandler, pieces: Iterator[bytes]) -> None:
    """Raw, over the connection, which is closed behind it."""
    web.close_connection = True
    with contextlib.suppress(OSError):
        for piece in pieces:
            web.wfile.write(piece)
            web.wfile.flush()


def _raw(pieces: Callable[[], Iterator[bytes]]) -> Answer:
    return lambda web: _sent(web, pieces())


def _loris() -> Iterator[bytes]:
    yield b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 5000\r\n\r\n"
    for _ in range(PATIENCE * 5):
        sleep(0.2)
        yield b"x"


def _silent() -> Iterator[bytes]:
    sleep(PATIENCE)
    yield b""


def _headers() -> Iterator[bytes]:
    yield b"HTTP/1.1 200 OK\r\n"
    for number in range(2_000_000):
        yield b"X-Header-%d: %b\r\n" % (number, b"x" * 200)


def _long_header() -> Iterator[bytes]:
    yield b"HTTP/1.1 200 OK\r\nX-Long: " + b"x" * 2_000_000 + b"\r\nContent-Length: 0\r\n\r\n"


def _broken_chunks() -> Iterator[bytes]:
    yield b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\n\r\n"
    yield b"5\r\nhello\r\nnonsense\r\n"


def _less_than_said() -> Iterator[bytes]:
    body = article(50).encode()
    yield b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: %d\r\n\r\n" % (2 * len(body))
    yield body


def _more_than_said() -> Iterator[bytes]:
    yield b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 10\r\n\r\n"
    yield article(51).encode()


def _no_http() -> Iterator[bytes]:
    yield b"SSH-2.0-OpenSSH_9.2\r\n"


def _bomb_in_a_bomb() -> Iterator[bytes]:
    body = gzip.compress(gzip.compress(b"\0" * 200_000_000, 1))
    yield b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Encoding: gzip, gzip\r\n"
    yield b"Content-Length: %d\r\n\r\n" % len(body) + body


def _million_links() -> Iterator[bytes]:
    yield b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<html><body>"
    for start in range(0, 1_000_000, 1_000):
        yield b"".join(b"<a href=/m/%d>x</a>" % number for number in range(start, start + 1_000))


def _many_links() -> Iterator[bytes]:
    """As many as still make a page."""
    yield b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<html><body>"
    yield b"".join(b"<a href=/picture/%d.jpg>x</a>" % number for number in range(90_000))


HOSTILE: dict[str, Answer] = {
    "/loris": _raw(_loris),
    "/silent": _raw(_silent),
    "/headers": _raw(_headers),
    "/long-header": _raw(_long_header),
    "/broken-chunks": _raw(_broken_chunks),
    "/less-than-said": _raw(_less_than_said),
    "/more-than-said": _raw(_more_than_said),
    "/no-http": _raw(_no_http),
    "/bomb-in-a-bomb": _raw(_bomb_in_a_bomb),
    "/million-links": _raw(_million_links),
    "/many-links": _raw(_many_links),
}
