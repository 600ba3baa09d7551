"""Workers on three machines with one stock Postgres: three process trees with homes of their own, one of which dies."""

import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from urllib.parse import urlsplit

import psutil
import pytest
from sqlalchemy import Engine, text

from crawler.evidence.record_files import EvidenceFolder
from crawler.network.loopback_server import LoopbackServer
from storage import migrate
from storage.engine import make_engine, transaction
from storage.jobs import queue
from storage.matches import backlog
from storage.records.sites import SiteSettings
from storage.sites import sites
from tests.support.evidence.evidence import verified
from tests.support.factories import text_of
from tests.support.processes import stock_postgres
from tests.support.processes.running_program import Running, running
from tests.support.processes.worker_process import (
    crawls,
    environment,
    nothing_waits,
    queued,
    stop,
    stored,
    until,
)
from tests.support.store.store_reads import backlog_failures

SITES = ("甲报", "乙报", "丙报")
PAGES = 20
"""Of each site; the same articles on all of them."""
WORKERS_EACH = len(queue.QUEUES)
"""Workers of the queue in each worker process: one of each kind of job."""

COUNT_COMPARISONS = text(
    """
    CREATE TABLE compared (version bigint NOT NULL);
    CREATE FUNCTION remember() RETURNS trigger LANGUAGE plpgsql AS
        'BEGIN INSERT INTO compared VALUES (OLD.page_version_id); RETURN OLD; END';
    CREATE TRIGGER remember AFTER DELETE ON backlog FOR EACH ROW EXECUTE FUNCTION remember();
    """
)
WORKERS = text("SELECT id FROM zhiwen_queue.procrastinate_workers")
AGE = text(
    "UPDATE zhiwen_queue.procrastinate_workers SET last_heartbeat = now() - interval '1 hour' WHERE id = ANY(:ids)"
)


@dataclass(frozen=True, slots=True)
class Machine:
    home: Path
    child: Running

    def holds(self) -> int:
        """Number of evidence files in its home."""
        return sum(1 for _ in EvidenceFolder(self.home).digests())

    def die(self) -> None:
        """All its processes at once, as if it lost its power."""
        tree = psutil.Process(self.child.process.pid)
        for process in [*tree.children(recursive=True), tree]:
            process.kill()
        self.child.wait()


