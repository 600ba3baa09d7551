"""Who was first and who says so: each clock alone, all together, and the same answer from either side."""

from datetime import timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from matcher.provenance.copy_damage import CopyDamage
from matcher.provenance.credit import CreditFound, credit_given
from matcher.provenance.direction import STRONGEST_CONFIDENCE, direction_between
from matcher.provenance.page_facts import PageFacts
from storage.records.pages import Declared
from storage.types import Credit, DateOrigin, FoundBy, Precision, SiteRole
from tests.support.factories import SEEN, facts

HOUR, DAY = timedelta(hours=1), timedelta(days=1)


def dated(offset: timedelta, precision: Precision = Precision.MINUTE, origin: DateOrigin = DateOrigin.META) -> Declared:
    return Declared(SEEN + offset, precision, origin)


def first_of(left: dict[str, Any], right: dict[str, Any], damage: CopyDamage = CopyDamage()) -> tuple[str, float]:  # noqa: B008  # frozen
    """Which of two pages is the source, and how surely."""
    found = direction_between(facts("left", **left), facts("right", **right), damage)
    return ("left" if found.left_is_source else "right", found.confidence)


PAGES = st.builds(
    facts,
    st.sampled_from(["one", "two", "three"]),
    first_seen_at=st.integers(-50, 50).map(lambda hours: SEEN + hours * HOUR),
    declared=st.builds(
        Declared,
        st.none() | st.integers(-9_000, 9_000).map(lambda minutes: SEEN + timedelta(minutes=minutes)),
        st.sampled_from(Precision),
        st.sampled_from(DateOrigin),
    ),
    role=st.sampled_from([None, *SiteRole]),
    found_by=st.sampled_from(FoundBy),
    credit_links=st.sampled_from([(), ("https://one.example/a",), ("https://two.example/",)]),
    credit_lines=st.sampled_from([(), ("来源：three.example",)]),
    modified_at=st.none() | st.integers(-50, 50).map(lambda hours: SEEN + hours * HOUR),
)
WEAR = st.builds(CopyDamage, st.integers(0, 9), st.integers(0, 9), st.integers(0, 9))


@given(PAGES, PAGES, WEAR)
def test_exchanging_the_pages_exchanges_the_answer(left: PageFacts, right: PageFacts, damage: CopyDamage) -> None:
    forth = direction_between(left, right, damage)
    back = direction_between(right, left, CopyDamage(damage.replaced, damage.right_words, damage.left_words))

    assert 0.5 <= forth.confidence <= STRONGEST_CONFIDENCE
    assert forth.confidence == pytest.approx(back.confidence)
    assert sorted(forth.reasons) == sorted(back.reasons)
    assert forth.reasons
    if (left.first_seen_at, left.url) != (right.first_seen_at, right.url):
        assert forth.left_is_source != back.left_is_source


def test_nothing_known_is_said_and_the_first_seen_is_taken_for_the_source() -> None:
    found = direction_between(facts("a"), facts("b", first_seen_at=SEEN + HOUR / 2))

    assert (found.left_is_source, found.confidence) == (True, 0.5)
    assert found.reasons == ("nothing shows which was first",)


@pytest.mark.parametrize(
    ("left", "right", "source"),
    [
        ({"declared": dated(-DAY)}, {"declared": dated(HOUR)}, "left"),
        ({"declared": dated(HOUR)}, {"declared": dated(-DAY)}, "right"),
        ({"first_seen_at": SEEN - DAY}, {}, "left"),
        ({"role": SiteRole.ORIGINAL}, {"role": SiteRole.WATCHED}, "left"),
        ({}, {"credit_links": ("https://left.example/a",)}, "left"),
        ({"credit_lines": ("来源：晚报",)}, {"site_name": "晚报"}, "right"),
        ({"modified_at": SEEN - DAY}, {"modified_at": SEEN}, "left"),
    ],
    ids=["earlier date", "later date", "first seen", "original site", "link", "name", "file date"],
)
def test_each_clock_alone_moves_the_answer(left: dict[str, Any], right: dict[str, Any], source: str) -> None:
    name, confidence = first_of(left, right)

    assert name == source
    assert 0.6 < confidence < STRONGEST_CONFIDENCE


