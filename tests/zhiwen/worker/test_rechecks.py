"""Rechecks of copies: the result for each kind of page, and of two rechecks in a row."""

import ipaddress
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from sqlalchemy import Engine, select, text

from crawler.extraction.page_reader import page_reader
from storage.cases import actions, detail
from storage.engine import make_engine, transaction
from storage.jobs import queue
from storage.models.alerts import AlertEvent
from storage.pages import pages
from storage.records.alerts import AlertKind
from storage.records.copy_states import RECHECKS_APART
from storage.records.sites import SiteSettings
from storage.sites import sites
from storage.takedowns import page_presence, recaptures
from storage.types import CaseEventKind, CaseState, CopyState, Rights, SiteRole
from tests.fake_web import become, served
from tests.fake_web.notices import SAY_IT_IS_GONE, STAND_IN_THE_WAY
from tests.support.case_actions import state_of
from zhiwen.config.settings import Settings
from zhiwen.imports.suspects import NotTaken, Suspects
from zhiwen.worker.jobs import Jobs
from zhiwen.worker.scheduler import tick

LOOPBACK = (ipaddress.ip_network("127.0.0.0/8"),)
OURS, THEIRS = "/news/1", "/news/1"


@pytest.fixture(scope="module")
def ours() -> Iterator[str]:
    with served() as base:
        yield base


@pytest.fixture
def theirs() -> Iterator[str]:
    with served() as base:
        yield base


@pytest.fixture
def work(
    clean_database_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ours: str, theirs: str
) -> Iterator[Jobs]:
    """With a confirmed case: our article, and a page that a person added by hand, of a site that is not crawled."""
    monkeypatch.setenv("PATH", str(tmp_path))  # no browser, no pictures
    engine = make_engine(clean_database_url)
    done = Jobs(Settings(tmp_path, allowed_networks=LOOPBACK), engine, clean_database_url)
    with transaction(engine) as session:
        host = urlsplit(ours).netloc
        role, rights = SiteRole.ORIGINAL, Rights.OWN
        sites.add_site(session, SiteSettings("mine", (f"{ours}/",), (host,), role=role, rights=rights))
    with page_reader("Asia/Shanghai") as read_page:
        for url in (f"{ours}{OURS}", f"{theirs}{THEIRS}"):
            Suspects(engine, done.settings, read_page, "lin").add_url(url)
    done.match()
    done.capture()
    decide(engine, CaseState.CONFIRMED)
    yield done
    engine.dispose()


def decide(engine: Engine, state: CaseState) -> None:
    with engine.begin() as connection:
        connection.execute(text('UPDATE "case" SET state = :state, touched = true'), {"state": state.value})


def hours_pass(engine: Engine, hours: float) -> None:
    """As if what happened so far had happened earlier: the pages are real, only the clock is not waited for."""
    with engine.begin() as connection:
        connection.execute(
            text(
                """UPDATE case_capture SET at = at - make_interval(secs => :seconds),
                since = since - make_interval(secs => :seconds),
                missing_since = missing_since - make_interval(secs => :seconds)"""
            ),
            {"seconds": hours * 3_600},
        )


def look(work: Jobs, theirs: str, become_: str | None = None, *, hours: float = 24.0) -> CopyState:
    if become_ is not None:
        become(theirs, THEIRS, become_)
    hours_pass(work.engine, hours)
    work.recheck()
    return copy_state(work.engine, theirs)


def copy_state(engine: Engine, theirs: str) -> CopyState:
    with transaction(engine) as session:
        (case_id,) = session.execute(text('SELECT id FROM "case"')).scalars()
        (page,) = detail.pages_of_case(session, case_id)
        assert page.their_url == f"{theirs}{THEIRS}"
        assert page.copy_state is not None
        return page.copy_state


