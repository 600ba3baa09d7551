"""M5, L12: a picture shows the page under whose address it is kept. Needs Chromium and Playwright."""

import ipaddress
import struct
import threading
import zlib
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import unquote, urlsplit

import pytest

from crawler.browser.screenshot import NoScreenshot, screenshot
from tests.support.requirements import needs_browser

ONE = (ipaddress.ip_network("127.0.0.1/32"),)
RED, BLUE = (255, 0, 0), (0, 0, 255)


class Leading(BaseHTTPRequestHandler):
    """Red pages that lead the browser to what their query says, and a blue one."""

    def do_GET(self) -> None:
        way, to = urlsplit(self.path).path, unquote(urlsplit(self.path).query)
        if way == "/redirect":
            self.send_response(302)
            self.send_header("Location", to)
            self.send_header("Content-Length", "0")
            self.end_headers()
            return
        color = "#0000ff" if way == "/secret" else "#ff0000"
        head = LEADS.get(way, "").format(to=to)
        page = f"<!DOCTYPE html><html><head>{head}</head><body bgcolor='{color}'></body></html>"
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(page)))
        self.end_headers()
        self.wfile.write(page.encode())

    def log_message(self, *_: object) -> None:
        """Silent."""


LEADS = {
    "/meta": '<meta http-equiv="refresh" content="0;url={to}">',
    # Before the page is loaded, so that it is at the other address by then.
    "/js": '<script>location.replace("{to}"); const until = Date.now() + 500; while (Date.now() < until);</script>',
    "/push": '<script>history.pushState(null, "", "{to}")</script>',
    "/mark": '<script>location.hash = "comments"; history.replaceState(null, "", "?utm_source=x#comments")</script>',
}


@pytest.fixture(scope="module")
def leading() -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), Leading) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}"
        server.shutdown()


def color_of(png: bytes) -> tuple[int, ...]:
    """Of the first pixel: Chromium writes 8 bits for each of three or four channels, and no row above the first."""
    data, at = b"", 8
    while at < len(png):
        (size,) = struct.unpack(">I", png[at : at + 4])
        if png[at + 4 : at + 8] == b"IDAT":
            data += png[at + 8 : at + 8 + size]
        at += 12 + size
    return tuple(zlib.decompress(data)[1:4])


def shown(url: str) -> tuple[int, ...] | str:
    """The colour of the picture, or why there is none."""
    try:
        return color_of(screenshot(url, allowed_networks=ONE))
    except NoScreenshot as problem:
        return str(problem)


@needs_browser
@pytest.mark.parametrize("way", ["/js", "/redirect", "/push"])
def test_m5_a_page_that_leads_the_browser_elsewhere_is_not_pictured_as_that(leading: str, way: str) -> None:
    found = shown(f"{leading}{way}?{leading}/secret")

    # Where the browser is led away after the picture was taken, it is one of the page itself.
    assert found in (RED, f"the page leads the browser to {leading}/secret")


@needs_browser
@pytest.mark.parametrize("way", ["/js", "/redirect"])
def test_m5_the_browsers_own_page_of_a_refusal_is_no_picture(leading: str, way: str) -> None:
    found = shown(f"{leading}{way}?http://127.0.0.2:{urlsplit(leading).port}/secret")

    assert found in (RED, "the guard does not let the browser to 127.0.0.2")


@needs_browser
@pytest.mark.parametrize("host", ["127.0.0.1", "127.0.0.2"])
def test_m5_a_page_that_refreshes_is_pictured_as_itself_or_not_at_all(leading: str, host: str) -> None:
    found = shown(f"{leading}/meta?http://{host}:{urlsplit(leading).port}/secret")

    assert isinstance(found, str) or found == RED


@needs_browser
def test_m5_a_page_that_stays_is_pictured_whatever_it_adds_to_its_address(leading: str) -> None:
    assert color_of(screenshot(f"{leading}/mark", allowed_networks=ONE)) == RED
    assert color_of(screenshot(f"{leading}/secret", allowed_networks=ONE)) == BLUE


@pytest.mark.parametrize("url", ["file:///etc/passwd", "FILE:/etc/passwd", "data:text/html,x", "about:blank", "passwd"])
def test_l12_what_is_not_of_the_web_is_not_opened(url: str) -> None:
    with pytest.raises(NoScreenshot, match="only http and https"):
        screenshot(url)
