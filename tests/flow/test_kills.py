"""Matcher, worker, admin and crawl, killed at 67 moments chosen by a seed: nothing is lost, and nothing done twice."""

import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import pytest
from sqlalchemy import Engine, select, text

from matcher.worker.backlog import work_off
from storage.crawl import runs
from storage.engine import transaction
from storage.evidence import chain_store
from storage.jobs import queue
from storage.matches import backlog
from storage.models.cases import Case, CaseEvent, CasePage
from storage.models.matches import PageMatch
from storage.models.pages import Page
from storage.records.sites import SiteRecord, SiteSettings
from storage.sites import sites
from storage.types import CaseEventKind, CaseState, Rights, SiteRole
from tests.support.case_actions import a_case
from tests.support.desk_client import add_person
from tests.support.disguises import swap_homophones
from tests.support.evidence.evidence import verified
from tests.support.factories import a_site, an_article, commit, text_of
from tests.support.processes.killed_processes import NEVER, Doom, forking
from tests.support.store.store_reads import backlog_failures

if TYPE_CHECKING:
    import subprocess

SEED = 20260301
KILLS = {"match": 24, "rematch": 8, "work": 10, "decide": 13, "crawl": 6, "evidence": 6}
STORIES, COPIES = 6, 2
PAGES = 60
SITE = "江城日报"
KILLED = -9
FIRST_PAGES = 110
"""Moments of a crawl before it stores its first pages. A group of at most eight takes 20, and with evidence 45."""


@pytest.fixture(scope="module")
def forker() -> Iterator["subprocess.Popen[str]"]:
    with forking() as found:
        yield found


@pytest.fixture
def doom(forker: "subprocess.Popen[str]", clean_database_url: str, tmp_path: Path) -> Doom:
    return Doom(forker, clean_database_url, tmp_path)


def moments(part: str, *, least: int = 1, most: int) -> list[int]:
    chance = random.Random(f"{SEED} {part}")  # noqa: S311  # repeatable, nothing secret
    return [chance.randrange(least, most) for _ in range(KILLS[part])]


def test_there_are_fifty_kills_and_more() -> None:
    assert sum(KILLS.values()) > 50


def plant(engine: Engine) -> set[tuple[str, str]]:
    """Stories of ours with copies elsewhere; the pairs of addresses that are to be found."""
    pairs = set()
    with transaction(engine) as session:
        ours = a_site(session, "县报", owner="县报社", role=SiteRole.ORIGINAL, rights=Rights.OWN)
    for number in range(STORIES):
        body = text_of(number, chars=500)
        source = f"https://县报.example/{number}"
        commit(engine, [an_article(source, body, site_id=ours.id)])
        for copy in range(COPIES):
            url = f"https://copier{copy}.example/{number}"
            disguised = swap_homophones(body, share=0.1, seed=copy)
            commit(engine, [an_article(url, disguised, hours=copy + 1)])
            pairs.add((source, url))
    return pairs


def pairs_found(engine: Engine) -> list[tuple[str, str]]:
    """Of ours and others', once for each row."""
    with transaction(engine) as session:
        urls = {page.id: page.url for page in session.scalars(select(Page))}
        rows = session.execute(select(PageMatch.low_page_id, PageMatch.high_page_id)).all()
    both = [tuple(sorted((urls[low], urls[high]), key=lambda url: "县报" not in url)) for low, high in rows]
    return [(ours, theirs) for ours, theirs in both if "县报" in ours]


def copies_in_cases(engine: Engine) -> list[int]:
    with transaction(engine) as session:
        return list(session.scalars(select(CasePage.their_page_id).join(Case, Case.id == CasePage.case_id)))


def assert_found_once(engine: Engine, planted: set[tuple[str, str]]) -> None:
    found, in_cases = pairs_found(engine), copies_in_cases(engine)
    assert len(found) == len(set(found))
    assert set(found) <= planted
    assert len(in_cases) == len(set(in_cases))


