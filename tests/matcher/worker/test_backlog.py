"""The whole way from saved pages to kept matches, alone and with several workers at once."""

import os
import signal
import time
from collections.abc import Sequence
from multiprocessing.synchronize import Event

import pytest
from sqlalchemy import Engine, select

from crawler.processes import fork_server
from fingerprint.model import ALGORITHM_VERSION
from matcher.comparison import check
from matcher.retrieval.candidates import ALIGNED
from matcher.worker import backlog as worker
from matcher.worker import match_version, save_matches
from storage.engine import make_engine, transaction
from storage.matches import backlog, hits, saving
from storage.models.pages import TextFamily
from storage.pages import backlog_entry, pages
from storage.records.matches import HitRecord
from storage.records.pages import NewArticle
from storage.types import MatchKind
from tests.support.disguises import swap_homophones
from tests.support.factories import STORIES, a_site, an_article, commit, save, story, text_of
from tests.support.store.store_reads import backlog_failures, list_boilerplate

CHILDREN = fork_server.children(
    "matcher.worker.backlog", "tests.support.factories", "tests.support.disguises", "psycopg2"
)
DEADLINE_S = 60


def never() -> bool:
    return False


def work(engine: Engine) -> match_version.Progress:
    return worker.work_off(engine, should_stop=never)


def hits_of(engine: Engine) -> list[HitRecord]:
    with transaction(engine) as session:
        return hits.list_hits(session)


def pairs_of(engine: Engine) -> set[tuple[str, str]]:
    """Each hit as the hosts of its copy and its source, endings left out."""
    return {tuple(side.host.removesuffix(".example") for side in (hit.copy, hit.source)) for hit in hits_of(engine)}  # type: ignore[misc]  # two sides


def compare_only(engine: Engine, hosts: Sequence[str]) -> None:
    """Works off the pages of these hosts and lets the others that wait pass."""
    with transaction(engine) as session:
        kept = {f"{host}.example" for host in hosts}
        backlog.done(session, [page.version_id for page in pages.list_pages(session) if page.host not in kept])
    work(engine)


def disguised(text: str, seed: int) -> str:
    return swap_homophones(text, share=0.2, seed=seed)


def test_a_copy_is_found_whichever_page_is_compared_first(engine: Engine) -> None:
    commit(engine, [an_article("source", story())])
    assert work(engine) == match_version.Progress(compared=1)

    commit(engine, [an_article("copy", disguised(story(), 1), hours=5)])
    assert work(engine) == match_version.Progress(compared=1, matched=1)

    (hit,) = hits_of(engine)
    assert (hit.copy.host, hit.source.host, hit.kind) == ("copy.example", "source.example", MatchKind.NEAR)
    assert hit.copy.share > 0.95
    assert sum(passage.differences.homophone for passage in hit.passages) > 20


def test_an_original_that_comes_late_finds_the_copies_that_are_stored(engine: Engine) -> None:
    commit(engine, [an_article(f"copy{number}", disguised(story(), number), hours=number) for number in range(2)])
    work(engine)
    commit(engine, [an_article("source", story(), hours=-9)])
    work(engine)

    assert pairs_of(engine) >= {("copy0", "source"), ("copy1", "source")}


def test_unrelated_articles_are_left_alone(engine: Engine) -> None:
    commit(engine, [an_article(slug, story(slug)) for slug in STORIES])

    done = work(engine)

    assert (done.compared, done.matched, done.failed) == (len(STORIES), 0, 0)
    assert hits_of(engine) == []


def test_comparing_again_changes_nothing(engine: Engine) -> None:
    saved = commit(engine, [an_article("source", story()), an_article("copy", disguised(story(), 1), hours=5)])
    work(engine)
    before = hits_of(engine)

    with transaction(engine) as session:
        backlog_entry.enqueue(session, [item.version_id for item in saved])
    work(engine)

    assert hits_of(engine) == before