@pytest.mark.parametrize("hour", [0, 9, 23])
def test_a_bare_date_never_beats_a_time_on_that_day(hour: int) -> None:
    midnight = SEEN.replace(hour=0)
    bare = Declared(midnight, Precision.DAY, DateOrigin.META)
    timed = Declared(midnight + hour * HOUR, Precision.MINUTE, DateOrigin.META)

    assert first_of({"declared": bare}, {"declared": timed})[1] == 0.5
    assert first_of({"declared": timed}, {"declared": bare})[1] == 0.5
    assert first_of({"declared": bare}, {"declared": Declared(midnight + DAY, Precision.MINUTE, DateOrigin.META)}) > (
        "left",
        0.6,
    )


def test_two_times_within_one_minute_decide_nothing() -> None:
    assert first_of({"declared": dated(timedelta(0))}, {"declared": dated(timedelta(seconds=30))})[1] == 0.5


def test_the_order_in_which_a_file_was_imported_says_nothing() -> None:
    assert first_of({"first_seen_at": SEEN - DAY, "found_by": FoundBy.IMPORT}, {})[1] == 0.5
    assert first_of({}, {"first_seen_at": SEEN + DAY, "found_by": FoundBy.SEARCH})[1] == 0.5


def test_a_credit_outweighs_a_date_that_the_copier_wrote() -> None:
    copier = {"declared": dated(-9 * DAY, origin=DateOrigin.VISIBLE), "credit_links": ("https://right.example/a",)}

    assert first_of(copier, {"declared": dated(timedelta(0))})[0] == "right"


def test_the_side_whose_words_are_broken_was_worked_on() -> None:
    assert first_of({}, {}, CopyDamage(40, left_words=900, right_words=700))[0] == "right"
    assert first_of({}, {}, CopyDamage(2, left_words=900, right_words=700))[1] == 0.5


def test_agreeing_clocks_make_surer_but_never_certain() -> None:
    early = {"declared": dated(-DAY), "first_seen_at": SEEN - DAY, "role": SiteRole.ORIGINAL}
    link = {"credit_links": ("https://left.example/a",), "declared": dated(DAY)}

    assert first_of(early, link) == ("left", STRONGEST_CONFIDENCE)
    assert (
        first_of(early, {"declared": dated(DAY)})[1] > first_of({"declared": dated(-DAY)}, {"declared": dated(DAY)})[1]
    )


SOURCE = facts("news", site_name="江城晚报", author="王记者")


@pytest.mark.parametrize(
    ("given_by", "expected"),
    [
        ({}, CreditFound(Credit.NONE)),
        ({"credit_links": ("https://news.example/a",)}, CreditFound(Credit.LINKED, "https://news.example/a")),
        ({"credit_links": ("//www.NEWS.example",)}, CreditFound(Credit.LINKED, "//www.NEWS.example")),
        ({"credit_links": ("https://news.example.evil.example/a",)}, CreditFound(Credit.NONE)),
        ({"credit_links": ("https://evil.example/?u=news.example", "/a")}, CreditFound(Credit.NONE)),
        ({"credit_lines": (" 来源：江城晚报 ",)}, CreditFound(Credit.NAMED, "来源：江城晚报")),
        ({"credit_lines": ("來源：江城晚報",)}, CreditFound(Credit.NAMED, "來源：江城晚報")),
        ({"credit_lines": ("文／王 记者",)}, CreditFound(Credit.NAMED, "文／王 记者")),
        ({"credit_lines": ("来自 news.example",)}, CreditFound(Credit.NAMED, "来自 news.example")),
        ({"credit_lines": ("来源：网络",)}, CreditFound(Credit.NONE)),
        (
            {"credit_lines": ("来源：江城晚报",), "credit_links": ("https://news.example/",)},
            CreditFound(Credit.LINKED, "https://news.example/"),
        ),
        ({"canonical_link": "https://news.example/a"}, CreditFound(Credit.LINKED, "https://news.example/a")),
        ({"canonical_link": "https://copy.example/b"}, CreditFound(Credit.NONE)),
        ({"credit_links": ("http://[bad",)}, CreditFound(Credit.NONE)),
    ],
)
def test_a_credit_is_a_link_to_the_source_or_its_name(given_by: dict[str, Any], expected: CreditFound) -> None:
    assert credit_given(facts("copy", **given_by), SOURCE) == expected


def test_a_name_of_one_character_credits_nobody() -> None:
    assert credit_given(facts("copy", credit_lines=("来源：网",)), facts("x", site_name="网")).credit is Credit.NONE


def test_a_canonical_link_to_another_site_is_credit_and_makes_that_site_the_source() -> None:
    name, confidence = first_of({"canonical_link": "https://right.example/a"}, {})

    assert name == "right"
    assert confidence < STRONGEST_CONFIDENCE