def assert_all_found(engine: Engine, planted: set[tuple[str, str]]) -> None:
    with transaction(engine) as session:
        assert (backlog.waiting(session), backlog_failures(session)) == (0, [])
    assert sorted(pairs_found(engine)) == sorted(planted)
    assert len(copies_in_cases(engine)) == len(planted)


def assert_each_kill_leaves_nothing_twice(engine: Engine, doom: Doom, part: str, planted: set[tuple[str, str]]) -> None:
    for count in moments(part, most=1_000):
        code, said = doom.run(part, count)
        assert code == KILLED, said
        assert_found_once(engine, planted)


def test_a_matcher_that_is_killed_leaves_every_pair_compared_once(engine: Engine, doom: Doom) -> None:
    planted = plant(engine)

    assert_each_kill_leaves_nothing_twice(engine, doom, "match", planted)
    work_off(engine, should_stop=lambda: False)

    assert_all_found(engine, planted)


def test_a_sweep_that_is_killed_goes_on_and_leaves_every_pair_compared_once(engine: Engine, doom: Doom) -> None:
    planted = plant(engine)
    work_off(engine, should_stop=lambda: False)

    assert_each_kill_leaves_nothing_twice(engine, doom, "rematch", planted)
    work_off(engine, should_stop=lambda: False)

    assert_all_found(engine, planted)


OLD_SIGN_OF_LIFE = text("UPDATE zhiwen_queue.procrastinate_workers SET last_heartbeat = now() - interval '1 hour'")


def test_a_worker_that_is_killed_leaves_its_jobs_to_the_next(engine: Engine, doom: Doom) -> None:
    planted = plant(engine)

    for count in moments("work", most=300):
        code, said = doom.run("work", count)
        assert code == KILLED, said
        assert_found_once(engine, planted)
        with engine.begin() as connection:
            connection.execute(OLD_SIGN_OF_LIFE)
            # So that no job counts as what its workers die of.
            # The queue's triggers look for its tables on the search path.
            connection.execute(text(f"SET LOCAL search_path TO {queue.SCHEMA}, public"))
            connection.execute(text("UPDATE procrastinate_jobs SET attempts = 0"))
    with transaction(engine) as session:
        queue.take_over(session)
        left = queue.list_jobs(session)
    work_off(engine, should_stop=lambda: False)

    assert {job.state for job in left} <= {"waiting"}
    assert len({job.task for job in left}) == len(left)
    assert_all_found(engine, planted)


def test_a_desk_that_is_killed_has_each_decision_whole_or_not_at_all(engine: Engine, doom: Doom) -> None:
    add_person(engine)
    with transaction(engine) as session:
        cases = [a_case(session, number) for number in range(1, 4)]

    answered = 0
    for count in moments("decide", most=150):
        code, said = doom.run("decide", count, cases=cases)
        assert code == KILLED, said
        answered += len(re.findall(r"^answered", said, re.MULTILINE))
        assert_moves_agree(engine, at_least=answered)

    assert answered > 0


def assert_moves_agree(engine: Engine, *, at_least: int) -> None:
    """The history of each case leads to where it stands, and the audit log tells of each move."""
    with transaction(engine) as session:
        events = session.scalars(select(CaseEvent).where(CaseEvent.kind == CaseEventKind.MOVED).order_by(CaseEvent.id))
        state: dict[int, CaseState | None] = {}
        count = 0
        for moved in events:
            assert moved.from_state is state.get(moved.case_id, CaseState.NEW)
            state[moved.case_id] = moved.to_state
            count += 1
        stands = dict(session.execute(select(Case.id, Case.state)).all())
        told = session.execute(text("SELECT count(*) FROM audit_event WHERE act = 'case.move'")).scalar_one()
    assert {case_id: stands[case_id] for case_id in state} == state
    assert told == count >= at_least


def add_site_of_many(engine: Engine, web: str) -> SiteRecord:
    host, allow = urlsplit(web).netloc, ("/many$", r"/news/1\d\d$")
    # With a delay, since pages that come at the same time are stored together: then few moments would be left.
    with transaction(engine) as session:
        return sites.add_site(session, SiteSettings(SITE, (f"{web}/many",), (host,), allow=allow, delay_s=0.03))


