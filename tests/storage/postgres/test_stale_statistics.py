"""No page of the desk and no check hangs on fresh statistics: asserted on rows read, never on time."""

from collections.abc import Iterator
from dataclasses import dataclass

import pytest
from sqlalchemy import Engine, delete, select, text

from benchmarks.desk.asked import asked_of
from benchmarks.desk.case_rows import CaseRows
from benchmarks.desk.fill import fill
from benchmarks.desk.measure import logged_in
from benchmarks.desk.world import World
from matcher.comparison.check import compared_with
from storage.analytics import row_counts
from storage.base import Base
from storage.engine import make_engine, transaction
from storage.models.pages import Recompute, Text
from storage.postgres import statistics
from storage.postgres.copy_rows import unattended
from tests.support.cases import store_case
from tests.support.store.new_database import database
from tests.support.store.statement_plans import asked

WORLD = World(pages=3_000, matches=1_000, seed=5)
MOST_TOUCHED = 300 * WORLD.matches
"""Some tens of steps for each hit, and a search among the nearest. A join of all with all has millions."""
BESIDE = ("/health", "/health/finds", "/metrics", "/analysis", "/analysis/thresholds", "/analysis/precision")

_AS_IMPORTED = "UPDATE page SET found_by = 'import'"
_AS_CRAWLED = "UPDATE page SET found_by = 'spider', first_seen_at = now() - interval '1 day' WHERE id % 10 > 0"
_NUMBERED_FROM_ONE = text("SELECT setval(pg_get_serial_sequence(:name, 'id'), 1, false)")
MANY_TEXTS = """INSERT INTO text (id, sha256, body, chars)
    SELECT 100000 + n, sha256(convert_to(n::text, 'UTF8')), '文', 1 FROM generate_series(1, :many) n"""
STALE = {
    "looked at when nearly empty": (_AS_IMPORTED, _AS_CRAWLED),
    "looked at before the first crawl": (_AS_IMPORTED, "ANALYZE page, page_version", _AS_CRAWLED),
}


@dataclass(frozen=True)
class Filled:
    url: str
    cases: CaseRows


@pytest.fixture(scope="module")
def filled(server_url: str, template_url: str) -> Iterator[Filled]:
    """A store that was analysed when it held one case."""
    with database(server_url, template=template_url) as url:
        engine = make_engine(url)
        with transaction(engine) as session:
            unattended(session)
        store_case(engine)
        with transaction(engine) as session:
            session.execute(text("ANALYZE"))
            for table in reversed(Base.metadata.sorted_tables):
                session.execute(delete(table))
                if "id" in table.columns:
                    session.execute(_NUMBERED_FROM_ONE, {"name": f'"{table.name}"'})
        cases = fill(engine, WORLD, progress=lambda *_: None, settled=False)
        with transaction(engine) as session:
            session.execute(text("UPDATE case_page SET found_at = now()"))
        engine.dispose()
        yield Filled(url, cases)


@pytest.fixture
def stale_engine(server_url: str, filled: Filled, request: pytest.FixtureRequest) -> Iterator[Engine]:
    with database(server_url, template=filled.url) as url:
        engine = make_engine(url)
        with engine.begin() as connection:
            for statement in STALE[request.param]:
                connection.execute(text(statement))
        yield engine
        engine.dispose()


@pytest.mark.parametrize("stale_engine", STALE, indirect=True)
def test_every_page_of_the_desk_reads_a_bounded_number_of_rows(stale_engine: Engine, filled: Filled) -> None:
    """D12: overview and health joined 25 crawled pages with everything that was imported, 5.5 million rows."""
    client = logged_in(stale_engine)
    paths = [*(one.path for one in asked_of(WORLD, filled.cases)), *BESIDE]
    too_much: dict[tuple[str, str], int] = {}
    with asked(stale_engine) as noted:
        for path in paths:
            noted.statements.clear()
            assert client.get(path).status_code == 200, path
            statements = list(noted.statements)
            with stale_engine.connect() as connection:
                touched = type(noted)(statements).rows_touched(connection)
            too_much |= {(path, sql): rows for sql, rows in touched.items() if rows > MOST_TOUCHED}

    assert not too_much


