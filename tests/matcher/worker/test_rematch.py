"""The whole store against itself: what matching finds page by page, whatever happens meanwhile."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from sqlalchemy import Engine, delete, select

from matcher.batch.progress import Blocks, Busy, Interrupted, sweep
from matcher.cases.case_rule import DEFAULT_RULE, CaseRule
from matcher.worker.backlog import work_off
from matcher.worker.rematch import Rematched, rematch
from storage.engine import transaction
from storage.matches import backlog
from storage.matches import hits as match_hits
from storage.models.cases import Case
from storage.models.matches import Match, PageMatch
from storage.pages import saving
from storage.records.matches import HitRecord
from storage.types import CaseState, Rights, SiteRole
from tests.support.case_actions import a_reviewer, move
from tests.support.disguises import swap_homophones
from tests.support.factories import STORIES, a_site, an_article, commit, story, text_of

BLOCK = 3
COPIED = STORIES[:3]


def never() -> bool:
    return False


def again(
    engine: Engine, folder: Path, *, rule: CaseRule = DEFAULT_RULE, anew: bool = False, blocks: int = 1_000
) -> Rematched:
    """Stopped when so many blocks are done in this call."""
    compared: list[int] = []

    def tell(what: str, done: int, _whole: int) -> None:
        if what == "comparing":
            compared.append(done)

    return rematch(
        engine, folder, rule=rule, anew=anew, should_stop=lambda: len(compared) >= blocks, tell=tell, block=BLOCK
    )


@pytest.fixture
def store(engine: Engine) -> Engine:
    """Stories of ours, an edited copy of each, one that is copied to the letter, and two pages that are alone."""
    with transaction(engine) as session:
        ours = a_site(session, "县报", owner="县报社", role=SiteRole.ORIGINAL, rights=Rights.OWN)
    for slug in COPIED:
        edited = swap_homophones(story(slug), share=0.2, seed=1)
        commit(engine, [an_article(f"https://县报.example/{slug}", story(slug), site_id=ours.id)])
        commit(engine, [an_article(f"https://copier.example/{slug}", edited, hours=5)])
    commit(engine, [an_article("letter", story(COPIED[0]), hours=9)])
    commit(engine, [an_article(f"alone{number}", text_of(number)) for number in range(2)])
    work_off(engine, should_stop=never)
    return engine


def hits(engine: Engine) -> list[HitRecord]:
    with transaction(engine) as session:
        return match_hits.list_hits(session)


def found(engine: Engine) -> set[tuple[str, str]]:
    """Copies and their sources."""
    return {(hit.copy.url, hit.source.url) for hit in hits(engine)}


def test_once_more_changes_nothing(store: Engine, tmp_path: Path) -> None:
    before = hits(store)

    done = again(store, tmp_path / "sweep")

    assert hits(store) == before
    assert done.is_done
    assert (done.progress.compared, done.progress.failed) == (7, 0)
    assert done.alone == 2
    assert [path.name for path in (tmp_path / "sweep").iterdir()] == ["lock"]


def test_what_was_lost_is_found_again(store: Engine, tmp_path: Path) -> None:
    before = found(store)
    with transaction(store) as session:
        session.execute(delete(PageMatch))
        session.execute(delete(Match))

    again(store, tmp_path)

    assert found(store) == before
    assert len(before) > len(COPIED)


def test_it_goes_on_where_it_was_stopped(store: Engine, tmp_path: Path) -> None:
    before = hits(store)
    done = [again(store, tmp_path, blocks=1), again(store, tmp_path, blocks=1), again(store, tmp_path)]

    assert [one.is_done for one in done] == [False, False, True]
    assert [one.progress.compared for one in done] == [4, 3, 0]
    assert hits(store) == before


def test_other_parameters_begin_anew_and_so_does_whoever_asks_for_it(store: Engine, tmp_path: Path) -> None:
    assert again(store, tmp_path, blocks=2).progress.compared == 7
    other = CaseRule(min_chars=40)

    assert again(store, tmp_path, rule=other, blocks=1).progress.compared == 4
    done = again(store, tmp_path, rule=other, anew=True)
    assert (done.is_done, done.progress.compared) == (True, 7)


def test_what_people_decided_stays(store: Engine, tmp_path: Path) -> None:
    with transaction(store) as session:
        reviewer = a_reviewer(session)
        case_id = session.scalars(select(Case.id).order_by(Case.id)).first() or 0
        move(session, case_id, CaseState.REVIEWING, reviewer)
        move(session, case_id, CaseState.DISMISSED, reviewer)
        before = session.execute(select(Case.id, Case.state).order_by(Case.id)).all()

    again(store, tmp_path)

    with transaction(store) as session:
        assert session.execute(select(Case.id, Case.state).order_by(Case.id)).all() == before


def test_a_page_that_comes_meanwhile_is_compared_by_itself(store: Engine, tmp_path: Path) -> None:
    again(store, tmp_path, blocks=1)
    commit(store, [an_article("late", "转载，换了一个开头。\n" + story(COPIED[2]), hours=30)])

    again(store, tmp_path)
    with transaction(store) as session:
        assert backlog.waiting(session) == 1
    work_off(store, should_stop=never)

    assert ("https://late.example/a", f"https://县报.example/{COPIED[2]}") in found(store)


def test_a_page_that_is_gone_meanwhile_is_passed_over(store: Engine, tmp_path: Path) -> None:
    commit(store, [an_article("gone", "转载\n" + text_of(0))])
    again(store, tmp_path, blocks=2)
    with transaction(store) as session:
        assert saving.remove_page(session, "https://gone.example/a")

    done = again(store, tmp_path)

    assert (done.is_done, done.progress.failed) == (True, 0)


def test_a_store_without_texts_is_done_at_once(engine: Engine, tmp_path: Path) -> None:
    assert again(engine, tmp_path).is_done


ANOTHER = """
import fcntl, sys
file = open(sys.argv[1], "r+b")
fcntl.{call}(file, fcntl.LOCK_{how} | fcntl.LOCK_NB{more})
print("held", flush=True)
sys.stdin.read()
"""


def another(path: Path, *, call: str, how: str, more: str = "") -> "subprocess.Popen[str]":
    """Another process that holds a lock until its input ends."""
    code = ANOTHER.format(call=call, how=how, more=more)
    child = subprocess.Popen(
        [sys.executable, "-c", code, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert child.stdout is not None
    assert child.stdout.readline() == "held\n"
    return child


def begun(
    folder: Path, identity: str = "this", *, anew: bool = False, should_stop: Callable[[], bool] = never
) -> list[int]:
    """The blocks of a sweep of three that are left."""
    with sweep(folder, identity, anew=anew, make=lambda _: 3, should_stop=should_stop) as blocks:
        return _taken(blocks)


def _taken(blocks: Blocks) -> list[int]:
    taken = []
    while (number := blocks.next()) is not None:
        taken.append(number)
        blocks.done(number)
    return taken


def test_a_block_in_other_hands_is_left_to_them_and_comes_back_when_they_die(tmp_path: Path) -> None:
    with sweep(tmp_path, "this", anew=False, make=lambda _: 3, should_stop=never) as blocks:
        with another(tmp_path / "blocks", call="lockf", how="EX", more=", 1, 1") as other:
            assert _taken(blocks) == [0, 2]
            other.kill()
        assert (blocks.finished, blocks.count) == (2, 3)

    assert begun(tmp_path) == [1]
    assert begun(tmp_path) == [0, 1, 2]


def test_nobody_takes_away_the_files_of_another_that_is_at_work(tmp_path: Path) -> None:
    with sweep(tmp_path, "this", anew=False, make=lambda _: 3, should_stop=never):
        pass
    with another(tmp_path / "lock", call="flock", how="SH") as other:
        with pytest.raises(Busy):
            begun(tmp_path, "that")
        with pytest.raises(Busy):
            begun(tmp_path, anew=True)
        assert begun(tmp_path) == [0, 1, 2]
        other.kill()


def test_who_waits_for_the_files_to_be_made_can_be_stopped(tmp_path: Path) -> None:
    looked = iter([False, False, True])
    (tmp_path / "lock").touch()
    with another(tmp_path / "lock", call="flock", how="EX") as other:
        with pytest.raises(Interrupted):
            begun(tmp_path, should_stop=lambda: next(looked))
        other.kill()


def test_files_that_were_not_finished_are_made_anew(tmp_path: Path) -> None:
    def fail(_folder: Path) -> int:
        (_folder / "half").write_bytes(b"1")
        raise Interrupted

    with pytest.raises(Interrupted), sweep(tmp_path, "this", anew=False, make=fail, should_stop=never):
        pass

    assert begun(tmp_path) == [0, 1, 2]
    assert not (tmp_path / "half").exists()
