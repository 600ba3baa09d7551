"""What repeats itself in a store is judged at once, before anything is compared."""

import pytest
from sqlalchemy import Engine

from matcher.boilerplate.survey import survey
from matcher.comparison import check
from matcher.worker import backlog as worker
from storage.engine import transaction
from storage.matches import hits
from tests.support.factories import an_article, commit, story, text_of
from tests.support.store.store_reads import list_boilerplate
from zhiwen.demo.articles import disclaimer

HOSTS = 8


def never() -> bool:
    return False


@pytest.fixture
def store(engine: Engine) -> Engine:
    """A notice in unrelated articles of eight hosts, and a story that stands on eight others."""
    commit(engine, [an_article(f"host{number}", f"{text_of(number)}\n{disclaimer()}") for number in range(HOSTS)])
    commit(engine, [an_article(f"story{number}", text_of(100 + number, chars=60) + story()) for number in range(HOSTS)])
    return engine


def test_what_proves_nothing_is_learned_and_a_story_is_not(store: Engine) -> None:
    assert survey(store, should_stop=never) > 0

    with transaction(store) as session:
        samples = [run.sample for run in list_boilerplate(session)]
        found = check.check(session, an_article("asked", story()), against=check.compared_with(session))
        notice = check.check(
            session, an_article("other", f"{text_of(200)}\n{disclaimer()}"), against=check.compared_with(session)
        )
    assert samples
    assert all(sample[:20] in f"{disclaimer()}" or disclaimer()[:20] in sample for sample in samples)
    assert len(found.matches) == HOSTS
    assert notice.matches == ()


def test_a_second_survey_finds_nothing_due(store: Engine) -> None:
    survey(store, should_stop=never)

    assert survey(store, should_stop=never) == 0


def test_an_interrupted_survey_keeps_what_it_has(store: Engine) -> None:
    assert survey(store, should_stop=lambda: True) == 0
    told: list[tuple[int, int]] = []
    survey(store, should_stop=never, on_progress=lambda done, whole: told.append((done, whole)))

    assert told[-1][0] == told[-1][1] > 0


def test_matching_after_a_large_import_begins_with_a_survey(store: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker, "SURVEY_FROM", 2 * HOSTS)

    done = worker.work_off(store, should_stop=never)

    assert done.compared == 2 * HOSTS  # nothing was learned too late, so nothing was compared twice
    with transaction(store) as session:
        assert all("story" in hit.copy.host for hit in hits.list_hits(session))