def told(engine: Engine) -> list[str]:
    """Alerts sent about copies."""
    of_copies = (AlertKind.COPY_REMOVED, AlertKind.COPY_REAPPEARED)
    with transaction(engine) as session:
        kinds = session.scalars(select(AlertEvent.kind).order_by(AlertEvent.id))
        return [kind.value for kind in kinds if kind in of_copies]


def happened(engine: Engine) -> list[str]:
    """Events of the case about its copy, in order."""
    of_pages = (CaseEventKind.PAGE_GONE, CaseEventKind.PAGE_BACK, CaseEventKind.PAGE_LOOKED)
    with transaction(engine) as session:
        (case_id,) = session.execute(text('SELECT id FROM "case"')).scalars()
        events = [event for event in actions.history(session, case_id) if event.kind in of_pages]
        return [str(event.details.get("copy", event.kind.value)) for event in events]


def is_gone(engine: Engine, theirs: str) -> bool:
    with transaction(engine) as session:
        page = pages.get_page(session, f"{theirs}{THEIRS}")
    assert page is not None
    return page.gone_at is not None


def anew(engine: Engine, theirs: str) -> None:
    """Resets all rechecks: a case of its own for each kind of page would take four times as long."""
    become(theirs, THEIRS, "back")
    with engine.begin() as connection:
        connection.execute(text("UPDATE case_capture SET state = 'there', missing_since = NULL, refusal = NULL"))
        connection.execute(text("UPDATE page SET gone_at = NULL"))
        connection.execute(text("DELETE FROM case_event WHERE kind LIKE 'page-%'"))
        connection.execute(text("DELETE FROM alert_event"))


def test_a_page_that_says_twice_that_it_is_not_there_is_a_removed_copy(work: Jobs, theirs: str) -> None:
    for page in ("gone", "absent", *SAY_IT_IS_GONE):
        assert (page, look(work, theirs, page)) == (page, CopyState.MISSING)
        assert (told(work.engine), is_gone(work.engine, theirs)) == ([], False)

        assert (page, look(work, theirs)) == (page, CopyState.REMOVED)
        assert (told(work.engine), is_gone(work.engine, theirs)) == (["copy-removed"], True)
        assert happened(work.engine) == ["missing", "page-gone"]
        anew(work.engine, theirs)


def test_what_is_removed_is_reported_once(work: Jobs, theirs: str) -> None:
    looks = [look(work, theirs, "gone") for _ in range(3)]

    assert looks == [CopyState.MISSING, CopyState.REMOVED, CopyState.REMOVED]
    assert told(work.engine) == ["copy-removed"]


def test_what_cannot_be_read_is_never_removed(work: Jobs, theirs: str) -> None:
    for page in ("failing", "busy", "limited", "forbidden", "log-in", "cut", *STAND_IN_THE_WAY):
        looks = [look(work, theirs, page) for _ in range(2)]

        assert (page, looks) == (page, [CopyState.UNREADABLE] * 2)
        assert (told(work.engine), happened(work.engine), is_gone(work.engine, theirs)) == ([], [], False)
        anew(work.engine, theirs)


def test_a_page_that_does_not_answer_in_time_is_not_removed(work: Jobs, theirs: str) -> None:
    assert look(work, theirs, "hangs") is CopyState.UNREADABLE


@pytest.mark.parametrize("page", ["home", "another"])
def test_an_address_that_leads_to_a_list_or_another_article_is_neither_there_nor_removed(
    work: Jobs, theirs: str, page: str
) -> None:
    looks = [look(work, theirs, page) for _ in range(3)]

    assert looks == [CopyState.ELSEWHERE] * 3
    assert (told(work.engine), happened(work.engine)) == ([], ["elsewhere"])


def test_a_page_without_our_passages_is_edited(work: Jobs, theirs: str) -> None:
    assert look(work, theirs, "replaced") is CopyState.EDITED
    assert (told(work.engine), happened(work.engine)) == ([], ["edited"])


