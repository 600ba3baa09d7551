"""Back-ups as programs, and as files that others read."""

import contextlib
import stat
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import psycopg2
import pytest
from sqlalchemy import Engine, make_url, text

from storage import migrate
from storage.backups import dump
from storage.backups.pg_tools import run_tool
from storage.embedded import server
from storage.embedded.roles import KEEPER, PROGRAM
from storage.engine import make_engine
from storage.errors import BackupFailed
from tests.support.store.new_database import database
from zhiwen.backups import manifest
from zhiwen.backups.create import make
from zhiwen.backups.restore import Trust, restore, verify_backup
from zhiwen.config.loading import load_settings
from zhiwen.config.settings import Settings, SettingsError

OUR_KEY, THEIR_KEY = "o" * 64, "t" * 64
QUICK = server.ServerOptions(grace_s=2, fsync=False)

OWNED_BY_OTHERS = """
SELECT c.oid::regclass::text FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
WHERE n.nspname IN ('public', 'zhiwen_queue') AND c.relowner <> 'zhiwen_program'::regrole
UNION ALL
SELECT p.oid::regprocedure::text FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace
WHERE n.nspname IN ('public', 'zhiwen_queue') AND p.proowner <> 'zhiwen_program'::regrole
UNION ALL
SELECT t.oid::regtype::text FROM pg_type t JOIN pg_namespace n ON n.oid = t.typnamespace
WHERE n.nspname IN ('public', 'zhiwen_queue') AND t.typowner <> 'zhiwen_program'::regrole
UNION ALL
SELECT nspname FROM pg_namespace WHERE nspname = 'zhiwen_queue' AND nspowner <> 'zhiwen_program'::regrole
"""


def quietly(_what: str, _done: int, _whole: int) -> None:
    pass


def never() -> bool:
    return False


