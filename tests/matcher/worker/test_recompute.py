"""A store whose texts were read by an older version of the program."""

from collections.abc import Iterator

import pytest
from sqlalchemy import Engine, text

from fingerprint.model import ALGORITHM_VERSION
from matcher.comparison.check import NothingToCompareWith, compared_with
from matcher.worker.backlog import work_off
from matcher.worker.recompute import bring_up_to_date
from storage import migrate
from storage.engine import make_engine, transaction
from storage.fingerprints import recompute
from storage.matches.hits import count_hits
from tests.support.factories import an_article, commit, story
from tests.support.store.new_database import database

COPY = "转载的网站自己写的一句开场白，和原文没有关系。\n" + story()


def never() -> bool:
    return False


@pytest.fixture
def outdated(clean_database_url: str) -> Iterator[Engine]:
    """Two texts, one a copy of the other, compared, whose fingerprints are then those of an older version."""
    engine = make_engine(clean_database_url)
    commit(engine, [an_article("https://a.example/1", story()), an_article("https://b.example/1", COPY)])
    work_off(engine, should_stop=never)
    with transaction(engine) as session:
        assert count_hits(session) == 1
        session.execute(text("DELETE FROM fingerprint"))
        recompute.ask_for_all(session)
    yield engine
    engine.dispose()


def test_nothing_is_called_original_while_texts_wait(outdated: Engine) -> None:
    with (
        transaction(outdated) as session,
        pytest.raises(NothingToCompareWith, match=r"2 stored.*zhiwen recompute"),
    ):
        compared_with(session)


def test_every_text_gets_its_fingerprint_and_is_compared_again(outdated: Engine) -> None:
    assert bring_up_to_date(outdated, should_stop=never) == 2

    with transaction(outdated) as session:
        assert recompute.waiting(session) == 0
        versions = session.execute(text("SELECT algorithm_version, cardinality(seeds) > 0 FROM fingerprint")).all()
        assert versions == [(ALGORITHM_VERSION, True)] * 2
        assert compared_with(session).texts == 2
    assert work_off(outdated, should_stop=never).compared == 2
    with transaction(outdated) as session:
        assert count_hits(session) == 1


def test_matching_reads_waiting_texts_first(outdated: Engine) -> None:
    assert work_off(outdated, should_stop=never).compared == 2
    with transaction(outdated) as session:
        assert (recompute.waiting(session), count_hits(session)) == (0, 1)


def test_an_interrupted_recompute_goes_on_where_it_stopped(outdated: Engine) -> None:
    assert bring_up_to_date(outdated, should_stop=lambda: True) == 0
    with transaction(outdated) as session:
        assert recompute.waiting(session) == 2
    assert bring_up_to_date(outdated, should_stop=never) == 2
    assert bring_up_to_date(outdated, should_stop=never) == 0


def test_another_process_holds_the_last_text(outdated: Engine) -> None:
    """Who finds nothing to claim waits for whoever holds the rest, and does it if the other one dies."""
    other = make_engine(outdated.url.render_as_string(hide_password=False))
    held = other.connect()
    held.begin()
    held.execute(text("SELECT text_id FROM recompute ORDER BY text_id LIMIT 1 FOR UPDATE"))
    calls = []

    def released_after_a_while() -> bool:
        calls.append(1)
        if len(calls) == 3:
            held.close()
        return False

    assert bring_up_to_date(outdated, should_stop=released_after_a_while) == 2
    assert len(calls) > 3
    other.dispose()


def test_migrating_from_version_1_puts_every_text_in_line_and_keeps_matches(server_url: str) -> None:
    with database(server_url) as url:
        migrate.upgrade(url, "0002")
        engine = make_engine(url)
        with engine.begin() as connection:
            for number in (1, 2):
                connection.execute(
                    text("INSERT INTO text (sha256, body, chars) VALUES (:digest, :body, 4)"),
                    {"digest": bytes([number]) * 32, "body": f"正文之{number}"},
                )
            connection.execute(
                text(
                    "INSERT INTO fingerprint (text_id, algorithm_version, feature_count, unit_count, slices, seeds) "
                    "SELECT id, 1, 1, 1, '{9223372036854775807}', '{1}' FROM text"
                )
            )
            connection.execute(
                text(
                    "INSERT INTO match (low_text_id, high_text_id, algorithm_version, kind, score, low_share, "
                    "high_share, longest, passages, evidence) "
                    "SELECT min(id), max(id), 1, 'near', 1, 1, 1, 4, '[]', '{}' FROM text"
                )
            )
        migrate.upgrade(url)
        with engine.begin() as connection:
            assert connection.execute(text("SELECT count(*) FROM recompute")).scalar_one() == 2
            assert connection.execute(text("SELECT count(*) FROM fingerprint")).scalar_one() == 0
            assert connection.execute(text("SELECT algorithm_version FROM match")).scalar_one() == 2
        assert bring_up_to_date(engine, should_stop=never) == 2
        engine.dispose()
        migrate.downgrade(url, "0002")
