"""On the way back, what shared a passage is among the copies, as the older program had it."""

from collections.abc import Iterator

import pytest
from sqlalchemy import Engine, text

from storage import migrate
from storage.engine import make_engine
from tests.support.store.new_database import database

BEFORE, AFTER = "0045", "0046"
FILL = """
    INSERT INTO page (id, url, host, found_by, first_seen_at, last_seen_at)
        SELECT g, 'https://h/' || g, 'h', 'search', now(), now() FROM generate_series(1, 2) AS g;
    INSERT INTO "case" (id, our_page_id, other_key, queue) VALUES
        (1, 1, 'host:a', 'shared-passage'), (2, 1, 'host:b', 'agency');
    INSERT INTO case_event (case_id, kind, details) VALUES
        (1, 'opened', '{"queue": "shared-passage"}'), (1, 'queued', '{"queue": "shared-passage"}');
    INSERT INTO search_find (page_id, url, host, title, snippet, services, score, state) VALUES
        (1, 'https://h/2', 'h', '', '', '{}', 0, 'passage'), (1, 'https://h/3', 'h', '', '', '{}', 0, 'no-copy');
"""


@pytest.fixture
def engine(server_url: str) -> Iterator[Engine]:
    with database(server_url) as url:
        migrate.upgrade(url, AFTER)
        engine = make_engine(url)
        yield engine
        engine.dispose()


def test_the_older_program_has_no_list_for_shared_passages(engine: Engine) -> None:
    with engine.begin() as connection:
        connection.exec_driver_sql(FILL)

    migrate.downgrade(engine.url.render_as_string(hide_password=False), BEFORE)

    with engine.begin() as connection:
        assert list(connection.scalars(text('SELECT queue FROM "case" ORDER BY id'))) == ["copied", "agency"]
        assert list(connection.scalars(text("SELECT kind FROM case_event"))) == ["opened"]
        assert list(connection.scalars(text("SELECT state FROM search_find ORDER BY id"))) == ["copy", "no-copy"]
