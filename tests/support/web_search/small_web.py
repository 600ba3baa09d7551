"""Some web sites on loopback, one a host, whose pages a test sets: they answer so, and remember what was asked."""

import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from html import escape
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

HTML = "text/html; charset=utf-8"


@dataclass(frozen=True, slots=True)
class Answer:
    status: int = 200
    body: str = ""
    headers: Mapping[str, str] = field(default_factory=dict)
    wait: threading.Event | None = None
    """The answer begins when it is set."""


@dataclass(slots=True)
class SmallSite:
    """`pages` by path; other paths are not found."""

    base: str = ""
    pages: dict[str, Answer] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)

    @property
    def host(self) -> str:
        return self.base.removeprefix("http://")

    def shows(self, path: str, text: str, *, title: str = "河边的早晨", head: str = "", **more: object) -> str:
        """Set an article, and return its address."""
        self.pages[path] = Answer(body=article_page(text, title=title, head=head), **more)  # type: ignore[arg-type]
        return self.base + path

    def asked_pages(self) -> list[str]:
        return [path for path in self.asked if path != "/robots.txt"]


def article_page(text: str, *, title: str, head: str = "") -> str:
    """A page with an article, its text a paragraph a line."""
    body = "".join(f"<p>{escape(line)}</p>" for line in text.splitlines())
    return f"""<!doctype html><html lang="zh"><head><meta charset="utf-8"><title>{escape(title)}</title>{head}</head>
        <body><article><h1>{escape(title)}</h1>{body}</article></body></html>"""


@contextmanager
def small_site(address: str = "127.0.0.1") -> Iterator[SmallSite]:
    found = SmallSite()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            found.asked.append(self.path)
            answer = found.pages.get(self.path, Answer(404, "nothing"))
            if answer.wait is not None:
                answer.wait.wait(30)
            body = answer.body.encode()
            self.send_response(answer.status)
            for name, value in {"Content-Type": HTML, "Content-Length": str(len(body)), **answer.headers}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Nothing on stderr."""

        def handle(self) -> None:
            try:
                super().handle()
            except OSError:
                return  # the client has gone

    server = ThreadingHTTPServer((address, 0), Handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    found.base = f"http://{address}:{server.server_port}"
    try:
        yield found
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
