"""A database whose connections break in the middle of a transaction, and one that is stopped and started."""

import random
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Engine, event, text
from sqlalchemy.exc import DBAPIError

from matcher.worker.backlog import work_off
from storage import migrate
from storage.embedded import server
from storage.engine import make_engine, transaction
from storage.jobs import queue
from storage.matches import backlog
from storage.pages import backlog_entry
from tests.flow.test_kills import assert_all_found, assert_found_once, plant
from tests.support.factories import an_article, commit, text_of
from tests.support.processes.worker_process import stored, until, worker

SEED = 20260302
DROPS = 6
MOST_STATEMENTS = 400


class Dropping:
    """Breaks the connection that sends the statement of this number, from the server's side."""

    def __init__(self, engine: Engine, other: Engine, number: int) -> None:
        self._engine, self._other, self.left = engine, other, number
        event.listen(engine, "before_cursor_execute", self._count)

    def close(self) -> None:
        event.remove(self._engine, "before_cursor_execute", self._count)

    def _count(self, connection: Any, *_: object) -> None:
        self.left -= 1
        if self.left == 0:
            pid = connection.connection.dbapi_connection.info.backend_pid
            with self._other.begin() as ours:
                ours.execute(text("SELECT pg_terminate_backend(:pid, 10000)"), {"pid": pid})


@pytest.fixture
def other(clean_database_url: str) -> Iterator[Engine]:
    found = make_engine(clean_database_url)
    yield found
    found.dispose()


def test_a_connection_that_breaks_in_a_transaction_leaves_every_pair_compared_once(
    engine: Engine, other: Engine
) -> None:
    planted = plant(engine)
    chance = random.Random(SEED)  # noqa: S311  # repeatable, nothing secret
    broken = 0

    for _ in range(DROPS):
        dropping = Dropping(engine, other, chance.randrange(1, MOST_STATEMENTS))
        try:
            with transaction(engine) as session:
                waiting = session.execute(text("SELECT id FROM page_version")).scalars().all()
                backlog_entry.enqueue(session, waiting)
            work_off(engine, should_stop=lambda: False)
        except DBAPIError:
            broken += 1
        finally:
            dropping.close()
        assert dropping.left <= 0
        assert_found_once(engine, planted)
    work_off(engine, should_stop=lambda: False)

    assert broken > 0
    assert_all_found(engine, planted)


@pytest.fixture
def own_server() -> Iterator[Path]:
    """The home of a database of the test's own, that it may stop. A short name: sockets have no room for long ones."""
    with tempfile.TemporaryDirectory(dir="/tmp") as folder:
        home = Path(folder)
        yield home
        server.delete(home)


def test_a_worker_goes_on_where_it_was_when_its_database_is_stopped_and_started(own_server: Path) -> None:
    options = server.ServerOptions(grace_s=60)
    url = server.ensure_running(own_server, options=options)
    migrate.upgrade(url)
    engine = make_engine(url)
    planted = plant(engine)

    with worker(url, own_server) as child:
        until(engine, lambda: _is_compared(engine))
        before = len(stored(engine))
        engine.dispose()
        assert server.stop(own_server)
        assert server.ensure_running(own_server, options=options) == url
        commit(engine, [an_article("https://late.example/1", text_of(90, chars=300))])
        with transaction(engine) as session:
            queue.defer_once(session, queue.MATCH)
        until(engine, lambda: _is_compared(engine))
        assert child.poll() is None

    assert len(stored(engine)) == before + 1
    assert_all_found(engine, planted)
    engine.dispose()


def _is_compared(engine: Engine) -> bool:
    with transaction(engine) as session:
        return backlog.waiting(session) == 0
