"""Waiting for a database that is away, and for nothing else."""

import threading

import pytest
from sqlalchemy import Engine, text

from storage.engine import make_engine, transaction
from storage.errors import StoreFailed
from storage.postgres.retry import retry_while_unavailable

END_OURSELVES = text("SELECT pg_terminate_backend(pg_backend_pid())")


def test_a_lost_connection_is_made_again_and_the_work_done_whole(engine: Engine) -> None:
    tries: list[int] = []

    def work() -> int:
        tries.append(len(tries))
        with transaction(engine) as session:
            session.execute(text("CREATE TABLE once (number integer)"))
            if len(tries) == 1:
                session.execute(END_OURSELVES)
            return int(session.execute(text("SELECT count(*) FROM once")).scalar_one())

    assert retry_while_unavailable(work, stop=threading.Event()) == 0
    assert len(tries) == 2


def test_what_waiting_does_not_help_fails_at_once_with_the_way_out(engine: Engine) -> None:
    tries: list[int] = []

    def work() -> None:
        tries.append(1)
        with transaction(engine) as session:
            # As Postgres says it when the disk is full.
            session.execute(text("DO $$ BEGIN RAISE SQLSTATE '53100' USING MESSAGE = 'no space left'; END $$"))

    with pytest.raises(StoreFailed, match=r"no space left.*run it again"):
        retry_while_unavailable(work, stop=threading.Event())
    assert len(tries) == 1


def test_who_is_to_stop_does_not_wait() -> None:
    nowhere = make_engine("postgresql+psycopg2://zhiwen@/none?host=/nowhere")
    stop = threading.Event()
    stop.set()

    def work() -> None:
        with transaction(nowhere) as session:
            session.execute(text("SELECT 1"))

    with pytest.raises(StoreFailed):
        retry_while_unavailable(work, stop=stop)
    nowhere.dispose()


def test_an_outage_has_its_limit() -> None:
    nowhere = make_engine("postgresql+psycopg2://zhiwen@/none?host=/nowhere")
    tries: list[int] = []

    def work() -> None:
        tries.append(1)
        with transaction(nowhere) as session:
            session.execute(text("SELECT 1"))

    with pytest.raises(StoreFailed):
        retry_while_unavailable(work, stop=threading.Event(), longest_s=0.3)
    assert len(tries) > 1
    nowhere.dispose()
