"""Tests of tests.support.store.kept_database: no test may see what the tests before it have left."""

import contextlib
import subprocess
import sys
from collections.abc import Iterator

import psycopg2
import pytest
from sqlalchemy import Engine, event, text

from storage import migrate
from storage.database_address import with_driver
from storage.engine import make_engine
from tests.support.processes import stock_postgres
from tests.support.store import kept_database, traces
from tests.support.store.filled_store import fill
from tests.support.store.kept_database import KeptDatabase
from tests.support.store.new_database import database

ROWS = {
    "in every table": (),
    "a job": (
        "SET search_path TO zhiwen_queue",
        "INSERT INTO zhiwen_queue.procrastinate_jobs (queue_name, task_name) VALUES ('a', 'b')",
    ),
    "a changed row of a migration": ("UPDATE alembic_version SET version_num = '0001'",),
    "another row beside it": ("INSERT INTO alembic_version VALUES ('0001')",),
    "a sequence that begins elsewhere": ("SELECT setval('page_id_seq', 7, false)",),
    "a sequence without rows": ("SELECT nextval('page_id_seq')",),
}
LOCKS = """SELECT count(*) FROM pg_locks JOIN pg_database AS d ON d.oid = database
    WHERE d.datname = current_database()"""
"""Of this database alone: other tests have theirs on the same server, and tables with the same numbers."""
SESSION = {
    "setting": ("SET work_mem = '99MB'", "SHOW work_mem"),
    "time zone": ("SET TimeZone = 'Asia/Shanghai'", "SHOW TimeZone"),
    "kind of transaction": ("SET SESSION CHARACTERISTICS AS TRANSACTION READ ONLY", "SHOW transaction_read_only"),
    "advisory lock": ("SELECT pg_advisory_lock(5)", f"{LOCKS} AND locktype = 'advisory'"),
    "prepared statement": ("PREPARE one AS SELECT 1", "SELECT count(*) FROM pg_prepared_statements"),
    "cursor": ("DECLARE one CURSOR WITH HOLD FOR SELECT 1", "SELECT count(*) FROM pg_cursors"),
    "channel": ("LISTEN one", "SELECT count(*) FROM pg_listening_channels()"),
    "temporary table": ("CREATE TEMP TABLE page (number int)", "SELECT count(*) FROM pg_class WHERE relname = 'page'"),
    "place in a sequence": ("SELECT nextval('page_id_seq')", "SELECT nextval('page_id_seq')"),
    "open transaction": ("BEGIN; LOCK TABLE page", f"{LOCKS} AND relation = 'page'::regclass"),
}
MORE_THAN_ROWS = {
    "table": "CREATE TABLE more (number int)",
    "column": "ALTER TABLE page ADD more int",
    "lost index": "DROP INDEX ix_fingerprint_band_0",
    "lost table": "DROP TABLE alembic_version",
    "function": "CREATE FUNCTION more() RETURNS int LANGUAGE sql AS 'SELECT 1'",
    "trigger": "ALTER TABLE zhiwen_queue.procrastinate_jobs DISABLE TRIGGER USER",
    "storage parameter": "ALTER TABLE page SET (autovacuum_enabled = off)",
    "right": "GRANT SELECT ON page TO PUBLIC",
    "comment": "COMMENT ON TABLE page IS 'more'",
    "comment on the database": "COMMENT ON DATABASE {name} IS 'more'",
    "setting of the database": "ALTER DATABASE {name} SET work_mem = '99MB'",
    "setting of a role in it": "ALTER ROLE CURRENT_USER IN DATABASE {name} SET work_mem = '99MB'",
    "limit of connections": "ALTER DATABASE {name} CONNECTION LIMIT 50",
    "schema": "CREATE SCHEMA more",
    "type": "CREATE TYPE more AS ENUM ('one')",
    "large object": "SELECT lo_create(0)",
    "sequence": "ALTER SEQUENCE page_id_seq INCREMENT 5",
    "publication": "CREATE PUBLICATION more",
    "statistics": "ANALYZE page",
    "statistics of an empty table": "VACUUM page",
    "new file": "TRUNCATE page CASCADE",
    "extended statistics": "CREATE STATISTICS more ON site_id, url FROM page",
}