def test_copies_to_the_letter_share_one_text_and_still_accuse_each_other(engine: Engine) -> None:
    commit(engine, [an_article(f"host{hours}", story(), hours=hours) for hours in range(3)])

    work(engine)

    assert pairs_of(engine) == {("host1", "host0"), ("host2", "host0"), ("host2", "host1")}
    assert {hit.kind for hit in hits_of(engine)} == {MatchKind.IDENTICAL}


def test_pages_of_one_owner_never_accuse_each_other(engine: Engine) -> None:
    with transaction(engine) as session:
        first, second = a_site(session, "甲", owner="集团"), a_site(session, "乙", owner="集团")
        stranger = a_site(session, "丙")
        save(
            session,
            an_article("甲", story(), site_id=first.id),
            an_article("乙", disguised(story(), 1), site_id=second.id, hours=2),
            an_article("乙/again", story(), site_id=second.id, hours=2),
            an_article("丙", disguised(story(), 2), site_id=stranger.id, hours=4),
        )

    work(engine)

    assert {frozenset((hit.copy.owner_name, hit.source.owner_name)) for hit in hits_of(engine)} == {
        frozenset(("丙", "集团"))
    }


def test_pages_of_one_host_without_a_site_never_accuse_each_other(engine: Engine) -> None:
    commit(engine, [an_article(f"https://one.example/{number}", story(), hours=number) for number in range(3)])

    work(engine)

    assert hits_of(engine) == []


def test_an_articles_own_earlier_version_is_no_hit(engine: Engine) -> None:
    commit(engine, [an_article("one", story())])
    work(engine)
    commit(engine, [an_article("one", story() + "\n更正：上文的日期应为三月。", hours=3)])
    work(engine)

    assert hits_of(engine) == []


def test_an_older_version_is_not_compared_and_the_current_one_is(engine: Engine) -> None:
    commit(engine, [an_article("source", story("kelp"))])
    commit(engine, [an_article("one", story("kelp"), hours=1)])
    commit(engine, [an_article("one", story("glacier"), hours=2)])
    commit(engine, [an_article("other", story("glacier"), hours=3)])

    done = work(engine)

    assert done.compared == 4
    assert pairs_of(engine) == {("other", "one")}


@pytest.mark.parametrize("copies", [2, 10, 100])
def test_a_text_stored_many_times_over_is_found_again(engine: Engine, copies: int) -> None:
    """The more often a story is copied, the surer it is found."""
    commit(engine, [an_article(f"host{number}", story(), hours=number) for number in range(copies)])
    compare_only(engine, [f"host{number}" for number in range(6)])

    commit(engine, [an_article("new", disguised(story(), 7), hours=500)])
    work(engine)
    asked = checked(engine, an_article("asked", disguised(story(), 8), hours=600))

    assert ("new", "host0") in pairs_of(engine)
    assert asked.verdict == "copy"
    assert asked.matches[0].judgement.left_share > 0.95
    (found,) = [match for match in asked.matches if match.pages[0].host == "host0.example"]
    assert found.other_pages == copies - 1
    assert [page.host for page in found.pages] == [f"host{number}.example" for number in range(min(copies, 50))]
    with transaction(engine) as session:
        assert backlog_failures(session) == []


@pytest.mark.parametrize("copies", [2, 10, 100])
def test_a_story_copied_with_a_frame_of_each_hosts_own_is_found_again(engine: Engine, copies: int) -> None:
    """Every copy is another text: the story's seeds are as frequent as a legal notice's."""
    told = story()[:400]
    framed = (f"{text_of(number, chars=150)}\n{told}" for number in range(copies))
    commit(engine, [an_article(f"host{number}", text, hours=number) for number, text in enumerate(framed)])
    compare_only(engine, [f"host{number}" for number in range(6)])

    commit(engine, [an_article("new", disguised(told, 7), hours=500)])
    work(engine)
    asked = checked(engine, an_article("asked", disguised(told, 8), hours=600))

    assert asked.verdict == "copy"
    assert any("new" in pair for pair in pairs_of(engine))
    assert all(not passage.is_boilerplate for hit in hits_of(engine) for passage in hit.passages)
    with transaction(engine) as session:
        assert list_boilerplate(session) == []