@pytest.mark.parametrize("stale_engine", STALE, indirect=True)
def test_what_a_check_is_made_against_is_told_without_reading_the_store(stale_engine: Engine) -> None:
    with transaction(stale_engine) as session:
        # As in a store where texts are many: a quarter more rows than are counted.
        session.execute(
            text(MANY_TEXTS),
            {"many": 3 * row_counts.EXACT_BELOW},
        )
    with asked(stale_engine) as noted, transaction(stale_engine) as session:
        found = compared_with(session)
    with stale_engine.connect() as connection:
        touched = noted.rows_touched(connection)

    assert found.is_estimate
    assert found.texts >= row_counts.EXACT_BELOW
    assert found.newest is not None
    assert len(touched) == 1
    # The plan handles each row twice: it reads it, and counts it.
    assert sum(touched.values()) <= 2 * row_counts.EXACT_BELOW + 10 * WORLD.sites + 100


@pytest.mark.usefixtures("clean_database_url")
def test_after_an_import_a_large_store_knows_about_how_many_texts_it_has(engine: Engine) -> None:
    many = 3 * row_counts.EXACT_BELOW
    with transaction(engine) as session:
        unattended(session)
        session.execute(
            text(MANY_TEXTS),
            {"many": many},
        )

    assert statistics.refresh(engine) == ["text"]
    assert statistics.refresh(engine) == []

    with transaction(engine) as session:
        found = row_counts.amount(session, Text)
        assert found.is_estimate
        assert found.number == pytest.approx(many, rel=0.02)


@pytest.mark.usefixtures("clean_database_url")
def test_an_index_made_after_the_rows_does_not_pass_for_statistics(engine: Engine) -> None:
    with transaction(engine) as session:
        session.execute(text(MANY_TEXTS), {"many": 2_000})
        session.execute(text("REINDEX TABLE text"))
        # Not before: Postgres 18 leaves the counters of a table alone whose autovacuum is off.
        unattended(session)
        counted = session.scalar(text("SELECT reltuples FROM pg_class WHERE relname = 'text'"))

    assert counted == 2_000, "as after an ANALYZE, but nothing is known of the columns"
    assert statistics.refresh(engine) == ["text"]
    assert statistics.refresh(engine) == []
    with transaction(engine) as session:
        session.execute(text("DELETE FROM text"))
        session.execute(text("ANALYZE text"))
    assert statistics.refresh(engine) == []


@pytest.mark.usefixtures("clean_database_url")
def test_a_store_is_readable_from_its_first_fingerprint_on(engine: Engine) -> None:
    with transaction(engine) as session:
        session.execute(text(MANY_TEXTS), {"many": 6_000})
        session.execute(text("INSERT INTO recompute SELECT id FROM text"))
        assert not row_counts.check_basis(session).is_readable

        first = session.scalar(select(Recompute.text_id).order_by(Recompute.text_id))
        session.execute(text("DELETE FROM recompute WHERE text_id = :first"), {"first": first})

        assert row_counts.check_basis(session).is_readable


@pytest.mark.usefixtures("clean_database_url")
def test_texts_no_longer_wait_once_the_queue_is_empty_whatever_the_statistics_say(engine: Engine) -> None:
    with transaction(engine) as session:
        unattended(session)
        session.execute(text(MANY_TEXTS), {"many": 2 * row_counts.EXACT_BELOW})
        session.execute(text("INSERT INTO recompute SELECT id FROM text"))
    statistics.refresh(engine)
    with transaction(engine) as session:
        session.execute(text("ANALYZE recompute"))
        waiting = row_counts.check_basis(session).waiting
        assert waiting.is_estimate
        assert waiting.number == pytest.approx(2 * row_counts.EXACT_BELOW, rel=0.02)

        session.execute(text("DELETE FROM recompute"))

        assert row_counts.check_basis(session).waiting == row_counts.Amount(0)
        assert row_counts.check_basis(session).is_readable
