"""Copies whose characters stand in another order."""

import random
from collections.abc import Sequence
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fingerprint.compute import analyse
from matcher.boilerplate.classifier import gram_index
from matcher.explanation.explain import compare_texts
from matcher.judgement.gates import GateKind
from matcher.judgement.judge import judge
from matcher.judgement.reordering import reconsider
from matcher.judgement.scrambled import scrambled_stretches
from matcher.judgement.scrambled_windows import KEPT, WINDOW
from matcher.worker.backlog import work_off
from storage.engine import make_engine, transaction
from storage.matches.hits import list_hits
from storage.types import MatchKind
from tests.support.factories import an_article, commit, story, text_of
from zhiwen.demo.articles import articles

SLUGS = sorted(articles("original"))
CHINESE = [slug for slug in SLUGS if "的" in story(slug)]
ENGLISH = [slug for slug in SLUGS if "的" not in story(slug)]


def shuffled_within(text: str, places: int, *, seed: int = 1) -> str:
    """Each character moves by less than `places`."""
    return "".join(_shuffled(text, places, seed))


def words_shuffled_within(text: str, places: int) -> str:
    return " ".join(_shuffled(text.split(), places, 1))


def _shuffled(parts: Sequence[str], places: int, seed: int) -> list[str]:
    chance = random.Random(seed)  # noqa: S311  # repeatable, nothing secret
    order = sorted((place + chance.uniform(0, places), place) for place in range(len(parts)))
    return [parts[place] for _, place in order]


@pytest.mark.parametrize("slug", [slug for slug in CHINESE if len(story(slug)) > 300])
def test_what_moved_by_a_place_or_two_is_found_in_one_way_or_the_other(slug: str) -> None:
    found = compare_texts(shuffled_within(story(slug), 3), story(slug)).judgement

    assert found.is_match
    assert min(found.left_share, found.right_share) > 0.85


def test_stretches_that_nothing_lies_between_are_one() -> None:
    """A paragraph of the source is left out: the diagonal bends, and the copy goes on."""
    text = text_of(3, chars=1_200)
    copied = text[:500] + text[512:]

    found = compare_texts(shuffled_within(copied, 8), text).judgement

    assert found.is_scrambled
    assert len(found.passages) == 1
    assert min(found.left_share, found.right_share) > 0.9


@pytest.mark.parametrize("slug", ENGLISH)
def test_words_in_another_order_are_the_same_words(slug: str) -> None:
    found = compare_texts(words_shuffled_within(story(slug), 8), story(slug)).judgement

    assert found.is_scrambled
    assert min(found.left_share, found.right_share) > 0.75


@pytest.mark.parametrize("places", [6, 10, 15])
@pytest.mark.parametrize("slug", CHINESE)
def test_a_shuffled_copy_is_one_passage_over_nearly_all_of_it(slug: str, places: int) -> None:
    text = story(slug)

    found = compare_texts(shuffled_within(text, places), text).judgement

    assert found.is_match
    assert found.is_scrambled
    assert min(found.left_share, found.right_share) > 0.75
    assert max(passage.similarity for passage in found.passages) > 0.75


def test_a_shuffled_part_inside_another_text_is_found_where_it_stands() -> None:
    host, text = text_of(1, chars=1_500), story()
    page = host[:700] + shuffled_within(text[:500], 10) + host[700:]

    (passage,) = compare_texts(page, text).judgement.passages

    assert abs(passage.left_start - 700) < WINDOW
    assert abs(passage.left_end - 1_200) < WINDOW
    assert passage.right_start < WINDOW
    assert abs(passage.right_end - 500) < WINDOW


@pytest.mark.parametrize("slug", SLUGS)
def test_other_articles_have_no_such_stretch(slug: str) -> None:
    one = analyse(story(slug))
    for other in SLUGS:
        if other != slug:
            assert scrambled_stretches(one.initials, one.asked_slices, analyse(story(other)).initials) == ()


def test_what_stands_in_order_is_left_to_the_alignment() -> None:
    text = story()
    one, other = analyse(text), analyse(text)
    aligned = judge(one.initials, other.initials, boilerplate=gram_index(()))

    assert reconsider(aligned, one, other.initials, boilerplate=gram_index(())) is aligned


