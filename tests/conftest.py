"""A real Postgres for the tests: the embedded one, or the server that ZHIWEN_TEST_DATABASE_URL names."""

import contextlib
import gc
import os
import signal
from collections.abc import Iterator
from multiprocessing import forkserver

import pytest

# Before anything loads numpy. There are more processes than cores already: threads that share out small matrices spend
# their time waiting for each other.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

# Looks through all loaded modules for the frames of its import: late in the collection that takes two seconds.
import scrapy.core.downloader.handlers.http11  # noqa: F401
from hypothesis import HealthCheck, settings
from sqlalchemy import Engine, create_engine, make_url, text
from sqlalchemy.orm import Session

from storage import migrate
from storage.embedded import server
from storage.embedded.extension import create_vector
from storage.engine import make_engine
from tests.fake_web import served
from tests.support.processes.forked_program import Program, forking_program
from tests.support.processes.postgres_home import shared_home
from tests.support.store.kept_database import KeptDatabase
from tests.support.store.new_database import database
from tests.support.store.warm_engine import make_warm_engine
from zhiwen.tuning import GARBAGE_LOT

SERVER_VARIABLE = "ZHIWEN_TEST_DATABASE_URL"

# How long an example takes depends on what else the machine is doing, and on who is the first to load a table.
settings.register_profile("zhiwen", settings(), deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("zhiwen")


def pytest_configure() -> None:
    """A shell's background jobs ignore Ctrl-C, and hand that on to the programs that the tests start and interrupt."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    # Nothing that is collected here becomes garbage: see pytest_collection_finish.
    gc.disable()


LONGEST_FIRST = (
    "tests/zhiwen/",
    "tests/flow/",
    "tests/browser/test_admin_access",
    "tests/browser/test_admin_morning",
    "tests/crawler/",
    "tests/benchmarks/",
    "tests/hostile/",
    "tests/project/test_run_script",
    "tests/project/test_deploy",
)
"""Beginnings of paths. What crawls, kills and looks takes minutes a file: begun last, it would run alone at the end."""


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    items.sort(key=_turn)
    for item in items:
        if "server_url" in getattr(item, "fixturenames", ()):
            item.add_marker("database")


def pytest_collection_finish() -> None:
    """The program and thousands of tests are a million objects. Visited at each full collection of garbage, they took a
    quarter of the time of the desk's tests. They stay; what the tests make is collected, in larger lots.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(GARBAGE_LOT)
    gc.enable()


def _turn(item: pytest.Item) -> int:
    path = item.path.relative_to(item.config.rootpath).as_posix()
    found = (turn for turn, beginning in enumerate(LONGEST_FIRST) if path.startswith(beginning))
    return next(found, len(LONGEST_FIRST))


@pytest.fixture(autouse=True)
def clean_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """No test sees the settings of whoever runs it, nor the changed environment of the test before.

    Forked processes have the environment in which the server they are forked from was started. It is started before
    a test changes anything: one that hides the browser would hide it from the processes of all tests after it.
    """
    for name in list(os.environ):
        if name == "DATABASE_URL" or name.startswith("ZHIWEN_"):
            monkeypatch.delenv(name)
    forkserver.ensure_running()


@pytest.fixture(scope="session")
def program() -> Iterator[Program]:
    """Starts commands of the program. What they import is loaded once for all tests of this process."""
    with forking_program() as forker:
        yield forker


@pytest.fixture(scope="session")
def server_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server where databases can be made; tests use the databases, not this."""
    given = os.environ.get(SERVER_VARIABLE)
    if given:
        yield make_url(given).set(drivername="postgresql+psycopg2").render_as_string(hide_password=False)
        return
    base = tmp_path_factory.getbasetemp()
    # One server for all workers of pytest-xdist.
    with shared_home(base.parent if os.environ.get("PYTEST_XDIST_WORKER") else base) as home:
        # Thrown away afterwards: nothing has to survive a power cut.
        url = server.ensure_running(home, options=server.ServerOptions(grace_s=2, fsync=False))
        # Databases are copied from it, and only the server's keeper may create the extension.
        create_vector(home, database="template1")
        yield url


@pytest.fixture(scope="session")
def postgres_url(server_url: str) -> Iterator[str]:
    """An empty database, one for the whole session."""
    with database(server_url) as url:
        yield url


@pytest.fixture(scope="session")
def template_url(server_url: str) -> Iterator[str]:
    """A migrated database that nobody connects to: copied, it makes a new one in a fraction of a second."""
    with database(server_url) as url:
        migrate.upgrade(url)
        yield url


@pytest.fixture(scope="session")
def pgvector(server_url: str) -> None:
    """Asked for by whatever looks vectors up. The server of the tests has the extension, another server may not."""
    engine = create_engine(server_url)
    try:
        with engine.connect() as connection:
            found = connection.scalar(text("SELECT 1 FROM pg_available_extensions WHERE name = 'vector'"))
    finally:
        engine.dispose()
    if found is None:
        assert os.environ.get(SERVER_VARIABLE), "the server of the tests is installed with pgvector, and has none"
        pytest.skip("the server that ZHIWEN_TEST_DATABASE_URL names has no pgvector")


@pytest.fixture(scope="session")
def rolled_back_engine(server_url: str, template_url: str) -> Iterator[Engine]:
    """A migrated database for all tests that roll back: for `session` alone. What a test commits to it, all others
    would see; whoever commits asks for `clean_database_url`.
    """
    with database(server_url, template=template_url) as url:
        engine = make_engine(url)
        yield engine
        engine.dispose()


@pytest.fixture
def session(rolled_back_engine: Engine) -> Iterator[Session]:
    """A session inside a transaction that is never committed: a test's own commits end at its savepoint."""
    with rolled_back_engine.connect() as connection, connection.begin() as outer:
        with Session(connection, join_transaction_mode="create_savepoint", expire_on_commit=False) as session:
            yield session
        outer.rollback()


@pytest.fixture
def clean_database_url(server_url: str, template_url: str) -> Iterator[str]:
    """A migrated database of the test's own, new and dropped afterwards, for tests whose commits other processes have
    to see.
    """
    with database(server_url, template=template_url) as url:
        yield url


@pytest.fixture(scope="session")
def kept_database(server_url: str, template_url: str) -> Iterator[KeptDatabase]:
    with contextlib.closing(KeptDatabase(server_url, template_url)) as kept:
        yield kept


@pytest.fixture
def engine(request: pytest.FixtureRequest, kept_database: KeptDatabase) -> Iterator[Engine]:
    """An engine on a migrated database that nobody else uses. Tests of this process may have used it before; nothing
    that they left can be seen, but pages of its tables that are empty.

    A test that asks for `clean_database_url`, too, has its engine on that one: when it gives the address away, or looks
    at sizes, statistics and plans.
    """
    if "clean_database_url" not in request.fixturenames:
        with kept_database.engine() as engine:
            yield engine
        return
    engine = make_warm_engine(request.getfixturevalue("clean_database_url"))
    yield engine
    engine.dispose()


@pytest.fixture(scope="module")
def web() -> Iterator[str]:
    """The fake web, one for a module: a test that counts what was asked for has one of its own."""
    with served() as base:
        yield base
