"""A web server of one test: what each path answers, and nothing else."""

import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from crawler.run.crawl_order import CrawlOrder
from crawler.run.crawl_process import crawl_site
from crawler.run.run_watch import Bounds
from storage.crawl import logs
from storage.engine import make_engine, transaction
from storage.records.crawl import RunRecord
from tests.flow.test_crawl import LOOPBACK, PATIENCE_S

Answers = Mapping[str, tuple[str, bytes]]
"""By path: content type and body."""

LONGEST = Bounds(time_s=150.0)
"""A crawl that hangs is ended, so that a test of it fails and does not hang too."""


@contextmanager
def serving(answers: Answers) -> Iterator[str]:
    """The address of the server, `http://127.0.0.1:PORT`, while the block lasts."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            found = answers.get(self.path)
            self.send_response(200 if found else 404)
            self.send_header("Content-Type", found[0] if found else "text/html")
            self.send_header("Content-Length", str(len(found[1]) if found else 0))
            self.end_headers()
            self.wfile.write(found[1] if found else b"")

        def log_message(self, format: str, *args: object) -> None:  # the library's name
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def crawled(database_url: str, *, bounds: Bounds = LONGEST) -> RunRecord:
    return crawl_site(
        CrawlOrder(
            database_url,
            "江城日报",
            allowed_networks=LOOPBACK,
            answer_within_s=PATIENCE_S,
            trigger="test",
            bounds=bounds,
        )
    )


def log_of(database_url: str, run: RunRecord) -> str:
    """What the crawl said."""
    engine = make_engine(database_url)
    with transaction(engine) as session:
        log = logs.get(session, run.id)
    engine.dispose()
    return "" if log is None else log.text
