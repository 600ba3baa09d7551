"""Stores from before how much was taken was counted in our text: figures mended, decisions kept, changes listed."""

from collections.abc import Iterator

import pytest
from sqlalchemy import Engine, text

from storage import migrate
from storage.engine import make_engine
from tests.support.store.new_database import database

BEFORE, AFTER = "0022", "0023"
PASSAGE = '{{"left_start": {}, "left_end": {}, "right_start": {}, "right_end": {}, "is_boilerplate": {}}}'
FORTH = ", ".join((PASSAGE.format(0, 40, 100, 160, "false"), PASSAGE.format(30, 70, 200, 280, "false"),
                   PASSAGE.format(80, 100, 300, 320, "true")))  # fmt: skip
BACK = PASSAGE.format(0, 90, 10, 50, "false")
FILL = f"""
    INSERT INTO text (id, sha256, body, chars) 
        SELECT g, sha256(g::text::bytea), 'x', CASE g WHEN 3 THEN 400 ELSE 100 END FROM generate_series(1, 9) AS g;
    INSERT INTO page (id, url, host, found_by, first_seen_at, last_seen_at)
        SELECT g, 'https://h/' || g, 'h', 'spider', now(), now() FROM generate_series(1, 9) AS g;
    INSERT INTO page_version (id, page_id, text_id, fetched_at, is_current, published_precision, published_origin,
        rights) SELECT g, g, g, now(), true, 'none', 'none', 'own' FROM generate_series(1, 9) AS g;
    INSERT INTO match (id, low_text_id, high_text_id, algorithm_version, kind, score, low_share, high_share, longest,
        passages, evidence) VALUES (1, 1, 3, 2, 'near', 0.8, 0.7, 0.5, 60, '[{FORTH}]', '{{}}'),
        (2, 2, 4, 2, 'near', 0.8, 0.9, 0.4, 60, '[{BACK}]', '{{}}');
    INSERT INTO "case" (id, our_page_id, other_key, queue, state, touched, chars, our_share) VALUES
        (1, 1, 'host:a', 'copied', 'new', false, 200, 0.7), (2, 4, 'host:b', 'copied', 'confirmed', true, 90, 0.4),
        (3, 5, 'host:c', 'copied', 'dismissed', true, 250, 0.3), (4, 7, 'host:d', 'copied', 'notified', true, 60, 0.6);
    INSERT INTO case_page (case_id, their_page_id, our_text_id, their_text_id, kind, chars, our_share, their_share,
        credit, standing, gone_at) VALUES
        (1, 3, 1, 3, 'near', 200, 0.7, 0.5, 'none', 'unlicensed', NULL),
        (2, 2, 4, 2, 'near', 90, 0.4, 0.9, 'none', 'unlicensed', NULL),
        (3, 6, 5, 6, 'near', 250, 0.3, 0.8, 'none', 'unlicensed', now()),
        (4, 8, 7, 8, 'near', 60, 0.6, 0.6, 'none', 'unlicensed', NULL);
"""  # noqa: S608  # no value from outside
CASES = 'SELECT state, chars, our_share FROM "case" ORDER BY id'


@pytest.fixture
def engine(server_url: str) -> Iterator[Engine]:
    with database(server_url) as url:
        migrate.upgrade(url, BEFORE)
        engine = make_engine(url)
        with engine.begin() as connection:
            connection.exec_driver_sql(FILL)
        yield engine
        engine.dispose()


def rows(engine: Engine, statement: str) -> list[tuple[object, ...]]:
    with engine.connect() as connection:
        return [tuple(row) for row in connection.execute(text(statement))]


def test_figures_are_counted_in_our_text_and_decisions_stay(engine: Engine) -> None:
    migrate.upgrade(engine.url.render_as_string(hide_password=False), AFTER)

    assert rows(engine, CASES) == [
        ("new", 70, 0.7),
        ("confirmed", 40, 0.4),
        ("dismissed", 30, 0.3),
        ("notified", 60, 0.6),
    ], "overlapping passages count once, boilerplate not at all; ours is the text that the case says is ours"
    changes = rows(engine, "SELECT case_id, details FROM case_event WHERE kind = 'figures' ORDER BY case_id")
    assert changes == [
        (2, {"chars": [90, 40], "our_share": [0.4, 0.4]}),
        (3, {"chars": [250, 30], "our_share": [0.3, 0.3]}),
    ], "of what was decided every change is told, and of no other"
    assert rows(engine, "SELECT page_version_id FROM backlog") == [(1,)], "what waits is compared again"


def test_the_way_back_counts_in_theirs_as_the_older_program_does(engine: Engine) -> None:
    url = engine.url.render_as_string(hide_password=False)
    before = rows(engine, "SELECT chars, our_share FROM case_page ORDER BY id")

    migrate.upgrade(url, AFTER)
    migrate.downgrade(url, BEFORE)

    assert rows(engine, "SELECT chars, our_share FROM case_page ORDER BY id")[:2] == before[:2]
    assert rows(engine, "SELECT * FROM case_event") == []