def test_a_copy_to_the_letter_is_found_in_a_crowd_of_near_copies(engine: Engine) -> None:
    told = story()[:300]
    crowd = [an_article(f"crowd{number}", f"{told}{number}", hours=-1) for number in range(ALIGNED + 10)]
    commit(engine, [*crowd, an_article("first", told)])
    compare_only(engine, [])
    commit(engine, [an_article("second", told, hours=3)])

    work(engine)

    assert ("second", "first") in pairs_of(engine)


def test_every_copy_keeps_its_match_with_the_origin_when_the_origin_is_compared_again(engine: Engine) -> None:
    told = story()[:300]
    (origin,) = commit(engine, [an_article("origin", told)])
    copies = range(save_matches.NEAREST + 4)
    commit(engine, [an_article(f"host{number}", disguised(told, number), hours=1 + number) for number in copies])
    work(engine)
    everyone = {frozenset((f"host{number}", "origin")) for number in copies}
    assert {frozenset(pair) for pair in pairs_of(engine) if "origin" in pair} == everyone

    with transaction(engine) as session:
        backlog_entry.enqueue(session, [origin.version_id])
    work(engine)

    assert {frozenset(pair) for pair in pairs_of(engine) if "origin" in pair} == everyone


def test_a_text_keeps_matches_with_its_origin_and_its_nearest_only(engine: Engine) -> None:
    told = story()[:300]
    hosts = [f"host{number}" for number in range(save_matches.NEAREST + 6)]
    commit(engine, [an_article(host, disguised(told, hours), hours=hours) for hours, host in enumerate(hosts)])
    work(engine)
    (new,) = commit(engine, [an_article("new", disguised(told, 99), hours=500)])

    done = work(engine)

    assert done.matched == 1 + save_matches.NEAREST
    assert any({"new", "host0"} == set(pair) for pair in pairs_of(engine))
    with transaction(engine) as session:
        known = saving.matched_texts(session, new.text_id, algorithm_version=ALGORITHM_VERSION)
        assert len(known) == 1 + save_matches.NEAREST


def test_texts_of_one_story_are_one_family_and_others_are_none(engine: Engine) -> None:
    source, copy, other = commit(
        engine,
        [
            an_article("source", story()),
            an_article("copy", disguised(story(), 1), hours=5),
            an_article("other", story("kelp")),
        ],
    )
    work(engine)

    with transaction(engine) as session:
        found = {row.text_id: row.family_id for row in session.scalars(select(TextFamily))}
    lowest = min(source.text_id, copy.text_id)
    assert found == {source.text_id: lowest, copy.text_id: lowest}
    assert other.text_id not in found


def test_a_page_made_of_two_sources_is_a_mosaic_of_both(engine: Engine) -> None:
    halves = [story(slug)[:420] for slug in ("kelp", "glacier")]
    commit(engine, [an_article("kelp", story("kelp")), an_article("glacier", story("glacier"))])
    commit(engine, [an_article("mixed", "\n".join(halves), hours=5)])

    work(engine)

    assert {(hit.copy.host, hit.source.host, hit.kind) for hit in hits_of(engine)} == {
        ("mixed.example", "kelp.example", MatchKind.MOSAIC),
        ("mixed.example", "glacier.example", MatchKind.MOSAIC),
    }


def test_a_worker_stops_between_batches_when_told(engine: Engine) -> None:
    commit(engine, [an_article(f"host{number}", text_of(number, chars=100)) for number in range(3 * worker.BATCH)])
    steps: list[match_version.Progress] = []

    done = worker.work_off(engine, should_stop=lambda: len(steps) == 2, on_progress=steps.append)

    assert [step.compared for step in steps] == [worker.BATCH, 2 * worker.BATCH]
    assert done == steps[-1]
    with transaction(engine) as session:
        assert backlog.waiting(session) == worker.BATCH


