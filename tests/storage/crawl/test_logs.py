"""Logs of crawls are kept with their runs, and bounded."""

from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import text
from sqlalchemy.orm import Session

from storage.crawl import logs, runs
from storage.sites import sites
from tests.support.factories import a_site

LONG_AGO = datetime(2020, 1, 1, tzinfo=UTC)


@pytest.fixture
def run_ids(session: Session) -> list[int]:
    site = a_site(session, "甲")
    return [runs.start_run(session, site.id, trigger="test") for _ in range(4)]


def keep(session: Session, run_id: int, said: str) -> None:
    logs.keep(session, run_id, said, bytes_left_out=0, most_memory=7)


def kept(session: Session, run_ids: list[int]) -> list[int]:
    return [run_id for run_id in run_ids if logs.get(session, run_id) is not None]


def test_the_log_of_a_run_grows_while_it_goes_on(session: Session, run_ids: list[int]) -> None:
    keep(session, run_ids[0], "one\n")
    logs.keep(session, run_ids[0], "one\ntwo\x00\n", bytes_left_out=5, most_memory=9)

    found = logs.get(session, run_ids[0])
    assert found is not None
    assert (found.text, found.bytes_left_out, found.most_memory) == ("one\ntwo\ufffd\n", 5, 9)


def test_of_a_run_that_is_removed_with_its_site_nothing_is_kept(session: Session, run_ids: list[int]) -> None:
    sites.remove_site(session, "甲")

    keep(session, run_ids[0], "late\n")

    assert kept(session, run_ids) == []


def test_what_is_too_old_and_what_is_too_much_is_dropped_the_oldest_first(session: Session, run_ids: list[int]) -> None:
    for run_id in run_ids:
        keep(session, run_id, 100 * "x")
    session.execute(
        text("UPDATE crawl_log SET written_at = :at WHERE run_id = :id"), {"at": LONG_AGO, "id": run_ids[3]}
    )

    assert logs.drop_old(session, LONG_AGO + timedelta(days=1)) == 1
    assert kept(session, run_ids) == run_ids[:3]
    assert logs.drop_old(session, LONG_AGO, most_bytes=250) == 1
    assert kept(session, run_ids) == run_ids[1:3]
