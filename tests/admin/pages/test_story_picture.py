"""The picture of a story places every page in its row and at its time."""

from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from admin.pages.story_picture import LANE_HEIGHT, LEFT, MOST_LANES, RIGHT, Teller, story_picture
from storage.matches.story_pages import Story, StoryLink, StoryPage
from storage.records.pages import Declared, PageRecord
from storage.types import Credit, DateOrigin, FoundBy, MatchKind, Precision, Rights

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


def told(number: int, *, owner: str = "", hours: float = 0, declared: bool = True, in_family: bool = True) -> StoryPage:
    at = NOON + timedelta(hours=hours)
    said = Declared(at, Precision.MINUTE, DateOrigin.META) if declared else Declared()
    page = PageRecord(
        number, f"https://{number}.example/", f"{number}.example", None, None, None, None, FoundBy.SPIDER, at, None,
        number, number, 900, at, f"第{number}篇", "", "", said, Rights.UNKNOWN, (), (), None, None,
        owner or f"owner {number}",
    )  # fmt: skip
    return StoryPage(page, in_family)


def link(copy: int, source: int, *, score: float = 0.9, confidence: float = 0.9) -> StoryLink:
    return StoryLink(copy * 100 + source, copy, source, MatchKind.NEAR, score, confidence, Credit.NONE)


def by_number(tellers: tuple[Teller, ...]) -> dict[int, Teller]:
    return {teller.page.id: teller for teller in tellers}


def test_everybody_stands_in_the_order_of_time_and_in_the_row_of_his_owner() -> None:
    pages = (told(1, owner="甲", hours=4), told(2, owner="乙"), told(3, owner="甲", hours=8, declared=False))
    drawn = story_picture(Story(pages, (), False))

    assert [teller.page.id for teller in drawn.tellers] == [2, 1, 3]
    assert [(teller.x, teller.lane) for teller in drawn.tellers] == [(LEFT, 0), ((LEFT + RIGHT) / 2, 1), (RIGHT, 1)]
    assert drawn.lanes == ("乙", "甲")
    assert [teller.is_declared for teller in drawn.tellers] == [True, True, False]
    assert [at for _x, at in drawn.ticks][0::3] == [NOON, NOON + timedelta(hours=8)]
    assert drawn.tick_precision is Precision.MINUTE


def test_the_origin_is_who_gave_it_to_most_and_has_it_from_nobody() -> None:
    pages = tuple(told(number, hours=number) for number in range(1, 5))
    links = (link(3, 2), link(4, 2), link(4, 3), link(2, 1, score=0.2))

    assert [teller.page.id for teller in story_picture(Story(pages, links, False)).tellers if teller.is_origin] == [1]
    assert [teller.page.id for teller in story_picture(Story(pages, links[:3], False)).tellers if teller.is_origin] == [
        2
    ]


def test_of_several_sources_the_surest_is_named() -> None:
    pages = tuple(told(number, hours=number) for number in range(1, 4))
    links = (link(3, 1, score=0.9, confidence=0.6), link(3, 2, score=0.9, confidence=0.9))
    drawn = story_picture(Story(pages, links, False))

    source = by_number(drawn.tellers)[3].source
    assert source is not None
    assert source.source_page_id == 2
    assert [arc.link.source_page_id for arc in drawn.arcs] == [2]


def test_a_source_that_is_not_shown_draws_no_arc() -> None:
    assert story_picture(Story((told(1),), (link(1, 9),), False)).arcs == ()


def test_one_moment_and_no_page_at_all_are_borne() -> None:
    (alone,) = story_picture(Story((told(1),), (), False)).tellers
    assert alone.x == (LEFT + RIGHT) / 2
    nothing = story_picture(Story((), (), False))
    assert (nothing.tellers, nothing.lanes, nothing.ticks, nothing.height) == ((), (), (), 0)


@given(
    st.lists(st.tuples(st.integers(0, 60), st.floats(0, 9_000), st.booleans()), max_size=80),
    st.lists(st.tuples(st.integers(0, 90), st.integers(0, 90)), max_size=40),
)
def test_nobody_stands_outside_the_picture(pages: list[tuple[int, float, bool]], pairs: list[tuple[int, int]]) -> None:
    story = tuple(
        told(number, owner=f"owner {owner}", hours=hours, declared=declared)
        for number, (owner, hours, declared) in enumerate(pages)
    )
    drawn = story_picture(Story(story, tuple(link(*pair) for pair in pairs if pair[0] != pair[1]), False))

    assert len(drawn.tellers) == len(pages)
    assert all(LEFT <= teller.x <= RIGHT and 0 < teller.y < drawn.height for teller in drawn.tellers)
    assert len(drawn.lanes) == drawn.height // LANE_HEIGHT <= MOST_LANES
    assert sum(teller.is_origin for teller in drawn.tellers) <= 1