# The workers of the tests below are processes of their own.


def save_and_match(url: str, host: str, seed: int, start: Event) -> None:
    """Saves disguised copies of ten stories, one a transaction, and compares what waits after each."""
    engine = make_engine(url)
    start.wait(DEADLINE_S)
    for hours, slug in enumerate(STORIES[:10]):
        text = disguised(story(slug), seed)
        commit(engine, [an_article(f"https://{host}.example/{slug}", text, hours=hours)])
        work(engine)
    engine.dispose()


def match_until_told(url: str, stop: Event) -> None:
    engine = make_engine(url)
    while not stop.is_set():
        work(engine)
        time.sleep(0.01)
    engine.dispose()


def test_pages_saved_at_the_same_time_by_two_processes_are_always_compared(
    engine: Engine, clean_database_url: str
) -> None:
    start = CHILDREN.Event()
    savers = [
        CHILDREN.Process(target=save_and_match, args=(clean_database_url, host, seed, start))
        for seed, host in enumerate(("east", "west"))
    ]
    for process in savers:
        process.start()
    start.set()
    for process in savers:
        process.join(DEADLINE_S)
    assert [process.exitcode for process in savers] == [0, 0]

    with transaction(engine) as session:
        assert [error for _, _, error in backlog_failures(session)] == []
        assert backlog.waiting(session) == 0
    found = {frozenset((hit.copy.url, hit.source.url)) for hit in hits_of(engine)}
    assert found == {frozenset(f"https://{host}.example/{slug}" for host in ("east", "west")) for slug in STORIES[:10]}


@pytest.mark.parametrize("one_first", [True, False], ids=["in order", "the other way round"])
def test_two_pages_that_two_workers_hold_at_once_are_compared(engine: Engine, one_first: bool) -> None:
    """Each worker claims before the other's page is judged; whoever ends last, the pair is stored once."""
    commit(engine, [an_article("source", story())])
    commit(engine, [an_article("copy", disguised(story(), 1), hours=5)])
    with transaction(engine) as one:
        (first,) = backlog.claim(one, limit=1)
        with transaction(engine) as other:
            (second,) = backlog.claim(other, limit=1)
            sessions = [(one, first), (other, second)]
            for session, item in sessions if one_first else sessions[::-1]:
                match_version.match_version(session, item)
                backlog.done(session, [item.version_id])
                session.commit()

    assert pairs_of(engine) == {("copy", "source")}
    with transaction(engine) as session:
        assert backlog.waiting(session) == 0


def test_a_worker_killed_in_the_middle_loses_nothing(engine: Engine, clean_database_url: str) -> None:
    articles = [an_article(f"source-{slug}", story(slug)) for slug in STORIES[:12]]
    articles += [an_article(f"copy-{slug}", disguised(story(slug), 3), hours=5) for slug in STORIES[:12]]
    commit(engine, articles)
    told = CHILDREN.Event()
    process = CHILDREN.Process(target=match_until_told, args=(clean_database_url, told))
    process.start()
    wait_until_claimed(engine)
    assert process.pid is not None
    os.kill(process.pid, signal.SIGKILL)
    process.join(DEADLINE_S)

    work(engine)

    expected = {(f"copy-{slug}", f"source-{slug}") for slug in STORIES[:12]}
    assert process.exitcode == -signal.SIGKILL
    assert pairs_of(engine) == expected
    assert len(hits_of(engine)) == len(expected)


def wait_until_claimed(engine: Engine) -> None:
    for _ in range(DEADLINE_S * 100):
        with transaction(engine) as session:
            waiting, free = backlog.waiting(session), len(backlog.claim(session, limit=99))
        if free < waiting:
            return
        time.sleep(0.005)
    pytest.fail("no worker claims anything")


def checked(engine: Engine, article: NewArticle) -> check.CheckResult:
    with transaction(engine) as session:
        return check.check(session, article, against=check.compared_with(session))
