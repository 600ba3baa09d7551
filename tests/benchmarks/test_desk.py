"""The measure of the desk: the store it makes up holds what it says, and every page of it is asked for and comes."""

from collections.abc import Iterator

import pytest
from click.testing import CliRunner
from sqlalchemy import Engine, func, select
from sqlalchemy.orm import Session

from benchmarks.common.made_up_texts import Wording
from benchmarks.common.report import as_markdown
from benchmarks.desk.asked import Asked, asked_of
from benchmarks.desk.case_rows import CaseRows
from benchmarks.desk.copying import made_copy
from benchmarks.desk.fill import fill
from benchmarks.desk.measure import BOUND_MS, P95_BOUND_MS, PageFailed, Timing, measured
from benchmarks.desk.rows import Rows
from benchmarks.desk.run import DeskResult, largest_matches, report_of
from benchmarks.desk.world import OURS_EVERY, World
from storage.engine import make_engine
from storage.matches import hits
from storage.models.cases import Case
from storage.models.pages import Page, PageVersion
from storage.records.matches import HitFilter
from storage.types import CaseState, MatchKind
from zhiwen.commands.bench.desk import desk

WORLD = World(pages=2_000, matches=200, seed=3)


def nobody_listens(_what: str, _done: int, _whole: int) -> None:
    """The progress of a test is of no interest."""


@pytest.fixture(scope="module")
def world() -> World:
    return WORLD


def test_the_same_seed_makes_the_same_world_and_another_one_another(world: World) -> None:
    again, other = World(2_000, 200, 3), World(2_000, 200, 4)

    assert again.copies == world.copies
    assert again.site_of == world.site_of
    assert other.copies != world.copies


def test_every_copy_stands_on_a_page_of_its_own_and_is_of_one_of_ours(world: World) -> None:
    assert len({copy.theirs for copy in world.copies}) == world.matches
    assert all(copy.ours % OURS_EVERY == 0 and copy.theirs % OURS_EVERY for copy in world.copies)
    assert max(max(copy.ours, copy.theirs) for copy in world.copies) <= world.pages


def test_as_many_copies_as_pages_that_are_not_ours_find_room() -> None:
    full = World(2_000, largest_matches(2_000), 1)

    assert len({copy.theirs for copy in full.copies}) == full.matches


@pytest.mark.parametrize("kind", MatchKind)
def test_what_a_copy_is_said_to_share_stands_in_both_texts(world: World, kind: MatchKind) -> None:
    rows, wording = Rows(world), Wording(world.seed)
    of_kind = [copy for copy in World(20_000, 1_000, 3).copies if copy.kind is kind][:20]
    assert of_kind

    for copy in of_kind:
        made = made_copy(wording, copy)
        source = "".join(wording.sentences(copy.ours, 24))
        assert made.passages
        assert made.source_chars == len(source)
        for passage in made.passages:
            taken = made.text[passage.right_start : passage.right_end]
            assert taken == source[passage.left_start : passage.left_end]
            assert taken
    assert rows.made(of_kind[0]) == made_copy(wording, of_kind[0])


@pytest.fixture
def filled(clean_database_url: str) -> Iterator[tuple[Engine, CaseRows]]:
    engine = make_engine(clean_database_url)
    yield engine, fill(engine, WORLD, progress=nobody_listens)
    engine.dispose()


def test_the_store_is_filled_and_every_page_is_measured(filled: tuple[Engine, CaseRows]) -> None:
    engine, cases = filled
    with Session(engine) as session:
        assert session.scalar(select(func.count()).select_from(Page)) == WORLD.pages
        assert session.scalar(select(func.count()).select_from(PageVersion)) == WORLD.pages
        assert hits.count_hits(session, HitFilter()) == WORLD.matches
        assert session.scalar(select(func.count()).select_from(Case)) == len(cases.cases)
    assert {case.state for case in cases.cases} >= {CaseState.NEW, CaseState.CONFIRMED, CaseState.DISMISSED}

    asked = list(asked_of(WORLD, cases))
    timings = list(measured(engine, asked, times=1, progress=nobody_listens))

    assert [timing.asked for timing in timings] == asked
    assert len({one.path for one in asked}) == len({one.name for one in asked}) == len(asked)
    for timing in timings:
        assert timing.queries > 0
        assert 0 < timing.database_ms <= timing.most_ms
        assert timing.answer_bytes > 0

    with pytest.raises(PageFailed, match="/cases/999999999 answered 404"):
        list(measured(engine, [Asked("none", "/cases/999999999")], times=1, progress=nobody_listens))


def test_what_takes_longer_than_promised_is_named() -> None:
    fast, slow, uneven, unpromised = (
        Timing(Asked(name, "/", is_promised=name != "why"), 1.0, ms, most, most, 1.0, 1.0, 3, 9)
        for name, ms, most in (
            ("cases", BOUND_MS, P95_BOUND_MS),
            ("hits", BOUND_MS + 1, P95_BOUND_MS),
            ("pages", BOUND_MS, P95_BOUND_MS + 1),
            ("why", 9_000.0, 18_000.0),
        )
    )
    timings = (fast, slow, uneven, unpromised)
    result = DeskResult("1", "3.11", "Linux", 2, 0.5, 9, 9, 9, 9, 1, 1, settled=True, timings=timings)

    report = report_of(result)

    assert result.over == (slow, uneven)
    assert isinstance(report.value, dict)
    assert [shown["over"] for shown in report.value["timings"]] == [False, True, True, False]
    table = as_markdown(report)
    assert "| hits | 151 | 300 | 1–300 | 1 | 1 | 3 | over |" in table
    assert "| why | 9000 | 18000 | 1–18000 | 1 | 1 | 3 |  |" in table
    assert "Median over 150 ms or 95th percentile over 300: 2 of 4." in table


@pytest.mark.parametrize(
    ("arguments", "fault"),
    [
        (("--pages", "1999"), "2,000 are the least"),
        (("--pages", "3000", "--matches", "199"), "between 200 and 2,700"),
        (("--pages", "3000", "--matches", "2701"), "between 200 and 2,700"),
    ],
)
def test_a_store_that_cannot_be_made_is_wrong_usage(arguments: tuple[str, ...], fault: str) -> None:
    answer = CliRunner().invoke(desk, arguments)

    assert answer.exit_code == 2
    assert fault in answer.output