@pytest.fixture
def kept(server_url: str, template_url: str) -> Iterator[KeptDatabase]:
    with contextlib.closing(KeptDatabase(server_url, template_url)) as kept:
        yield kept


def name_of(engine: Engine) -> str:
    return str(engine.url.database)


def execute(engine: Engine, *statements: str) -> None:
    with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        for statement in statements:
            connection.execute(text(statement.format(name=name_of(engine))))


def answer(engine: Engine, question: str) -> object:
    with engine.connect() as connection:
        return connection.scalar(text(question))


def contents(engine: Engine) -> dict[str, object]:
    """All rows, and what the sequences give next."""
    with engine.connect() as connection:
        tables = [name for (name, _) in connection.execute(text(traces.TABLES))]
        found: dict[str, object] = {
            name: connection.execute(text(f"SELECT * FROM {name}")).all()  # noqa: S608  # names of ours
            for name in tables
        }
        for name in connection.scalars(text("SELECT seqrelid::regclass::text FROM pg_sequence")).all():
            found[name] = connection.execute(text(f"SELECT last_value, is_called FROM {name}")).one()  # noqa: S608
        return {name: value for name, value in found.items() if value}


@pytest.fixture(scope="module")
def as_new(server_url: str, template_url: str) -> Iterator[dict[str, object]]:
    with database(server_url, template=template_url) as url:
        engine = make_engine(url)
        yield contents(engine)
        engine.dispose()


@pytest.mark.parametrize("left", ROWS)
def test_the_next_test_sees_no_rows_and_counts_from_the_beginning(
    kept: KeptDatabase, as_new: dict[str, object], left: str
) -> None:
    with kept.engine() as engine:
        if left == "in every table":
            filled = fill(engine, migrate.head(), number=1)
            assert len({one.table for one in filled}) > 90
        execute(engine, *ROWS[left])
        assert contents(engine) != as_new

    with kept.engine() as engine:
        assert contents(engine) == as_new


def test_the_database_and_its_session_are_the_same(kept: KeptDatabase) -> None:
    with kept.engine() as engine:
        before = name_of(engine), answer(engine, "SELECT pg_backend_pid()")
        fill(engine, migrate.head(), number=1)
        execute(engine, *ROWS["a job"])

    with kept.engine() as engine:
        assert (name_of(engine), answer(engine, "SELECT pg_backend_pid()")) == before


@pytest.mark.parametrize("left", SESSION)
@pytest.mark.parametrize("connections", [1, 2])
def test_the_next_test_has_a_session_as_new(kept: KeptDatabase, left: str, connections: int) -> None:
    leave, question = SESSION[left]
    with kept.engine() as engine:
        as_new = answer(engine, question)

    with kept.engine() as engine:
        for raw in [engine.raw_connection() for _ in range(connections)]:
            cursor = raw.cursor()
            cursor.execute("SET lock_timeout = 100")
            with contextlib.suppress(psycopg2.errors.LockNotAvailable):
                cursor.execute(leave)
            raw.commit()
            raw.close()

    with kept.engine() as engine:
        assert answer(engine, question) == as_new


@pytest.mark.parametrize("left", MORE_THAN_ROWS)
def test_a_database_with_more_than_rows_changed_is_not_used_again(kept: KeptDatabase, left: str) -> None:
    with kept.engine() as engine:
        before = name_of(engine)
        execute(engine, MORE_THAN_ROWS[left])

    with kept.engine() as engine:
        assert name_of(engine) != before
        assert answer(engine, f"SELECT count(*) FROM pg_database WHERE datname = '{before}'") == 0  # noqa: S608


