"""What waits to be compared: each version with one worker, back in the queue when a worker dies."""

from collections.abc import Iterator
from datetime import datetime

import pytest
from sqlalchemy import Engine, func, select, update
from sqlalchemy.orm import Session

from storage.engine import make_engine, transaction
from storage.matches import backlog
from storage.models.pages import Backlog
from storage.records.matches import BacklogItem
from tests.support.factories import an_article, commit, save, text_of
from tests.support.store.store_reads import backlog_failures


@pytest.fixture
def shared(clean_database_url: str) -> Iterator[Engine]:
    """A store with ten versions waiting, seen by several connections."""
    engine = make_engine(clean_database_url)
    commit(engine, [an_article(f"host{number}", text_of(number, chars=40)) for number in range(10)])
    yield engine
    engine.dispose()


def ids(items: list[BacklogItem]) -> set[int]:
    return {item.version_id for item in items}


def delay_s(session: Session, version_id: int) -> int:
    until, now = session.execute(
        select(Backlog.not_before, func.now()).where(Backlog.page_version_id == version_id)
    ).one()
    return round((until - now).total_seconds())


def make_due(session: Session, version_id: int) -> None:
    session.execute(update(Backlog).where(Backlog.page_version_id == version_id).values(not_before=datetime.min))


def test_two_workers_never_have_the_same_version(shared: Engine) -> None:
    with transaction(shared) as one, transaction(shared) as other:
        first, second = ids(backlog.claim(one, limit=6)), ids(backlog.claim(other, limit=6))

        assert (len(first), len(second), first & second) == (6, 4, set())


def test_what_a_worker_held_when_its_connection_broke_waits_again(shared: Engine) -> None:
    worker = shared.connect()
    with Session(worker) as session:
        held = ids(backlog.claim(session, limit=9))
        backlog.done(session, held)
        worker.invalidate()

    with transaction(shared) as session:
        assert len(held) == 9
        assert ids(backlog.claim(session, limit=20)) >= held
        assert backlog.waiting(session) == 10


def test_what_is_done_is_gone_once_the_worker_commits(shared: Engine) -> None:
    with transaction(shared) as session:
        held = ids(backlog.claim(session, limit=3))
        backlog.done(session, held)

    with transaction(shared) as session:
        assert len(backlog.claim(session, limit=20)) == 7
        assert ids(backlog.claim(session, limit=20)) & held == set()


def test_the_oldest_comes_first_and_tells_its_page_and_text(session: Session) -> None:
    first, second = (save(session, an_article(f"host{number}", text_of(number)))[0] for number in range(2))
    make_due(session, second.version_id)

    items = backlog.claim(session, limit=5)

    assert [(item.version_id, item.page_id, item.text_id, item.attempts) for item in items] == [
        (one.version_id, one.page_id, one.text_id, 0) for one in (second, first)
    ]


def test_each_failure_doubles_the_wait_up_to_a_bound_and_keeps_its_reason(session: Session) -> None:
    (saved,) = save(session, an_article("one", text_of(1)))
    delays = []
    for number in range(12):
        backlog.push_ahead(session, saved.version_id, f"错误 {number} " + "x" * 9_999)
        delays.append(delay_s(session, saved.version_id))

    assert backlog.claim(session, limit=5) == []
    assert delays[:4] == [30, 60, 120, 240]
    assert delays[-2:] == [6 * 3600, 6 * 3600]
    ((version_id, attempts, error),) = backlog_failures(session)
    assert (version_id, attempts, len(error)) == (saved.version_id, 12, 500)
    assert error.startswith("错误 11 ")


def test_a_version_that_failed_is_claimed_when_its_time_has_come(session: Session) -> None:
    (saved,) = save(session, an_article("one", text_of(1)))
    backlog.push_ahead(session, saved.version_id, "ValueError: 坏")
    make_due(session, saved.version_id)

    (item,) = backlog.claim(session, limit=5)

    assert (item.version_id, item.attempts) == (saved.version_id, 1)
    assert backlog.waiting(session) == 1


def test_an_error_with_characters_that_postgres_cannot_hold_is_kept_all_the_same(session: Session) -> None:
    (saved,) = save(session, an_article("one", text_of(1)))

    backlog.push_ahead(session, saved.version_id, "bad\0text\ud800")

    assert [error for _, _, error in backlog_failures(session)] == ["bad\ufffdtext\ufffd"]


def test_claiming_from_nothing_gives_nothing(session: Session) -> None:
    assert backlog.claim(session, limit=5) == []
    assert backlog.waiting(session) == 0
    assert backlog_failures(session) == []
    backlog.done(session, [])