@pytest.fixture
def marker() -> Iterator[Path]:
    """A file that the server's account could write; it is there once a program ran."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o777)
        yield Path(folder) / "it-ran"


@pytest.fixture
def evil(server_url: str, tmp_path: Path, marker: Path) -> Path:
    """A whole back-up of another installation: to restore its materialized view is to call a function of theirs."""
    with database(server_url) as url:
        migrate.upgrade(url)
        engine = make_engine(url)
        with engine.begin() as connection:
            connection.execute(text("CREATE FUNCTION count_of() RETURNS int LANGUAGE sql AS 'SELECT 1'"))
            connection.execute(text("CREATE MATERIALIZED VIEW summary AS SELECT count_of() AS n"))
            body = f"BEGIN COPY (SELECT 1) TO PROGRAM 'cat > {marker}'; RETURN 1; END"
            connection.execute(
                text(f"CREATE OR REPLACE FUNCTION count_of() RETURNS int LANGUAGE plpgsql AS $$ {body} $$")
            )
        theirs = Settings(tmp_path / "theirs", secret_key=THEIR_KEY)
        target = tmp_path / "evil.tar"
        make(theirs, url, engine, target, environ={}, progress=quietly, should_stop=never)
        engine.dispose()
    return target


def tried(url: str, path: Path, home: Path, trust: Trust) -> None:
    verify_backup(url, path, home=home, trust=trust, progress=quietly, should_stop=never)


def test_m1_a_foreign_back_up_takes_a_word(evil: Path, clean_database_url: str, tmp_path: Path, marker: Path) -> None:
    with pytest.raises(BackupFailed, match=r"not signed by this installation.*--foreign"):
        tried(clean_database_url, evil, tmp_path, Trust(OUR_KEY))
    engine = make_engine(clean_database_url)
    with pytest.raises(BackupFailed, match="not signed by this installation"):
        restore(clean_database_url, engine, evil, home=tmp_path, trust=Trust(OUR_KEY), replace=True, progress=quietly,
                should_stop=never)  # fmt: skip
    engine.dispose()
    assert not marker.exists()


def test_m1_a_foreign_back_up_runs_no_program(evil: Path, engine: Engine, tmp_path: Path, marker: Path) -> None:
    url = engine.url.render_as_string(hide_password=False)
    with engine.connect() as connection:
        is_superuser = connection.execute(
            text("SELECT rolsuper FROM pg_roles WHERE rolname = current_user")
        ).scalar_one()
    refusal = "could run programs of the server" if is_superuser else "permission denied to COPY to or from an external"
    with pytest.raises(BackupFailed, match=refusal):
        tried(url, evil, tmp_path, Trust(OUR_KEY, foreign=True))
    assert not marker.exists()


def test_m1_a_manifest_that_was_changed_and_hashed_again_is_foreign(engine: Engine, tmp_path: Path) -> None:
    ours = Settings(tmp_path, secret_key=OUR_KEY)
    url = engine.url.render_as_string(hide_password=False)
    path = tmp_path / "ours"
    made = make(ours, url, engine, path, environ={}, progress=quietly, should_stop=never)
    tried(url, path, tmp_path, Trust(OUR_KEY))
    (path / manifest.NAME).write_bytes(manifest.written(replace(made.manifest, program="9.9")))
    with pytest.raises(BackupFailed, match="not signed by this installation"):
        tried(url, path, tmp_path, Trust(OUR_KEY))


def asked(url: str, statement: str, *, role: str | None = None) -> list[str]:
    parts = make_url(url)
    connection = psycopg2.connect(
        host=parts.query["host"], port=parts.query["port"], user=role or parts.username, dbname=parts.database
    )
    with contextlib.closing(connection), connection, connection.cursor() as cursor:
        cursor.execute(statement)
        return [str(row[0]) for row in cursor.fetchall()] if cursor.description else []


@pytest.fixture
def former_home(tmp_path: Path) -> Iterator[Path]:
    """A home as earlier versions made it: all in it belongs to the superuser, and there is no other role."""
    home = tmp_path / "home"
    url = server.ensure_running(home, options=QUICK)
    asked(url, f"ALTER DATABASE zhiwen OWNER TO {KEEPER}", role=KEEPER)
    asked(url, f"DROP ROLE {PROGRAM}", role=KEEPER)
    keepers = make_url(url).set(username=KEEPER).render_as_string(hide_password=False)
    migrate.upgrade(keepers)
    asked(keepers, "INSERT INTO owner (name) VALUES ('晨报')")
    asked(keepers, "CREATE TYPE mood AS ENUM ('good')")
    asked(keepers, "CREATE SEQUENCE loose")
    yield home
    server.delete(home)


def test_m1_a_store_of_the_superusers_is_handed_over_at_the_next_start(former_home: Path) -> None:
    url = server.ensure_running(former_home, options=QUICK)

    assert asked(url, "SELECT current_user || ' ' || rolsuper FROM pg_roles WHERE rolname = current_user") == [
        "zhiwen_program false"
    ]
    assert asked(url, OWNED_BY_OTHERS) == []
    assert asked(url, "SELECT name FROM owner") == ["晨报"]
    # Only an owner may alter: the whole schema down and up again.
    asked(url, "DELETE FROM owner")
    asked(url, "DROP TYPE mood")
    asked(url, "DROP SEQUENCE loose")
    migrate.downgrade(url, "0001")
    migrate.upgrade(url)


def test_m1_the_programs_role_reads_no_file_and_runs_no_program(former_home: Path) -> None:
    url = server.ensure_running(former_home, options=QUICK)
    for hostile in (
        "COPY (SELECT 1) TO PROGRAM 'true'",
        "COPY owner FROM '/etc/passwd'",
        "SELECT pg_read_file('/etc/passwd')",
        "CREATE ROLE evil SUPERUSER",
        f"SET ROLE {KEEPER}",
    ):
        with pytest.raises(psycopg2.errors.InsufficientPrivilege):
            asked(url, hostile)
    engine = make_engine(url)
    dump.require_bounded_role(engine)
    engine.dispose()


@pytest.mark.parametrize("name", ["one.tar", "folder"])
def test_m4_a_back_up_is_readable_for_its_owner_alone(engine: Engine, tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    url = engine.url.render_as_string(hide_password=False)
    make(Settings(tmp_path, secret_key=OUR_KEY), url, engine, path, environ={}, progress=quietly, should_stop=never)
    for one in (path, *path.rglob("*")):
        assert stat.S_IMODE(one.stat().st_mode) & 0o077 == 0, one


def test_m4_what_a_restore_writes_is_readable_for_its_owner_alone(engine: Engine, tmp_path: Path) -> None:
    url = engine.url.render_as_string(hide_password=False)
    path, other = tmp_path / "one.tar", tmp_path / "other"
    make(Settings(tmp_path, secret_key=OUR_KEY), url, engine, path, environ={"ZHIWEN_PORT": "8080"}, progress=quietly,
         should_stop=never)  # fmt: skip
    restore(url, engine, path, home=other, trust=Trust(OUR_KEY), replace=True, progress=quietly, should_stop=never)
    assert stat.S_IMODE((other / "zhiwen.toml").stat().st_mode) == 0o600


def test_l13_the_servers_log_is_readable_for_its_owner_alone(tmp_path: Path) -> None:
    home = tmp_path / "home"
    server.ensure_running(home, options=QUICK)
    log = server.status(home).log_file
    assert log is not None
    assert stat.S_IMODE(log.stat().st_mode) == 0o600
    server.stop(home)
    log.chmod(0o644)  # as earlier versions made it
    server.ensure_running(home, options=QUICK)
    assert stat.S_IMODE(log.stat().st_mode) == 0o600
    server.delete(home)


def test_l3_a_password_of_the_query_is_in_no_argument(tmp_path: Path) -> None:
    settings = load_settings(
        {"ZHIWEN_HOME": str(tmp_path), "DATABASE_URL": "postgresql://h/d?user=u&password=SECRETPW"}
    )
    seen = tmp_path / "seen"
    tool = tmp_path / "tool"
    tool.write_text(f'#!/bin/sh\necho "$@ $PGPASSWORD" > {seen}\n')
    tool.chmod(0o700)
    run_tool([str(tool)], make_url(str(settings.database_url)), on_line=lambda _line: None, should_stop=never)
    assert seen.read_text() == "--dbname=postgresql://u@h/d SECRETPW\n"


def test_l3_other_secrets_of_a_query_are_refused_and_not_repeated(tmp_path: Path) -> None:
    url = "postgresql://u@h/d?sslpassword=SECRETPW"
    with pytest.raises(SettingsError, match="sslpassword") as refused:
        load_settings({"ZHIWEN_HOME": str(tmp_path), "DATABASE_URL": url})
    assert "SECRETPW" not in str(refused.value)
