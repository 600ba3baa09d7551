"""A batch of pages leaves the same rows as the same pages one by one, with look-ups in the database or in files."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import Engine, select, text
from sqlalchemy.orm import Session

from fingerprint.compute import Analysis
from matcher.retrieval.candidates import Found
from matcher.worker import backlog as worker
from matcher.worker.match_version import look_up_each, match_version
from matcher.worker.sorted_look_ups import look_ups_for
from matcher.worker.turns import TOGETHER_CHARS, turns_of
from storage.engine import transaction
from storage.matches import backlog
from storage.models.pages import PageVersion
from storage.pages import backlog_entry
from storage.types import Rights, SiteRole
from tests.support.disguises import swap_homophones
from tests.support.factories import STORIES, a_site, an_article, commit, story, text_of
from tests.support.store.store_reads import backlog_failures
from zhiwen.demo.articles import disclaimer

if TYPE_CHECKING:
    from storage.records.pages import NewArticle

WIRE = ("来源：新华社",)
OURS = STORIES[:9]

RESULTS = {
    "match": "SELECT low_text_id, high_text_id, kind, score, low_share, high_share, longest, passages, evidence"
    " FROM match",
    "page_match": "SELECT m.low_text_id, m.high_text_id, p.low_page_id, p.high_page_id, p.source_page_id, p.confidence,"
    " p.reasons, p.credit, p.credit_evidence FROM page_match AS p JOIN match AS m ON m.id = p.match_id",
    "text_family": "SELECT text_id, family_id FROM text_family",
    "boilerplate": "SELECT seed, site_id, proves_nothing, units::text, texts, families, owners FROM boilerplate",
    "case": 'SELECT our_page_id, other_key, queue, state, chars, our_share FROM "case"',
    "case_page": "SELECT c.our_page_id, c.other_key, p.our_text_id, p.their_page_id, p.their_text_id, p.kind, p.chars,"
    ' p.our_share, p.credit, p.standing, p.gone_at IS NULL FROM case_page AS p JOIN "case" AS c ON c.id = p.case_id',
}
EMPTY = text('TRUNCATE match, page_match, text_family, boilerplate, "case", case_page, case_event, backlog CASCADE')


@pytest.fixture
def world(engine: Engine) -> Engine:
    """Stories of ours; copies edited, to the letter, in part, put together of two, in versions that were replaced, and
    by an agency; a notice of many hosts, the footer of one site, and pages that are alone. More than one batch.
    """
    with transaction(engine) as session:
        ours = a_site(session, "县报", owner="县报社", role=SiteRole.ORIGINAL, rights=Rights.OWN)
        copier = a_site(session, "抄写网", owner="抄写公司")
    found: list[NewArticle] = []
    for number, slug in enumerate(OURS):
        told = story(slug)
        edited = [swap_homophones(told, share=0.2, seed=seed) for seed in range(3)]
        found += [
            an_article(f"https://copier.example/{slug}", edited[0], hours=5),
            an_article(f"https://县报.example/{slug}", told, site_id=ours.id),
            an_article(
                f"https://抄写网.example/{slug}", f"{edited[1]}\n{text_of(7_000)[:200]}", hours=6, site_id=copier.id
            ),
            an_article(f"letter{number % 4}" if number % 3 else f"https://letter.example/{slug}", told, hours=9),
            an_article(f"https://part{number % 2}.example/{slug}", f"{text_of(number)}\n{told[100:420]}", hours=7),
            an_article(f"https://mixed.example/{slug}", told[:400] + story(OURS[number - 1])[:400], hours=8),
            an_article(f"https://notice{number}.example/a", f"{text_of(300 + number)}\n{disclaimer()}"),
            an_article(f"alone{number}", text_of(600 + number)),
        ]
    wire = {"credit_lines": WIRE, "rights": Rights.AGENCY}
    found += [an_article(f"wire{number}", story(OURS[number]), hours=-9, **wire) for number in range(2)]
    commit(engine, found)
    commit(engine, [an_article("alone1", swap_homophones(story(OURS[1]), share=0.1, seed=9), hours=11)])
    commit(engine, [an_article("alone1", text_of(999), hours=12)])
    return engine


def wait_again(engine: Engine) -> None:
    with transaction(engine) as session:
        backlog_entry.enqueue(session, session.scalars(select(PageVersion.id)).all())


def results(engine: Engine) -> dict[str, list[str]]:
    with transaction(engine) as session:
        assert (backlog.waiting(session), backlog_failures(session)) == (0, [])
        return {name: sorted(map(repr, session.execute(text(sql)).all())) for name, sql in RESULTS.items()}


def one_by_one(engine: Engine, _folder: Path) -> None:
    while True:
        with transaction(engine) as session:
            items = backlog.claim(session, limit=1)
            if not items:
                return
            match_version(session, items[0])
            backlog.done(session, [items[0].version_id])


def in_batches(engine: Engine, _folder: Path) -> None:
    worker.work_on(engine, should_stop=lambda: False)


def in_batches_with_files(engine: Engine, folder: Path) -> None:
    with look_ups_for(engine, folder, waiting=worker.SURVEY_FROM, should_stop=lambda: False) as look_up:
        assert look_up is not look_up_each
        worker.work_on(engine, should_stop=lambda: False, look_up=look_up)
    assert [path.name for path in folder.iterdir()] == ["lock"]


def test_batches_leave_the_same_rows_as_pages_one_by_one(world: Engine, tmp_path: Path) -> None:
    found = {}
    for way in (one_by_one, in_batches, in_batches_with_files):
        with transaction(world) as session:
            session.execute(EMPTY)
        found[way.__name__] = [_compared(world, way, tmp_path / "files"), _compared(world, way, tmp_path / "files")]

    first, again = found["one_by_one"]
    assert all(len(first[name]) >= 3 for name in RESULTS)
    assert again["page_match"] == first["page_match"]
    for way_name, (once, twice) in found.items():
        for name in RESULTS:
            assert once[name] == first[name], (way_name, name)
            assert twice[name] == again[name], (way_name, name)


def _compared(engine: Engine, way: Callable[[Engine, Path], None], folder: Path) -> dict[str, list[str]]:
    wait_again(engine)
    way(engine, folder)
    return results(engine)


def test_a_page_that_fails_leaves_its_batch_alone_and_is_counted(world: Engine) -> None:
    with transaction(world) as session:
        waiting = backlog.waiting(session)
        last = select(PageVersion.id, PageVersion.text_id).where(PageVersion.is_current).order_by(PageVersion.id.desc())
        version_id, text_id = session.execute(last.limit(1)).one()

    def look_up(session: Session, asked: Mapping[int, Analysis]) -> dict[int, Found]:
        if text_id in asked:
            raise ValueError("cannot be read")
        return look_up_each(session, asked)

    done = worker.work_on(world, should_stop=lambda: False, look_up=look_up)

    with transaction(world) as session:
        assert backlog_failures(session) == [(version_id, 1, "ValueError: cannot be read")]
    assert (done.failed, done.compared) == (1, waiting - 1)


def test_long_texts_are_compared_in_smaller_groups(engine: Engine) -> None:
    """64 whole books at once would take gigabytes."""
    lengths = (TOGETHER_CHARS // 2 + 1, TOGETHER_CHARS // 2, 300, 200)
    commit(engine, [an_article(f"host{chars}", ("长文" * chars)[:chars]) for chars in lengths])

    with transaction(engine) as session:
        groups = list(turns_of(session, backlog.claim(session, limit=worker.BATCH)))

    assert len(groups) == 2
    assert all(sum(turn.page.chars for turn in group) <= TOGETHER_CHARS for group in groups)
    assert sorted(turn.page.chars for group in groups for turn in group) == sorted(lengths)
