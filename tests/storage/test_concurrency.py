"""Several processes at the same store: nothing doubles, nothing is lost, nobody waits for ever."""

import random
import threading
from collections.abc import Callable, Iterator
from multiprocessing.synchronize import Barrier

import pytest
from sqlalchemy import Engine, func, select, text

from crawler.processes import fork_server
from storage.engine import make_engine, transaction
from storage.matches import backlog
from storage.models.pages import Backlog, Page, PageVersion, StoredFingerprint, Text
from storage.pages import pages
from storage.pages import saving as page_saving
from storage.sites import sites
from tests.support.factories import a_site, an_article, commit, save, text_of

CHILDREN = fork_server.children("tests.support.factories", "psycopg2")
ROUNDS = 12
STARTED_S = 30
"""How long a child may take to start, and a thread to end, before the test gives up."""


@pytest.fixture
def shared(clean_database_url: str) -> Iterator[Engine]:
    engine = make_engine(clean_database_url)
    yield engine
    engine.dispose()


def save_overlapping_batches(url: str, seed: int, start: Barrier) -> None:
    """Twelve batches of twenty pages with thirty texts between them, in an order of this process's own."""
    chosen = random.Random(seed)  # noqa: S311  # repeatable, nothing secret
    engine = make_engine(url)
    start.wait(STARTED_S)
    for number in range(ROUNDS):
        hosts = chosen.sample(range(30), 20)
        commit(engine, [an_article(f"host{host}", text_of((host + number) % 30, chars=80)) for host in hosts])
    engine.dispose()


def wait_for_a_blocked_session(engine: Engine) -> None:
    """Returns once somebody waits for a lock that this test holds."""
    waiting = text(
        "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
    )
    for _ in range(1_000):
        with engine.connect() as connection:
            if connection.execute(waiting).scalar_one():
                return
            connection.execute(text("SELECT pg_sleep(0.01)"))
    pytest.fail("nobody waits")


class Aside(threading.Thread):
    """Does something in a thread of its own and keeps what went wrong."""

    def __init__(self, action: Callable[[], object]) -> None:
        super().__init__()
        self.action = action
        self.error: BaseException | None = None
        self.start()

    def run(self) -> None:
        try:
            self.action()
        except BaseException as error:  # kept, and raised by `finish`
            self.error = error

    def finish(self) -> None:
        self.join(STARTED_S)
        assert not self.is_alive()
        if self.error is not None:
            raise self.error


def test_two_processes_saving_overlapping_batches_neither_deadlock_nor_double(
    shared: Engine, clean_database_url: str
) -> None:
    start = CHILDREN.Barrier(2)
    children = [
        CHILDREN.Process(target=save_overlapping_batches, args=(clean_database_url, seed, start)) for seed in (1, 2)
    ]
    for child in children:
        child.start()
    for child in children:
        child.join(STARTED_S)

    assert [child.exitcode for child in children] == [0, 0]
    with transaction(shared) as session:
        current = select(PageVersion.page_id, func.count()).where(PageVersion.is_current).group_by(PageVersion.page_id)
        assert session.scalar(select(func.count()).select_from(Page)) == 30
        assert [number for _, number in session.execute(current)] == [1] * 30
        bodies = list(session.scalars(select(Text.body)))
        assert sorted(bodies) == sorted(set(bodies))
        assert session.scalar(select(func.count()).select_from(StoredFingerprint)) == len(bodies)
        versions = set(session.scalars(select(PageVersion.id)))
        assert set(session.scalars(select(Backlog.page_version_id))) == versions


def test_the_same_new_page_saved_twice_at_once_is_one_page(shared: Engine) -> None:
    with transaction(shared) as session:
        save(session, an_article("one", text_of(1)))
        other = Aside(lambda: commit(shared, [an_article("one", text_of(1), hours=1)]))
        wait_for_a_blocked_session(shared)
    other.finish()

    with transaction(shared) as session:
        assert session.scalar(select(func.count()).select_from(PageVersion)) == 1
        assert backlog.waiting(session) == 1


def test_of_two_texts_saved_at_once_for_one_page_the_later_is_current(shared: Engine) -> None:
    commit(shared, [an_article("one", text_of(0))])
    with transaction(shared) as session:
        save(session, an_article("one", text_of(1)))
        other = Aside(lambda: commit(shared, [an_article("one", text_of(2), hours=1)]))
        wait_for_a_blocked_session(shared)
    other.finish()

    with transaction(shared) as session:
        bodies = select(Text.body).join(PageVersion).where(PageVersion.is_current)
        assert list(session.scalars(bodies)) == [text_of(2)]
        assert backlog.waiting(session) == 3


def test_a_text_is_kept_that_somebody_saves_while_its_only_page_is_removed(shared: Engine) -> None:
    commit(shared, [an_article("one", text_of(1))])

    def remove() -> None:
        with transaction(shared) as session:
            page_saving.remove_page(session, "https://one.example/a")

    with transaction(shared) as session:
        save(session, an_article("other", text_of(1)))
        removal = Aside(remove)
        wait_for_a_blocked_session(shared)
    removal.finish()

    with transaction(shared) as session:
        assert [page.host for page in pages.list_pages(session)] == ["other.example"]
        assert session.scalar(select(func.count()).select_from(StoredFingerprint)) == 1


def test_a_text_is_stored_anew_by_whoever_saves_it_while_it_is_removed(shared: Engine) -> None:
    with transaction(shared) as session:
        site = a_site(session, "甲")
        save(session, an_article("one", text_of(1), site_id=site.id))

    with transaction(shared) as session:
        sites.remove_site(session, "甲")
        saving = Aside(lambda: commit(shared, [an_article("other", text_of(1))]))
        wait_for_a_blocked_session(shared)
    saving.finish()

    with transaction(shared) as session:
        assert list(session.scalars(select(Text.body))) == [text_of(1)]
        assert session.scalar(select(func.count()).select_from(StoredFingerprint)) == 1


def test_a_version_that_returns_while_a_worker_sets_it_aside_as_outdated_is_compared_again(shared: Engine) -> None:
    (first,) = commit(shared, [an_article("one", text_of(1))])
    commit(shared, [an_article("one", text_of(2), hours=1)])

    with transaction(shared) as worker:
        assert first.version_id in {item.version_id for item in backlog.claim(worker, limit=9)}
        returning = Aside(lambda: commit(shared, [an_article("one", text_of(1), hours=2)]))
        wait_for_a_blocked_session(shared)
        backlog.done(worker, [first.version_id])
    returning.finish()

    with transaction(shared) as session:
        assert first.version_id in set(session.scalars(select(Backlog.page_version_id)))