def test_pages_whose_readers_are_killed_are_refused_by_name_and_the_crawl_goes_on(
    engine: Engine, doom: Doom, web: str
) -> None:
    site = add_site_of_many(engine, web)

    code, said = a_crawl(engine, doom, site.id, poison="/news/130")

    assert code == 0, said
    with transaction(engine) as session:
        (run,) = runs.list_runs(session)
        stored = session.execute(text("SELECT count(*) FROM page")).scalar_one()
    assert run.exit_reason == "finished"
    # Whatever was read at that moment went with its reader: one page at least, and no other.
    assert len(run.refusal_samples["parser-died"]) == run.counters["refused/parser-died"] > 0
    assert stored + run.counters["refused/parser-died"] == PAGES
    assert stored > 0


def test_a_crawl_that_is_killed_stores_every_page_once(engine: Engine, doom: Doom, web: str) -> None:
    site = add_site_of_many(engine, web)
    reported: list[str] = []
    for count in moments("crawl", least=FIRST_PAGES, most=FIRST_PAGES + 30):
        code, said = a_crawl(engine, doom, site.id, count)
        assert code == KILLED, said
        reported += re.findall(r"\bnew: (\S+)", said)
        assert_stored_once(engine, reported)
    # Without `revisit`, pages that were in flight when a crawl died would be visited some hours later.
    code, said = a_crawl(engine, doom, site.id, revisit=True)
    reported += re.findall(r"\bnew: (\S+)", said)

    assert code == 0, said
    assert_stored_once(engine, reported)
    with transaction(engine) as session:
        last = runs.list_runs(session)[0]
        count = session.execute(text("SELECT count(*) FROM page")).scalar_one()
        leased = session.execute(text("SELECT count(*) FROM frontier_url WHERE leased_until IS NOT NULL")).scalar_one()
        assert (count, leased, backlog.waiting(session)) == (PAGES, 0, PAGES)
    assert last.exit_reason == "finished"
    assert last.counters["articles/new"] == len(re.findall(r"\bnew: (\S+)", said))


def test_a_crawl_that_is_killed_stores_no_page_without_its_evidence(
    engine: Engine, doom: Doom, web: str, tmp_path: Path
) -> None:
    site = add_site_of_many(engine, web)
    for count in moments("evidence", least=FIRST_PAGES, most=FIRST_PAGES + 90):
        code, said = a_crawl(engine, doom, site.id, count, evidence=True)
        assert code == KILLED, said
        assert_witnessed(engine, tmp_path)
    code, said = a_crawl(engine, doom, site.id, revisit=True, evidence=True)

    assert code == 0, said
    assert_witnessed(engine, tmp_path)
    with transaction(engine) as session:
        assert len({entry.url for entry in chain_store.entries(session)}) == PAGES


def assert_witnessed(engine: Engine, home: Path) -> None:
    """Each stored page has its entry, each entry its file, and the chain is whole."""
    with transaction(engine) as session:
        assert list(chain_store.pages_without(session)) == []
        kept = [(entry.url, entry.text) for entry in chain_store.entries(session)]
    assert len(kept) == len(set(kept))
    assert verified(engine, home)[1] == []


def a_crawl(
    engine: Engine,
    doom: Doom,
    site_id: int,
    count: int = NEVER,
    *,
    poison: str = "",
    revisit: bool = False,
    evidence: bool = False,
) -> tuple[int, str]:
    with transaction(engine) as session:
        # So that no address counts as what crawls die of.
        session.execute(text("UPDATE frontier_url SET attempts = 0"))
        run_id = runs.start_run(session, site_id, trigger="test")
    return doom.run("crawl", count, site=SITE, run_id=run_id, poison=poison, revisit=revisit, evidence=evidence)


def assert_stored_once(engine: Engine, reported: list[str]) -> None:
    """What was reported stored is there, once, with one version."""
    with transaction(engine) as session:
        rows = session.execute(text("SELECT url FROM page JOIN page_version v ON v.page_id = page.id")).scalars().all()
    assert len(reported) == len(set(reported))
    assert set(reported) <= set(rows)
    assert len(rows) == len(set(rows))
