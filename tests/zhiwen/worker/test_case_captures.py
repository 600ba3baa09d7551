"""The pages of a case are captured when it opens, and rechecked until the copy is removed. Jobs run by hand."""

import ipaddress
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from threading import Event
from urllib.parse import urlsplit

import pytest
from sqlalchemy import Engine, select, text
from sqlalchemy.orm import Session

from crawler.browser.availability import what_is_missing
from crawler.evidence.page_capture import Capturer
from crawler.extraction.article import Article
from crawler.extraction.extract import extract
from crawler.extraction.page_reader import page_reader
from storage.cases import actions
from storage.engine import make_engine, transaction
from storage.evidence import chain_store
from storage.jobs import queue
from storage.models.alerts import AlertEvent
from storage.pages import pages
from storage.records.alerts import AlertKind
from storage.records.evidence import EvidenceKind
from storage.records.sites import SiteSettings
from storage.sites import sites
from storage.takedowns import page_presence, recaptures
from storage.takedowns.recaptures import Capture, PageToCapture
from storage.types import CaseEventKind, CaseState, Rights, SiteRole
from tests.fake_web import become, served
from tests.fake_web.pages import article
from tests.support.case_actions import state_of
from tests.support.factories import an_article, commit, text_of
from tests.support.processes.worker_process import stop, until, worker
from tests.support.requirements import needs_browser
from tests.support.store.store_reads import captures_of_case
from zhiwen.config.settings import Settings
from zhiwen.wiring import keeper_of
from zhiwen.worker.case_captures import CaseCaptures
from zhiwen.worker.jobs import Jobs
from zhiwen.worker.scheduler import tick

LOOPBACK = (ipaddress.ip_network("127.0.0.0/8"),)


@pytest.fixture
def ours() -> Iterator[str]:
    with served() as base:
        yield base


@pytest.fixture
def theirs() -> Iterator[str]:
    with served() as base:
        yield base


