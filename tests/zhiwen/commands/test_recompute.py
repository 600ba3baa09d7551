"""A new algorithm version recomputes all stored texts while the store is in use: hits stay."""

from pathlib import Path

import pytest
from sqlalchemy import Engine, text

from fingerprint.compute import fingerprint_text
from matcher.comparison.check import check, compared_with
from matcher.explanation.json_shapes import check_json
from matcher.worker.backlog import work_off
from storage.engine import transaction
from storage.fingerprints import recompute
from storage.jobs import queue
from storage.matches.hits import count_hits
from tests.support.factories import an_article, commit, story, text_of
from zhiwen.config.settings import Settings
from zhiwen.worker.scheduler import tick

COPY = "转载的网站自己写的一句开场白，和原文没有关系。\n" + story()
ANOTHER = "另一家网站也转了，换了一个开头，别的没有改。\n" + story()


def never() -> bool:
    return False


@pytest.fixture
def outdated(engine: Engine) -> Engine:
    """A text and its copy, found by an older version, and nothing that waits to be compared."""
    commit(engine, [an_article("https://a.example/1", story()), an_article("https://b.example/1", COPY)])
    work_off(engine, should_stop=never)
    with transaction(engine) as session:
        session.execute(text("DELETE FROM fingerprint"))
        recompute.ask_for_all(session)
    return engine


def test_the_worker_begins_by_itself(outdated: Engine, tmp_path: Path) -> None:
    tick(outdated, Settings(tmp_path))
    with transaction(outdated) as session:
        assert queue.MATCH in {job.task for job in queue.list_jobs(session)}


def test_meanwhile_hits_stay_checks_answer_without_guessing_and_new_pages_wait(outdated: Engine) -> None:
    with transaction(outdated) as session:
        recompute.keep(
            session, {number: fingerprint_text(body) for number, body in recompute.claim(session, limit=1).items()}
        )
    commit(outdated, [an_article("https://c.example/1", ANOTHER)])

    with transaction(outdated) as session:
        assert (recompute.waiting(session), count_hits(session)) == (1, 1)
        against = compared_with(session)
        assert (against.texts, against.waiting) == (2, 1)
        seen = check(session, an_article("draft", ANOTHER), against=against)
        unseen = check(session, an_article("draft", text_of(7)), against=against)
        assert (seen.verdict, unseen.verdict) == ("copy", "cannot_judge")
        assert check_json("", seen)["compared_with"]["waiting"] == 1

    assert work_off(outdated, should_stop=never).compared == 3
    with transaction(outdated) as session:
        assert (recompute.waiting(session), count_hits(session)) == (0, 3)
        found = check(session, an_article("draft", ANOTHER), against=compared_with(session))
    assert (found.verdict, found.compared_with.texts) == ("copy", 3)
