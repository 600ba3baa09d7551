"""The schema's history: there and back, checked against the models, safe for several processes at once."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from alembic.script import ScriptDirectory
from alembic.util.exc import CommandError
from sqlalchemy import CheckConstraint, Enum, inspect, text

import migrations.versions
from crawler.processes import fork_server
from storage import migrate
from storage.base import Base
from storage.engine import make_engine
from storage.errors import SchemaNotCurrent
from tests.support.store.new_database import database

CHILDREN = fork_server.children("storage.migrate", "psycopg2")
OURS = {"admin", "crawler", "fingerprint", "matcher", "storage", "tests", "zhiwen"}
REVISIONS = sorted(Path(migrations.versions.__path__[0]).glob("0*.py"))


@pytest.fixture
def empty_url(server_url: str) -> Iterator[str]:
    with database(server_url) as url:
        yield url


def tables_at(url: str) -> set[str]:
    engine = make_engine(url)
    try:
        return set(inspect(engine).get_table_names()) - {"alembic_version"}
    finally:
        engine.dispose()


def revision_at(url: str) -> str | None:
    engine = make_engine(url)
    try:
        return migrate.current(engine)
    finally:
        engine.dispose()


def upgraded_by_a_child(url: str) -> None:
    migrate.upgrade(url)


def test_upgrade_makes_every_table_and_downgrade_leaves_none(empty_url: str) -> None:
    migrate.upgrade(empty_url)
    assert tables_at(empty_url) == set(Base.metadata.tables)
    assert revision_at(empty_url) == migrate.head()

    migrate.downgrade(empty_url, "base")
    assert tables_at(empty_url) == set()
    assert revision_at(empty_url) is None

    migrate.upgrade(empty_url)
    assert tables_at(empty_url) == set(Base.metadata.tables)


def test_models_and_migrations_say_the_same(clean_database_url: str) -> None:
    migrate.check(clean_database_url)


def test_every_word_of_the_models_may_be_stored(clean_database_url: str) -> None:
    """The comparison with the models does not look at what check constraints allow."""
    engine = make_engine(clean_database_url)
    found = inspect(engine)
    words = [
        (table.name, str(check.name), set(column.type.enums))
        for table in Base.metadata.sorted_tables
        for column in table.columns
        if isinstance(column.type, Enum)
        for check in table.constraints
        if isinstance(check, CheckConstraint) and str(check.name).endswith(f"_{column.type.name}")
    ]
    allowed = {
        (table, check["name"]): set(re.findall(r"'([^']*)'", check["sqltext"]))
        for table in found.get_table_names()
        for check in found.get_check_constraints(table)
    }
    engine.dispose()

    assert len(words) > 20
    assert {(table, name): allowed.get((table, name)) for table, name, _ in words} == {
        (table, name): values for table, name, values in words
    }


def test_the_check_notices_a_column_that_no_migration_knows(clean_database_url: str) -> None:
    engine = make_engine(clean_database_url)
    with engine.begin() as connection:
        connection.execute(text("ALTER TABLE page ADD COLUMN left_behind integer"))
    engine.dispose()

    with pytest.raises(CommandError, match="left_behind"):
        migrate.check(clean_database_url)


def test_upgrading_what_is_current_changes_nothing(clean_database_url: str) -> None:
    migrate.upgrade(clean_database_url)

    assert revision_at(clean_database_url) == migrate.head()


def test_two_processes_upgrade_at_once(empty_url: str) -> None:
    children = [CHILDREN.Process(target=upgraded_by_a_child, args=(empty_url,)) for _ in range(2)]

    for child in children:
        child.start()
    for child in children:
        child.join(60)

    assert [child.exitcode for child in children] == [0, 0]
    assert tables_at(empty_url) == set(Base.metadata.tables)


def test_a_failed_upgrade_leaves_no_lock_behind(empty_url: str) -> None:
    engine = make_engine(empty_url)
    with engine.begin() as connection:
        connection.execute(text("CREATE TABLE page (id integer)"))

    with pytest.raises(Exception, match="already exists"):
        migrate.upgrade(empty_url)

    with engine.begin() as connection:
        # (Of this database: the server is everybody's, and another test may be upgrading at this moment.)
        held = (
            "SELECT count(*) FROM pg_locks JOIN pg_database ON pg_database.oid = pg_locks.database"
            " WHERE locktype = 'advisory' AND datname = current_database()"
        )
        assert connection.execute(text(held)).scalar_one() == 0
        connection.execute(text("DROP TABLE page"))
    engine.dispose()
    assert tables_at(empty_url) == set()
    migrate.upgrade(empty_url)
    assert tables_at(empty_url) == set(Base.metadata.tables)


def test_a_program_refuses_tables_of_another_revision_and_says_the_way_out(empty_url: str) -> None:
    engine = make_engine(empty_url)
    try:
        with pytest.raises(SchemaNotCurrent, match=r"at revision none.*zhiwen db upgrade"):
            migrate.require_current(engine)
        migrate.upgrade(empty_url)
        migrate.require_current(engine)
        with engine.begin() as connection:
            connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
        with pytest.raises(SchemaNotCurrent, match=r"at revision 9999"):
            migrate.require_current(engine)
    finally:
        engine.dispose()


@pytest.mark.parametrize("path", REVISIONS, ids=lambda path: path.stem)
def test_a_revision_imports_nothing_of_ours_and_can_be_undone(path: Path) -> None:
    tree = ast.parse(path.read_text("utf-8"))
    names = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    names |= {node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    functions = {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}

    assert {name.partition(".")[0] for name in names} & OURS == set()
    assert not isinstance(functions["downgrade"].body[-1], ast.Pass | ast.Raise)


def test_the_files_bear_the_numbers_that_alembic_finds_in_them() -> None:
    script = ScriptDirectory(str(REVISIONS[0].parents[1]))

    in_order = [revision.revision for revision in script.walk_revisions()][::-1]

    assert migrate.revisions() == in_order
    assert migrate.head() == script.get_current_head()
    assert migrate.knows(in_order[0])
    assert not migrate.knows("9999")


def test_there_is_a_revision_to_test() -> None:
    assert REVISIONS