def test_a_connection_that_the_test_forgot_is_ended_with_its_database(kept: KeptDatabase) -> None:
    with kept.engine() as engine:
        before = name_of(engine)
        forgotten = engine.connect()
        forgotten.execute(text("INSERT INTO owner (name) VALUES ('open')"))

    with kept.engine() as engine:
        assert name_of(engine) != before
    with pytest.raises(psycopg2.OperationalError):
        forgotten.connection.cursor().execute("SELECT 1")
    forgotten.invalidate()
    forgotten.close()


CHILD = """
import sys, psycopg2
connection = psycopg2.connect(sys.argv[1])
connection.cursor().execute("LOCK TABLE page")
print("locked", flush=True)
sys.stdin.read()
"""


@pytest.mark.parametrize("is_killed", [False, True])
def test_the_database_of_a_child_process_is_not_used_again(kept: KeptDatabase, is_killed: bool) -> None:
    with kept.engine() as engine:
        before = name_of(engine)
        url = engine.url.set(drivername="postgresql").render_as_string(hide_password=False)
        child = subprocess.Popen([sys.executable, "-c", CHILD, url], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        assert child.stdout is not None
        assert child.stdout.readline() == b"locked\n"
        if is_killed:
            child.kill()
            child.wait()

    with kept.engine() as engine:
        execute(engine, "SET lock_timeout = 1000", "BEGIN", "LOCK TABLE page", "COMMIT")
        assert name_of(engine) != before or is_killed
    child.kill()
    child.communicate()


@stock_postgres.needed
def test_a_prepared_transaction_is_rolled_back() -> None:
    with (
        stock_postgres.stock_cluster("max_prepared_transactions=2") as cluster,
        database(with_driver(cluster.url)) as template,
    ):
        migrate.upgrade(template)
        with contextlib.closing(KeptDatabase(with_driver(cluster.url), template)) as kept:
            with kept.engine() as engine:
                execute(
                    engine,
                    "BEGIN",
                    "LOCK TABLE page",
                    "INSERT INTO owner (name) VALUES ('a')",
                    "PREPARE TRANSACTION 'one'",
                )
            with kept.engine() as engine:
                execute(engine, "SET lock_timeout = 1000", "BEGIN", "LOCK TABLE page", "COMMIT")
                assert answer(engine, "SELECT count(*) FROM pg_prepared_xacts") == 0


def test_after_a_number_of_tests_and_after_a_large_one_there_is_a_new_database(
    kept: KeptDatabase, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = []
    for _ in range(kept_database.MOST_TESTS + 1):
        with kept.engine() as engine:
            names.append(name_of(engine))
    assert len(set(names)) == 2
    assert names.count(names[0]) == kept_database.MOST_TESTS

    with kept.engine() as engine:
        execute(engine, "INSERT INTO owner (name) SELECT repeat(md5(n::text), 5) FROM generate_series(1, 20000) n")
    with kept.engine() as engine:
        assert name_of(engine) not in names


def test_an_engine_ends_with_its_test_and_nothing_listens_to_the_next_one(kept: KeptDatabase) -> None:
    heard: list[str] = []
    with kept.engine() as first:
        event.listen(first, "before_cursor_execute", lambda *_: heard.append("statement"))
        event.listen(first.pool, "checkout", lambda *_: heard.append("checkout"))
        answer(first, "SELECT 1")
    heard.clear()

    with kept.engine() as second:
        answer(second, "SELECT 1")
        assert heard == []
        with pytest.raises(RuntimeError, match="over"):
            first.connect()


def test_the_end_leaves_no_database(server_url: str, template_url: str) -> None:
    with contextlib.closing(KeptDatabase(server_url, template_url)) as kept, kept.engine() as engine:
        name = name_of(engine)

    server = make_engine(server_url)
    assert answer(server, f"SELECT count(*) FROM pg_database WHERE datname = '{name}'") == 0  # noqa: S608
    server.dispose()
