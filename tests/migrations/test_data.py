"""A store that is filled at every earlier revision comes through to the newest with every row as it was."""

from collections.abc import Iterator

import pytest
from sqlalchemy import Engine, text

from storage import migrate
from storage.engine import make_engine
from tests.migrations.test_schema import REVISIONS
from tests.support.store.filled_store import Kept, columns_by_table, fill, is_full, row_of
from tests.support.store.new_database import database

READ_ANEW = "0003"
"""It drops all fingerprints, puts every text in line for a new one, and takes matches for those of the new version."""

SAID_TO_GO = {(revision, "fingerprint") for revision in ("0001", "0002")}
COUNTED_IN_OURS = "0023"
"""It counts how much was taken in our text, and sums cases up again."""
_FIGURES = {"case_page": ("chars", "our_share"), "case": ("chars", "our_share", "their_share", "kind", "score")}
SAID_TO_CHANGE = {(revision, "match", "algorithm_version") for revision in ("0001", "0002")} | {
    (path.name[:4], table, name)
    for path in REVISIONS
    if path.name[:4] < COUNTED_IN_OURS
    for table, names in _FIGURES.items()
    for name in names
}


@pytest.fixture(scope="module")
def through(server_url: str) -> Iterator[tuple[Engine, list[Kept]]]:
    """One store, filled at each revision and brought to the next with all that it then holds."""
    with database(server_url) as url:
        engine = make_engine(url)
        kept: list[Kept] = []
        for number, path in enumerate(REVISIONS):
            revision = path.name[:4]
            migrate.upgrade(url, revision)
            kept += fill(engine, revision, number=number)
            engine.dispose()
        yield engine, kept
        engine.dispose()


def test_every_table_of_every_revision_was_filled(through: tuple[Engine, list[Kept]]) -> None:
    engine, kept = through
    head = migrate.head()
    assert migrate.current(engine) == head
    assert {one.revision for one in kept} == {path.name[:4] for path in REVISIONS}
    with engine.connect() as connection:
        tables = columns_by_table(connection)
        full = {one.table for one in kept if one.table in tables and is_full(connection, one.table, tables[one.table])}
        assert {one.table for one in kept if one.revision == head} | full == set(tables)


def test_every_row_is_there_and_as_it_was(through: tuple[Engine, list[Kept]]) -> None:
    engine, kept = through
    lost, changed = [], []
    with engine.connect() as connection:
        tables = columns_by_table(connection)
        for one in kept:
            if one.table not in tables:
                lost.append((one.revision, one.table))
                continue
            now = row_of(connection, one)
            if now is None:
                lost.append((one.revision, one.table))
                continue
            changed += [
                (one.revision, one.table, name, value, now[name])
                for name, value in one.values.items()
                if name in now and now[name] != value
            ]
    assert set(lost) == SAID_TO_GO
    assert {one[:3] for one in changed} - SAID_TO_CHANGE == set(), changed


def test_what_lost_its_fingerprint_waits_for_another(through: tuple[Engine, list[Kept]]) -> None:
    engine, kept = through
    without = {one.values["text_id"] for one in kept if (one.revision, one.table) in SAID_TO_GO}
    with engine.connect() as connection:
        waiting = set(connection.execute(text("SELECT text_id FROM recompute")).scalars())
    assert without
    assert without <= waiting