def test_the_weather_of_two_days_is_not_a_shuffled_copy() -> None:
    """Mostly the same words in the same order; only the figures and a few words stand elsewhere."""
    days = [
        f"{place}{day}日天气预报。今天白天{sky}，{wind}，最高气温{high}摄氏度；夜间{night}，最低气温{low}摄氏度。"
        f"预计明天{sky}间{night}，请市民出行时注意交通安全，适当增减衣物。空气质量指数{index}，适宜户外活动。"
        f"未来三天气温先升后降，{wind}为主，森林火险等级较高，山区{night}后注意防范山洪。"
        for place, day, sky, wind, high, night, low, index in (
            ("青川", 5, "晴", "偏北风三级", 21, "多云", 9, 44),
            ("临沧", 17, "多云", "南风转东南风二级", 27, "小雨", 14, 82),
        )
    ]
    found = compare_texts(*days).judgement

    assert not found.is_scrambled
    assert not [gate for gate in found.gates if gate.kind is GateKind.REORDERED and gate.passed]


def test_shuffled_boilerplate_proves_nothing() -> None:
    text = story()
    one, other = analyse(shuffled_within(text, 10)), analyse(text)
    nothing = judge(one.initials, other.initials, boilerplate=gram_index(()))
    learned = gram_index([one.initials.codes.tobytes()])

    assert reconsider(nothing, one, other.initials, boilerplate=gram_index(())).is_scrambled
    assert not reconsider(nothing, one, other.initials, boilerplate=learned).is_match


def test_letters_between_do_not_thin_out_a_notice_that_proves_nothing() -> None:
    """Keywords, an abstract in English, and a notice: only Han characters are compared, so only these are counted."""
    notice = text_of(7, chars=150)
    abstract = "This paper presents a method that refines what a network of neurons has learned from examples. " * 8
    one = analyse(f"{text_of(1, chars=60)}{abstract}{notice}")
    other = analyse(f"{text_of(2, chars=300)}{notice}{text_of(3, chars=300)}")
    learned = gram_index([analyse(notice).initials.codes.tobytes()])

    judgement = judge(one.initials, other.initials, boilerplate=learned)

    assert not judgement.is_match
    assert not reconsider(judgement, one, other.initials, boilerplate=learned).is_match


@settings(max_examples=40, deadline=None)
@given(st.sampled_from(CHINESE), st.integers(2, 20), st.integers(0, 400), st.integers(100, 900), st.integers(0, 99))
def test_stretches_lie_inside_both_texts_and_never_over_each_other(
    slug: str, places: int, start: int, length: int, seed: int
) -> None:
    text = story(slug)
    one = analyse(text_of(seed, chars=300) + shuffled_within(text[start : start + length], places, seed=seed) * 2)
    other = analyse(text)

    found = scrambled_stretches(one.initials, one.asked_slices, other.initials)

    assert all(KEPT <= stretch.kept <= 1 for stretch in found)
    for sides, units in (
        (sorted((stretch.left, stretch.left_end) for stretch in found), len(one.initials)),
        (sorted((stretch.right, stretch.right_end) for stretch in found), len(other.initials)),
    ):
        assert all(0 <= begin < end <= units for begin, end in sides)
        assert all(before[1] <= after[0] for before, after in pairwise(sides))


@pytest.mark.parametrize("text", ["", "短", "的" * 5_000, "中文" * 5_000, "12" * 3_000, "a b " * 2_000])
def test_odd_texts_are_handled(text: str) -> None:
    one = analyse(text)
    for other in (text, story(), ""):
        scrambled_stretches(one.initials, one.asked_slices, analyse(other).initials)
        assert 0 <= compare_texts(text, other).judgement.left_share <= 1


def test_a_stored_article_is_found_from_its_shuffled_copy(clean_database_url: str) -> None:
    engine = make_engine(clean_database_url)
    text = story()
    commit(engine, [an_article(f"https://b.example/{number}", text_of(number)) for number in range(5)])
    commit(engine, [an_article("https://a.example/1", text)])
    commit(engine, [an_article("https://c.example/1", shuffled_within(text, 10), hours=5)])

    work_off(engine, should_stop=lambda: False)

    with transaction(engine) as session:
        (hit,) = list_hits(session)
    assert hit.kind is MatchKind.SCRAMBLED
    assert hit.copy.url == "https://c.example/1"
    assert hit.passages[0].differences.moved > 300
    engine.dispose()


def test_the_gate_is_told_with_its_numbers() -> None:
    text = story()

    gates = compare_texts(shuffled_within(text, 10), text).judgement.gates

    assert [gate.passed for gate in gates if gate.kind is GateKind.REORDERED] == [True]