class News(BaseHTTPRequestHandler):
    """At /news/N an article that shares nothing with the others."""

    def do_GET(self) -> None:
        number = self.path.removeprefix("/news/")
        body = page(int(number)).encode() if number.isdigit() else b"nothing here"
        self.send_response(200 if number.isdigit() else 404)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Silent."""


def page(number: int) -> str:
    text = text_of(number, chars=900)
    paragraphs = "".join(f"<p>{text[start : start + 300]}</p>" for start in range(0, len(text), 300))
    title = f"第{number}号报道"
    return f"""<!doctype html><html lang="zh"><head><meta charset="utf-8"><title>{title}</title></head>
        <body><article><h1>{title}</h1>{paragraphs}</article></body></html>"""


@contextmanager
def a_site_on_loopback() -> Iterator[str]:
    with LoopbackServer(handler=News) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server.address
        server.shutdown()


@pytest.fixture
def database() -> Iterator[str]:
    with stock_postgres.stock_cluster() as cluster:
        migrate.upgrade(cluster.url)
        yield cluster.url


@pytest.fixture
def shared(database: str) -> Iterator[Engine]:
    engine = make_engine(database)
    with engine.begin() as connection:
        connection.execute(COUNT_COMPARISONS)
    yield engine
    engine.dispose()


@stock_postgres.needed
def test_three_machines_share_the_work_and_what_a_dead_one_leaves(
    database: str, shared: Engine, tmp_path: Path
) -> None:
    with ExitStack() as stack:
        webs = [stack.enter_context(a_site_on_loopback()) for _ in SITES]
        for name, web in zip(SITES, webs, strict=True):
            add_site(shared, name, web)
        second = a_machine(stack, database, tmp_path / "second")
        until(shared, lambda: len(worker_ids(shared)) == WORKERS_EACH)
        doomed = worker_ids(shared)
        others = [a_machine(stack, database, tmp_path / name) for name in ("first", "third")]
        until(shared, lambda: len(worker_ids(shared)) == WORKERS_EACH * len(SITES))
        for name in SITES:  # a machine crawls one site at a time
            defer_crawl(shared, name)
        until(shared, lambda: all(machine.holds() >= 2 for machine in (second, *others)))
        second.die()
        with shared.begin() as connection:
            connection.execute(AGE, {"ids": doomed})

        until(shared, lambda: {run.site_name for run in crawls(shared) if run.exit_reason == "finished"} == set(SITES))
        until(shared, lambda: nothing_waits(shared) and waiting(shared) == 0)
        codes = [stop(machine.child) for machine in others]

    assert codes == [0, 0]
    assert_crawls_balance(shared)
    assert_comparisons_balance(shared)
    assert_evidence_balances(shared, [machine.home for machine in (second, *others)])


def a_machine(stack: ExitStack, database: str, home: Path) -> Machine:
    home.mkdir()
    started = running("worker", "--crawls", "1", environment=environment(database, home), stderr=home / "log")
    return Machine(home, stack.enter_context(started))


def defer_crawl(engine: Engine, name: str) -> None:
    with transaction(engine) as session:
        # Else pages that were in flight when a crawl died would be visited some hours later.
        queue.defer_crawl(session, name, trigger="test", revisit=True)


def add_site(engine: Engine, name: str, web: str) -> None:
    pages = tuple(f"{web}/news/{number}" for number in range(200, 200 + PAGES))
    host = urlsplit(web).netloc
    with transaction(engine) as session:
        sites.add_site(session, SiteSettings(name, pages, (host,), allow=(r"/news/2\d\d$",), delay_s=0.6))


def worker_ids(engine: Engine) -> list[int]:
    with engine.connect() as connection:
        return list(connection.execute(WORKERS).scalars())


def waiting(engine: Engine) -> int:
    with transaction(engine) as session:
        return backlog.waiting(session)


def assert_crawls_balance(engine: Engine) -> None:
    """Every page is stored once, no job is left or was set aside, and no site was crawled to its end twice."""
    pages = [page.url for page in stored(engine)]
    assert len(pages) == len(set(pages)) == PAGES * len(SITES)
    assert queued(engine) == []
    assert Counter(run.site_name for run in crawls(engine) if run.exit_reason == "finished") == Counter(SITES)
    new = sum(run.counters.get("articles/new", 0) for run in crawls(engine))
    assert new <= PAGES * len(SITES)  # a dead crawl could not report its last ones


def assert_comparisons_balance(engine: Engine) -> None:
    """Every page was compared once, and the same article was found on all sites."""
    with transaction(engine) as session:
        compared = list(session.execute(text("SELECT version FROM compared")).scalars())
        versions = set(session.execute(text("SELECT id FROM page_version")).scalars())
        assert backlog_failures(session) == []
        pairs = session.execute(
            text(
                """SELECT count(*) FROM page_match m
                    JOIN page a ON a.id = m.low_page_id JOIN page b ON b.id = m.high_page_id
                    WHERE split_part(a.url, '/news/', 2) = split_part(b.url, '/news/', 2)"""
            )
        ).scalar_one()
    assert (len(compared), set(compared)) == (len(versions), versions)
    assert pairs == PAGES * len(SITES) * (len(SITES) - 1) / 2


def assert_evidence_balances(engine: Engine, homes: list[Path]) -> None:
    """One chain; every file is on one machine, and each machine says which files it lacks and who keeps them."""
    names = [EvidenceFolder(home).name() for home in homes]
    found = [verified(engine, home) for home in homes]
    with transaction(engine) as session:
        files = session.execute(text("SELECT count(*) FROM evidence WHERE record IS NOT NULL")).scalar_one()
    assert files >= PAGES * len(SITES)
    assert [problems for _, problems in found] == [[], [], []]
    assert all(seen.files > 0 for seen, _ in found)
    assert sum(seen.files for seen, _ in found) == files
    held = {name: seen.files for name, (seen, _) in zip(names, found, strict=True)}
    for name, (seen, _) in zip(names, found, strict=True):
        assert dict(seen.elsewhere) == {other: count for other, count in held.items() if other != name}