def test_a_page_that_was_changed_and_still_has_our_passages_is_there(work: Jobs, theirs: str) -> None:
    assert look(work, theirs, "changed") is CopyState.THERE
    assert happened(work.engine) == []


def test_two_looks_soon_after_each_other_are_one(work: Jobs, theirs: str) -> None:
    look(work, theirs, "article deleted")
    with work.engine.begin() as connection:
        connection.execute(text("UPDATE case_capture SET at = at - interval '21 h'"))

    work.recheck()

    assert copy_state(work.engine, theirs) is CopyState.MISSING
    assert told(work.engine) == []


def test_the_second_look_is_asked_for_before_the_next_day(work: Jobs, theirs: str) -> None:
    look(work, theirs, "gone")
    assert asked_for(work) == []

    hours_pass(work.engine, RECHECKS_APART / timedelta(hours=1))
    assert asked_for(work) == ["look"]
    work.look()

    assert copy_state(work.engine, theirs) is CopyState.REMOVED
    assert asked_for(work) == []


def asked_for(work: Jobs) -> list[str]:
    """Rechecks that a tick queues besides the daily one."""
    with transaction(work.engine) as session:
        for job in queue.list_jobs(session):
            queue.drop(session, job.id)
    tick(work.engine, work.settings)
    with transaction(work.engine) as session:
        return [job.task for job in queue.list_jobs(session) if job.task == queue.CHECK_CASE_PAGES]


def test_a_captcha_between_two_notices_delays_nothing_and_one_afterwards_changes_nothing(
    work: Jobs, theirs: str
) -> None:
    looks = [look(work, theirs, page) for page in ("article deleted", "asks for a captcha", "article deleted", "busy")]

    assert looks == [CopyState.MISSING, CopyState.MISSING, CopyState.REMOVED, CopyState.REMOVED]


def test_a_copy_that_is_back_is_seen_and_reported_and_its_case_is_open_again(work: Jobs, theirs: str) -> None:
    for _ in range(2):
        look(work, theirs, "deleted by its publisher")
    decide(work.engine, CaseState.REMOVED)

    assert look(work, theirs, "back") is CopyState.THERE

    assert told(work.engine) == ["copy-removed", "copy-reappeared"]
    assert happened(work.engine) == ["missing", "page-gone", "page-back"]
    assert state_of(work.engine, the_case(work.engine)) is CaseState.REAPPEARED
    assert not is_gone(work.engine, theirs)


def the_case(engine: Engine) -> int:
    with engine.begin() as connection:
        return int(connection.execute(text('SELECT id FROM "case"')).scalar_one())


def test_an_article_after_one_look_that_found_nothing_begins_the_count_again(work: Jobs, theirs: str) -> None:
    looks = [look(work, theirs, page) for page in ("gone", "back", "gone")]

    assert looks == [CopyState.MISSING, CopyState.THERE, CopyState.MISSING]
    assert told(work.engine) == []


def test_what_a_crawl_finds_gone_is_rechecked_before_it_is_reported(work: Jobs, theirs: str) -> None:
    with transaction(work.engine) as session:
        page_presence.record_gone(session, f"{theirs}{THEIRS}", queue.database_time(session), reason="status 404")

    work.look()  # the page is there: the crawl was wrong, or shut out

    assert (told(work.engine), is_gone(work.engine, theirs)) == ([], False)
    assert copy_state(work.engine, theirs) is CopyState.THERE
    with transaction(work.engine) as session:
        assert recaptures.changed_since(session, limit=9) == []


def test_a_suspect_that_says_that_it_is_deleted_is_named_so(work: Jobs, theirs: str) -> None:
    become(theirs, "/news/5", "deleted by its publisher")

    with page_reader("Asia/Shanghai", asks_presence=True) as read_page, pytest.raises(NotTaken, match="does not exist"):
        Suspects(work.engine, work.settings, read_page, "lin").add_url(f"{theirs}/news/5")
