"""Cases from before the desk get the figures of their pages, and their history survives the way back."""

from collections.abc import Iterator

import pytest
from sqlalchemy import Engine, text

from storage import migrate
from storage.engine import make_engine
from tests.support.store.new_database import database

BEFORE = "0009"
FILL = """
    INSERT INTO text (id, sha256, body, chars) SELECT g, sha256(g::text::bytea), 'x', 1 FROM generate_series(1, 3) AS g;
    INSERT INTO page (id, url, host, found_by, first_seen_at, last_seen_at)
        SELECT g, 'https://h/' || g, 'h', 'spider', now(), now() FROM generate_series(1, 3) AS g;
    INSERT INTO match (id, low_text_id, high_text_id, algorithm_version, kind, score, low_share, high_share, longest,
        passages, evidence) VALUES (1, 1, 3, 1, 'near', 0.5, 1, 1, 9, '[]', '{}'),
        (2, 1, 3, 2, 'near', 0.8, 1, 1, 9, '[]', '{}');
    INSERT INTO "case" (id, our_page_id, other_key, queue)
        VALUES (1, 1, 'host:a', 'copied'), (2, 2, 'host:b', 'copied');
    INSERT INTO case_event (case_id, kind, to_state) VALUES (1, 'opened', 'new');
    INSERT INTO case_page (case_id, their_page_id, our_text_id, their_text_id, kind, chars, our_share, their_share,
        credit, standing, gone_at) VALUES
        (1, 2, 1, 2, 'excerpt', 100, 0.2, 0.3, 'named', 'breach', NULL),
        (1, 3, 1, 3, 'near', 700, 0.9, 0.8, 'linked', 'licensed', NULL),
        (2, 3, 2, 3, 'near', 700, 0.9, 0.8, 'none', 'unlicensed', now());
"""
FIGURES = 'SELECT pages, chars, our_share, kind, credit, standing, score FROM "case" ORDER BY id'


@pytest.fixture
def engine(server_url: str) -> Iterator[Engine]:
    with database(server_url) as url:
        migrate.upgrade(url, BEFORE)
        engine = make_engine(url)
        yield engine
        engine.dispose()


def test_cases_that_are_there_get_their_figures(engine: Engine) -> None:
    url = engine.url.render_as_string(hide_password=False)
    with engine.begin() as connection:
        connection.exec_driver_sql(FILL)

    migrate.upgrade(url, "0010")
    with engine.begin() as connection:
        assert [tuple(row) for row in connection.execute(text(FIGURES))] == [
            (2, 700, 0.9, "near", "named", "breach", 0.8),
            (0, 0, 0.0, None, None, None, None),
        ]
        connection.exec_driver_sql("INSERT INTO case_event (case_id, kind) VALUES (1, 'undone')")

    migrate.downgrade(url, BEFORE)
    with engine.begin() as connection:
        kinds = connection.execute(text("SELECT kind FROM case_event"))
        assert [row.kind for row in kinds] == ["opened"], "what the older program does not know is left out"
