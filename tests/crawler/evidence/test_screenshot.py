"""Screenshots: a browser behind the guard. Needs Chromium and Playwright, as the tests of the desk do."""

import ipaddress
import socket
import threading
import urllib.error
import urllib.request
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlsplit

import pytest

from crawler.browser.guarded_proxy import guarded_proxy
from crawler.browser.screenshot import NoScreenshot, screenshot
from tests.fake_web import requests_so_far, served
from tests.support.requirements import needs_browser

LOOPBACK = (ipaddress.ip_network("127.0.0.0/8"),)


@pytest.fixture(scope="module")
def web() -> Iterator[str]:
    with served() as base:
        yield base


class Trap(BaseHTTPRequestHandler):
    """A page that reaches for what a browser must not be let to."""

    asked: list[str]

    def do_GET(self) -> None:
        Trap.asked.append(self.path)
        inner = "".join(f"<img src='{url}'>" for url in Trap.inner)
        body = f"<html><body><h1>page</h1>{inner}</body></html>".encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    inner: tuple[str, ...] = ()

    def log_message(self, *_: object) -> None:
        """Silent."""


@pytest.fixture
def trap() -> Iterator[int]:
    """The port of a server on another loopback address than the fake web's."""
    Trap.asked = []
    with ThreadingHTTPServer(("127.0.0.2", 0), Trap) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server.server_address[1]
        server.shutdown()


def through(proxy: str, url: str) -> tuple[int, bytes]:
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({"http": proxy}))
    try:
        with opener.open(url, timeout=10) as answer:
            return answer.status, answer.read()
    except urllib.error.HTTPError as error:
        return error.code, b""


def test_the_proxy_hands_on_what_is_allowed(web: str) -> None:
    with guarded_proxy(LOOPBACK) as (address, proxy):
        status, body = through(address, f"{web}/news/1")

    assert (status, proxy.blocked) == (200, [])
    assert "渡口札记之1" in body.decode()


@pytest.mark.parametrize("host", ["127.0.0.1", "2130706433", "0x7f.1", "localhost", "10.0.0.1", "169.254.169.254"])
def test_the_proxy_lets_nobody_to_a_private_address_however_it_is_spelt(web: str, host: str) -> None:
    with guarded_proxy(()) as (address, proxy):
        assert through(address, f"http://{host}:{urlsplit(web).port}/news/1")[0] == 403
        assert proxy.blocked == [host]


@pytest.mark.parametrize("port", [443, 22])
def test_no_tunnel_to_a_private_address(port: int) -> None:
    with guarded_proxy(()) as (address, _), socket.create_connection(("127.0.0.1", urlsplit(address).port or 0)) as s:
        s.settimeout(10)
        s.sendall(f"CONNECT 127.0.0.1:{port} HTTP/1.1\r\n\r\n".encode())
        assert s.recv(100).startswith(b"HTTP/1.1 403")


JUNK = (
    b"\r\n\r\n",
    b"GET / HTTP/1.1\r\n\r\n",
    b"CONNECT [::1 HTTP/1.1\r\n\r\n",
    b"GET ftp://a/ x\r\n\r\n",
    b"\xff" * 99,
)


@pytest.mark.parametrize("junk", JUNK)
def test_what_makes_no_sense_is_refused_and_the_proxy_lives(web: str, junk: bytes) -> None:
    with guarded_proxy(LOOPBACK) as (address, _):
        with socket.create_connection(("127.0.0.1", urlsplit(address).port or 0)) as s:
            s.sendall(junk)
            s.shutdown(socket.SHUT_WR)
            s.settimeout(10)
            assert s.recv(100)[:12] in (b"HTTP/1.1 400", b"")
        assert through(address, f"{web}/news/1")[0] == 200


@needs_browser
def test_a_page_is_shown_and_what_it_reaches_for_is_not(web: str, trap: int) -> None:
    only_one = (ipaddress.ip_network("127.0.0.2/32"),)
    Trap.inner = (f"{web}/news/1", "http://169.254.169.254/latest/", "file:///etc/passwd")

    before = requests_so_far(web)
    png = screenshot(f"http://127.0.0.2:{trap}/", allowed_networks=only_one)

    assert requests_so_far(web).get("/news/1") == before.get("/news/1")
    assert png.startswith(b"\x89PNG")
    assert Trap.asked[0] == "/"


@needs_browser
@pytest.mark.parametrize("allowed", [(), (ipaddress.ip_network("127.0.0.1/32"),)])
def test_a_browser_is_not_let_to_what_was_not_opened(trap: int, allowed: tuple[ipaddress.IPv4Network, ...]) -> None:
    with pytest.raises(NoScreenshot, match=r"does not let the browser to 127\.0\.0\.2"):
        screenshot(f"http://127.0.0.2:{trap}/", allowed_networks=allowed)
    assert Trap.asked == []
