"""A page made of several sources is taken apart without claiming a character twice."""

from datetime import UTC, datetime

from hypothesis import given
from hypothesis import strategies as st

from admin.passages.source_split import Lane, Stretch, lanes, unexplained
from storage.records.matches import Evidence, HitRecord, HitSide, Passage
from storage.types import Credit, MatchKind

AT = datetime(2026, 3, 1, tzinfo=UTC)
CHARS = 100


def side(page_id: int) -> HitSide:
    return HitSide(page_id, f"https://{page_id}.example/", None, None, "", None, "", None, AT, page_id, CHARS, 0.5)


def hit(number: int, *spans: tuple[int, int], is_boilerplate: bool = False) -> HitRecord:
    passages = tuple(Passage(start, end, start, end, 1.0, is_boilerplate=is_boilerplate) for start, end in spans)
    return HitRecord(
        number, number, side(1), side(number + 1), MatchKind.MOSAIC, 0.9, 10, 0.9, (), Credit.NONE, "", passages,
        Evidence(None, 0, 0, 0, 0), AT,
    )  # fmt: skip


def numbers(found: tuple[Lane[HitRecord], ...]) -> list[int]:
    return [lane.hit.id for lane in found]


def test_each_stretch_belongs_to_the_source_that_explains_most() -> None:
    found = lanes([hit(1, (0, 20)), hit(2, (10, 60))], CHARS)

    assert numbers(found) == [2, 1]
    assert [lane.own_share for lane in found] == [0.5, 0.1]
    assert found[1].stretches == (Stretch(0, 10, is_own=True), Stretch(10, 20, is_own=False))
    assert unexplained([hit(1, (0, 20)), hit(2, (10, 60))], CHARS) == 0.4


def test_boilerplate_explains_nothing() -> None:
    (lane,) = lanes([hit(1, (0, 50), is_boilerplate=True)], CHARS)

    assert (lane.own_share, lane.stretches) == (0.0, ())


def test_passages_beyond_the_text_and_an_empty_text_are_borne() -> None:
    assert lanes([hit(1, (90, 300), (200, 300))], CHARS)[0].stretches == (Stretch(90, 100, is_own=True),)
    assert lanes([hit(1, (0, 10))], 0)[0].own_share == 0.0
    assert (lanes([], CHARS), unexplained([], 0)) == ((), 0.0)


spans = st.tuples(st.integers(0, 120), st.integers(0, 120)).map(lambda pair: (min(pair), max(pair)))


@given(st.lists(st.lists(spans, max_size=3), max_size=5))
def test_own_stretches_never_overlap_between_sources(sources: list[list[tuple[int, int]]]) -> None:
    hits = [hit(number, *found) for number, found in enumerate(sources, start=1)]
    found = lanes(hits, CHARS)

    claimed = [
        {at for stretch in lane.stretches if stretch.is_own for at in range(stretch.start, stretch.end)}
        for lane in found
    ]
    together = set().union(*claimed)
    assert len(together) == sum(map(len, claimed))
    assert abs(sum(lane.own_share for lane in found) + unexplained(hits, CHARS) - 1) < 1e-9
    assert len(together) == round(sum(lane.own_share for lane in found) * CHARS)