@pytest.fixture
def no_browser(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No pictures: they take long, and one test has them."""
    monkeypatch.setenv("PATH", str(tmp_path))


@pytest.fixture
def work(clean_database_url: str, tmp_path: Path) -> Iterator[Jobs]:
    engine = make_engine(clean_database_url)
    yield Jobs(Settings(tmp_path, allowed_networks=LOOPBACK), engine, clean_database_url)
    engine.dispose()


def add_site(engine: Engine, web: str, name: str, role: SiteRole) -> int:
    host = urlsplit(web).netloc
    rights = Rights.OWN if role is SiteRole.ORIGINAL else Rights.UNKNOWN
    chosen = SiteSettings(name, (f"{web}/news/1",), (host,), allow=("/news/1$",), delay_s=0.0, role=role, rights=rights)
    with transaction(engine) as session:
        return sites.add_site(session, chosen).id


def a_case(work: Jobs, ours: str, theirs: str) -> int:
    """Opened by the program: the same article on both sites."""
    mine = add_site(work.engine, ours, "mine", SiteRole.ORIGINAL)
    copier = add_site(work.engine, theirs, "copier", SiteRole.WATCHED)
    original = an_article(f"{ours}/news/1", shown_text(), site_id=mine)
    commit(work.engine, [original, an_article(f"{theirs}/news/1", shown_text(), hours=1, site_id=copier)])
    work.match()
    with work.engine.begin() as connection:
        return int(connection.execute(text('SELECT id FROM "case"')).scalar_one())


def shown_text() -> str:
    """What a crawl reads on /news/1: a look compares the page with what is stored of it."""
    found = extract(article(1).encode(), url="https://a.example/news/1", content_type="text/html",
                    fetched_at=datetime.now(UTC), time_zone="Asia/Shanghai")  # fmt: skip
    assert isinstance(found, Article)
    return found.text


def captured(work: Jobs, case_id: int) -> list[Capture]:
    with transaction(work.engine) as session:
        return captures_of_case(session, case_id)


def test_both_pages_of_a_new_case_are_captured_once(work: Jobs, ours: str, theirs: str) -> None:
    case_id = a_case(work, ours, theirs)
    with transaction(work.engine) as session:
        assert [job.task for job in queue.list_jobs(session) if job.task == "capture"] == ["capture"]

    work.capture()
    first = captured(work, case_id)
    work.capture()

    assert captured(work, case_id) == first
    assert [one.refusal for one in first] == [None, None]
    with transaction(work.engine) as session:
        entries = {entry.number: entry for entry in chain_store.entries(session)}
    pictures = sum(entry.kind is EvidenceKind.RECORDED for entry in entries.values())
    assert pictures == (0 if what_is_missing() else 2)
    assert {entries[one.entry].url for one in first} == {f"{ours}/news/1", f"{theirs}/news/1"}
    assert {entries[one.entry].kind for one in first} == {EvidenceKind.CAPTURED}
    assert all(f'"why":"case {case_id}"' in entries[one.entry].body for one in first)


@pytest.mark.usefixtures("no_browser")
def test_a_page_is_captured_on_request_for_its_case_or_alone(work: Jobs, ours: str, theirs: str) -> None:
    case_id = a_case(work, ours, theirs)
    commit(work.engine, [an_article(f"{ours}/news/2", f"{shown_text()[:400]} 另一篇。")])
    with transaction(work.engine) as session:
        found = [pages.get_page(session, url) for url in (f"{theirs}/news/1", f"{ours}/news/2")]
    of_case, alone = (page.id for page in found if page is not None)

    for page_id in (of_case, alone, 987_654_321):
        work.capture_page(page_id=page_id)

    assert [one.page_id for one in captured(work, case_id)] == [of_case]
    with transaction(work.engine) as session:
        entries = {entry.url: entry.body for entry in chain_store.entries(session)}
    assert entries.keys() == {f"{theirs}/news/1", f"{ours}/news/2"}
    assert f'"why":"asked for, case {case_id}"' in entries[f"{theirs}/news/1"]
    assert '"why":"asked for at the desk"' in entries[f"{ours}/news/2"]


def test_a_worker_compares_what_was_crawled_and_captures_both_pages_of_the_case(
    work: Jobs, ours: str, theirs: str, tmp_path: Path
) -> None:
    add_site(work.engine, ours, "mine", SiteRole.ORIGINAL)
    add_site(work.engine, theirs, "copier", SiteRole.WATCHED)
    for name in ("mine", "copier"):
        work.crawl(site=name)

    with worker(work.database_url, tmp_path, settings={"PATH": str(tmp_path)}) as child:
        until(work.engine, lambda: len(times_of_captures(work.engine)) == 2)
        stop(child)

    assert all(opened < captured for opened, captured in times_of_captures(work.engine))


def times_of_captures(engine: Engine) -> list[tuple[datetime, datetime]]:
    """When the case of each capture was opened, and when the capture was made."""
    with engine.begin() as connection:
        rows = connection.execute(
            text('SELECT c.opened_at, a.at FROM case_capture a JOIN "case" c ON c.id = a.case_id')
        )
        return [(row[0], row[1]) for row in rows]


@pytest.mark.usefixtures("no_browser")
def test_a_copy_that_is_gone_before_it_could_be_captured_is_on_record(work: Jobs, ours: str, theirs: str) -> None:
    case_id = a_case(work, ours, theirs)
    become(theirs, "/news/1", "gone")

    work.capture()

    assert sorted(one.refusal or "" for one in captured(work, case_id)) == ["", "gone"]


@pytest.mark.usefixtures("no_browser")
def test_a_capture_that_got_no_response_is_tried_again_after_its_pause(work: Jobs, ours: str, theirs: str) -> None:
    case_id = a_case(work, ours, theirs)
    moved = "UPDATE page SET url = replace(url, :before, :after)"
    with work.engine.begin() as connection:
        connection.execute(text(moved), {"before": theirs, "after": "http://127.0.0.1:1"})
    work.capture()
    assert len([one for one in captured(work, case_id) if one.refusal]) == 1
    first = captured(work, case_id)
    work.capture()
    assert captured(work, case_id) == first  # its pause is not over

    with work.engine.begin() as connection:
        connection.execute(text(moved), {"before": "http://127.0.0.1:1", "after": theirs})
        later = "UPDATE case_capture SET at = at - interval '1 h', next_at = now() WHERE attempts = 1"
        assert connection.execute(text(later)).rowcount == 1
    work.capture()

    assert [one.refusal for one in captured(work, case_id)] == [None, None]
    with transaction(work.engine) as session:
        assert recaptures.due_for_retry(session, datetime.now(UTC) + timedelta(days=9), limit=9) == []


@pytest.mark.usefixtures("no_browser")
def test_a_confirmed_copy_is_looked_at_until_it_is_gone_and_when_it_comes_back(
    work: Jobs, ours: str, theirs: str
) -> None:
    case_id = a_case(work, ours, theirs)
    work.capture()
    with work.engine.begin() as connection:
        connection.execute(text("UPDATE \"case\" SET state = 'confirmed', touched = true"))
    seen = []
    for state in ("gone", "gone", "changed"):
        become(theirs, "/news/1", state)
        with work.engine.begin() as connection:
            a_day_passes = "at = at - interval '1 day', missing_since = missing_since - interval '1 day'"
            connection.execute(text(f"UPDATE case_capture SET {a_day_passes}"))  # noqa: S608  # our own words
        work.recheck()
        an_hour_ago = datetime.now(UTC) - timedelta(hours=1)
        seen.append({one.refusal for one in captured(work, case_id) if one.at > an_hour_ago})

    with transaction(work.engine) as session:
        events = [event.kind for event in page_presence.events_of_page(session, f"{theirs}/news/1")]
        history = {event.kind: event.details for event in actions.history(session, case_id)}
        raised = session.scalars(select(AlertEvent.kind).where(AlertEvent.case_id == case_id)).all()
        entries = {entry.number: entry.url for entry in chain_store.entries(session)}
    assert (seen, events) == ([{"gone"}, {"gone"}, {None}], ["gone", "back"])
    for kind in (CaseEventKind.PAGE_GONE, CaseEventKind.PAGE_BACK):
        assert entries[int(str(history[kind]["entry"]))] == f"{theirs}/news/1"
    assert {AlertKind.COPY_REMOVED, AlertKind.COPY_REAPPEARED} <= set(raised)


@pytest.mark.usefixtures("no_browser")
def test_a_confirmed_copy_that_a_crawl_finds_gone_is_captured_so_and_its_case_opened_when_it_is_back(
    work: Jobs, ours: str, theirs: str
) -> None:
    case_id = a_case(work, ours, theirs)
    work.capture()
    with work.engine.begin() as connection:
        connection.execute(text("UPDATE \"case\" SET state = 'removed', touched = true"))
        connection.execute(text("UPDATE case_capture SET at = at - interval '1 day'"))
    with transaction(work.engine) as session:
        now = queue.database_time(session)
        assert page_presence.record_gone(session, f"{theirs}/news/1", now, reason="a crawl saw it")
        assert [job.task for job in queue.list_jobs(session) if job.task == "look"] == ["look"]
    become(theirs, "/news/1", "gone")

    work.look()
    work.look()

    assert [one.refusal for one in captured(work, case_id) if one.at > now] == ["gone"]
    with transaction(work.engine) as session:
        assert recaptures.changed_since(session, limit=9) == []
        assert page_presence.record_seen(session, f"{theirs}/news/1", queue.database_time(session))
    assert state_of(work.engine, case_id) is CaseState.REAPPEARED


@pytest.mark.usefixtures("no_browser")
def test_the_scheduler_asks_for_what_a_case_lacks(work: Jobs, ours: str, theirs: str) -> None:
    a_case(work, ours, theirs)
    with transaction(work.engine) as session:
        for job in queue.list_jobs(session):
            queue.drop(session, job.id)

    tick(work.engine, work.settings)
    tick(work.engine, work.settings)

    with transaction(work.engine) as session:
        found = sorted(job.task for job in queue.list_jobs(session))
    assert {"capture", "learn", "prune", "recheck"} <= set(found)
    assert len(found) == len(set(found))


@needs_browser
def test_pages_come_before_pictures_that_are_owed(work: Jobs, ours: str, theirs: str) -> None:
    """A case that opens while pictures are made: its page may be gone by the time the last of them is done."""
    case_id = a_case(work, ours, theirs)
    (late,) = commit(work.engine, [an_article(f"{theirs}/news/2", text_of(2))])

    def ask(session: Session) -> list[PageToCapture]:
        kinds = [entry.kind for entry in chain_store.entries(session)]
        another = [PageToCapture(case_id, late.page_id, f"{theirs}/news/2")]
        return recaptures.pending(session, limit=9) + (another if EvidenceKind.RECORDED in kinds else [])

    with page_reader("Asia/Shanghai") as read_page:
        capturer = Capturer(keeper_of(work.engine, work.settings.home), read_page, LOOPBACK)
        problems = CaseCaptures(work.engine, capturer, Event()).work_off(ask, "case")

    assert problems == []
    with transaction(work.engine) as session:
        kinds = [entry.kind.value for entry in chain_store.entries(session)]
    # Before the first record signs, its key is announced.
    assert kinds == ["captured", "captured", "key", "recorded", "captured", "recorded", "recorded"]
