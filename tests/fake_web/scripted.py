"""A site that shows its articles by script alone, and one whose scripts reach for what they must not have.

Served in threads of the test: the scripted site on 127.0.0.2, another on 127.0.0.3, to which it redirects /away/…, and
what nobody may reach on 127.0.0.1.
"""

import json
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Final

from tests.fake_web.pages import story

SITE_ADDRESS: Final = "127.0.0.2"
OTHER_ADDRESS: Final = "127.0.0.3"
SECRET_ADDRESS: Final = "127.0.0.1"
SPELLINGS: Final = (
    *("127.0.0.1", "localhost", "2130706433", "0x7f.1", "0177.0.0.1"),
    *("[::1]", "[::ffff:127.0.0.1]", "[::]", "0.0.0.0"),  # noqa: S104  # reached for, not bound
)
ARTICLES: Final = ("/news/1", "/news/2", "/news/3")
TRAPS: Final = ("jump", "hop", "file", "data", "endless", "fat", "download")

SHELL: Final = """<!doctype html><html lang="zh"><head><meta charset="utf-8"><title>江城日报</title></head>
<body><div id="app">请稍候</div><script src="/app.js"></script></body></html>"""

APP: Final = """fetch('/api' + location.pathname).then(a => a.json()).then(a => {
  document.title = a.title; document.getElementById('app').innerHTML = a.html; });"""


class Scripted(BaseHTTPRequestHandler):
    """The shell at every address; what it shows comes from /api."""

    server: "ScriptedServer"

    def do_GET(self) -> None:
        self.server.asked[self.path] += 1
        secret = self.server.secret
        if self.path == "/app.js":
            self.send(APP, "text/javascript")
        elif self.path.startswith("/api/"):
            self.send(json.dumps(api(self.path.removeprefix("/api"), traps=self.server.has_traps)), "application/json")
        elif self.path in ("/hop", "/inner-hop"):
            self.redirect(f"{secret}{self.path}")
        elif self.path.startswith("/away/"):
            self.redirect(f"{self.server.other}{self.path.removeprefix('/away')}")
        elif self.path == "/download":
            self.send("%PDF-1.7", "application/octet-stream")
        elif self.path == "/robots.txt":
            self.send("User-agent: *\nDisallow: /forbidden\n", "text/plain")
        else:
            self.send(hostile(self.path, secret) or SHELL, "text/html; charset=utf-8")

    def redirect(self, url: str) -> None:
        self.send_response(302)
        self.send_header("Location", url)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def send(self, text: str, content_type: str) -> None:
        body = text.encode()
        self.send_response(200)
        self.send_header("Content-Type", content_type)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Silent."""


class ScriptedServer(ThreadingHTTPServer):
    def __init__(self, address: str, *, secret: str = "", other: str = "", has_traps: bool = False) -> None:
        super().__init__((address, 0), Scripted)
        self.asked: Counter[str] = Counter()
        self.secret = secret
        self.other = other
        self.has_traps = has_traps

    def handle_error(self, request: object, client_address: object) -> None:
        """A browser that has seen enough hangs up."""

    @property
    def url(self) -> str:
        return f"http://{self.server_address[0]!s}:{self.server_address[1]}"


def api(path: str, *, traps: bool) -> dict[str, str]:
    if path in ARTICLES:
        number = int(path.rpartition("/")[2])
        return {
            "title": f"渡口札记之{number}",
            "html": f"<article><h1>渡口札记之{number}</h1>{story(number)}</article>",
        }
    links = [*ARTICLES, *(f"/{name}" for name in ("reach", *TRAPS) if traps)]
    items = "".join(f"<li><a href='{link}'>渡口札记 {link}</a></li>" for link in links)
    return {"title": "江城日报", "html": f"<ul>{items}</ul>"}


def hostile(path: str, secret: str) -> str | None:
    """A page that tries something; None where the address is an ordinary one."""
    scripts = {
        "/jump": f"location = '{secret}/jumped'",
        "/file": "location = 'file:///etc/passwd'",
        "/data": f"location = 'data:text/html,<img src={secret}/by-data>'",
        "/endless": "setInterval(() => { for (let i = 0; i < 20; i++) fetch('/api/x' + Math.random()) }, 50)",
        "/fat": "document.body.hidden = true; document.body.append('x'.repeat(30e6))",
        "/busy": "while (true) {}",
    }
    if path == "/reach":
        return _reaching(secret)
    return f"<html><body><p>page</p><script>{scripts[path]}</script></body></html>" if path in scripts else None


def _reaching(secret: str) -> str:
    """An article that asks for the secret in every way that a page has."""
    port = secret.rpartition(":")[2]
    spellings = [f"http://{host}:{port}" for host in SPELLINGS]
    asks = "".join(f"try {{ fetch('{one}/fetched', {{mode: 'no-cors'}}) }} catch (e) {{}}" for one in spellings)
    frames = "".join(f"<iframe src='{one}/framed'></iframe>" for one in spellings)
    worker = f"fetch(`{secret}/by-worker`, {{mode: `no-cors`}}).catch(() => 0)"
    return f"""<!doctype html><html><head><meta charset="utf-8"><title>渡口札记之9</title>
      <link rel="preconnect" href="{secret}"><link rel="prefetch" href="{secret}/prefetched">
      <link rel="stylesheet" href="{secret}/style.css"><script src="{secret}/script.js"></script></head><body>
      <article><h1>渡口札记之9</h1>{story(9)}</article>{frames}
      <iframe src="/inner-hop"></iframe><iframe src="file:///etc/passwd"></iframe>
      <iframe src="data:text/html,<script>fetch('{secret}/by-data-frame',{{mode:'no-cors'}})</script>"></iframe>
      <object data="{secret}/object"></object><embed src="{secret}/embedded"><img src="{secret}/image.png">
      <video src="{secret}/video.mp4" autoplay></video>
      <form id="f" method="post" action="{secret}/posted" target="_blank"><input name="a"></form>
      <script>{asks}
        try {{ new WebSocket('ws://127.0.0.1:{port}/socket') }} catch (e) {{}}
        try {{ new EventSource('{secret}/events') }} catch (e) {{}}
        try {{ navigator.sendBeacon('{secret}/beacon', 'x') }} catch (e) {{}}
        try {{ new Worker(URL.createObjectURL(new Blob(["{worker}"]))) }} catch (e) {{}}
        try {{ window.open('{secret}/opened') }} catch (e) {{}}
        document.getElementById('f').submit();
      </script></body></html>"""


@contextmanager
def served(*, traps: bool = False) -> Iterator[tuple[ScriptedServer, ScriptedServer]]:
    """The scripted site, and what nobody may reach."""
    with ScriptedServer(SECRET_ADDRESS) as secret, ScriptedServer(
        SITE_ADDRESS, secret=secret.url, has_traps=traps
    ) as site:  # fmt: skip
        for server in (secret, site):
            threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield site, secret
        finally:
            site.shutdown()
            secret.shutdown()


@contextmanager
def served_with_another() -> Iterator[tuple[ScriptedServer, ScriptedServer]]:
    """The scripted site, and another like it to which it redirects /away/…"""
    with ScriptedServer(OTHER_ADDRESS) as other, ScriptedServer(SITE_ADDRESS, other=other.url) as site:
        for server in (other, site):
            threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield site, other
        finally:
            site.shutdown()
            other.shutdown()
