"""Where the edges of two texts are, and that what stands there proves less than what stands within."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fingerprint.compute import analyse
from matcher.boilerplate.classifier import gram_index
from matcher.discounts.page_edges import EDGE_UNITS, at_same_edge, edge_length
from matcher.discounts.source_code import code_units
from matcher.judgement.judge import Judgement, judge
from tests.support.factories import story, text_of

CREDITS = (
    "作者：林见微　编辑：周远舟　审校：苏禾　制图：方行\n"
    "本文由河畔译社组织翻译，河畔网首发，转载请先与我们联系并注明出处和译者。"
)


def judged(left: str, right: str) -> Judgement:
    return judge(analyse(left).initials, analyse(right).initials, boilerplate=gram_index(()))


@pytest.mark.parametrize(("units", "edge"), [(0, 0), (9, 0), (600, 60), (1_500, EDGE_UNITS), (90_000, EDGE_UNITS)])
def test_an_edge_grows_with_the_text_up_to_a_bound(units: int, edge: int) -> None:
    assert edge_length(units) == edge


@given(st.integers(0, 900), st.integers(0, 900), st.integers(1, 100))
def test_only_units_at_the_same_edge_of_both_texts_are_marked(left: int, right: int, length: int) -> None:
    mask = at_same_edge(np.arange(left, left + length), np.arange(right, right + length), 1_000, 1_000)

    expected = [(left + n < 100 and right + n < 100) or (left + n >= 900 and right + n >= 900) for n in range(length)]
    assert mask.tolist() == expected


def test_credits_below_two_articles_are_no_copy_and_in_the_middle_of_them_they_are() -> None:
    one, other = text_of(1, chars=900), text_of(2, chars=900)

    assert not judged(f"{one}\n{CREDITS}", f"{other}\n{CREDITS}").is_match
    assert not judged(f"{CREDITS}\n{one}", f"{CREDITS}\n{other}").is_match
    assert not judged(f"{one}\n{CREDITS}", f"{CREDITS}\n{other}").is_match, "told by their form at either edge"
    assert judged(f"{one}\n{CREDITS}\n{one[::-1]}", f"{other}\n{CREDITS}\n{other[::-1]}").is_match


def test_a_copied_beginning_that_reaches_into_the_text_is_a_copy() -> None:
    begun = story()[:200]

    assert judged(f"{begun}{text_of(1, chars=900)}", story()).is_match
    assert not judged(f"{begun[:60]}{text_of(1, chars=900)}", story()).is_match


def test_what_stands_at_an_edge_is_shown_with_the_copy_it_belongs_to() -> None:
    found = judged(story(), story())

    assert found.is_match
    assert found.left_share == 1.0


@pytest.mark.parametrize(
    "text",
    [
        "sudo add-apt-repository ppa:river-team/tools && sudo apt-get update",
        "/usr/share/doc/river/examples.d/10-default.conf",
        "self.assertEqual(total(items), 3)",
        "https://site.example/2020/01/how-to-mend-a-bicycle.html",
    ],
)
def test_commands_paths_and_addresses_are_code(text: str) -> None:
    assert code_units(analyse(text).initials).all()


LISTING = "\n".join(
    f"""protected Parcel readParcel{name}(String parcelName, Object rawParcel, @Nullable Route nextRoute) {{
        if (nextRoute == null) throw new MissingRoute(parcelName);
        Parcel foundParcel = parcelStore.load(parcelName, rawParcel);
        foundParcel.applyRoute(nextRoute, waitSeconds{name});
        return wrapParcel(foundParcel, parcelName);
    }}"""
    for name in ("ByNumber", "ByAddress", "ByWeight", "ByCourier", "ByDate")
)


def test_a_listing_that_two_explain_is_no_copy_and_its_explanation_is() -> None:
    """Whoever explains a library quotes its source."""
    assert code_units(analyse(LISTING).initials).mean() > 0.9
    assert not judged(f"{text_of(1)}\n{LISTING}\n{text_of(2)}", f"{text_of(3)}\n{LISTING}\n{text_of(4)}").is_match

    explained = f"{story()[100:220]}\n{LISTING}"
    assert judged(f"{text_of(1)}\n{explained}\n{text_of(2)}", f"{text_of(3)}\n{explained}\n{text_of(4)}").is_match


def test_a_page_that_is_nothing_but_a_listing_is_a_copy_of_it() -> None:
    assert judged(LISTING, f"{LISTING}\n{text_of(1, chars=80)}").is_match


@pytest.mark.parametrize(
    "text",
    [
        "",
        "阳台改造记\n========================================\n先说承重。",
        "类 Unix 系统 (Unix-like) 最先使用的，是叫作 System V (SysV) 的传统初始化系统。",
        "承重这件事她专门去问过物业的工程师。",
        "据测算，3月5日至2020-03-12，日均12.5万人次，最高达13.8万人次（早晚高峰）。",
        "The well-known author of the book spoke, at 10:30, about rivers and about mending bicycles in the rain.",
    ],
)
def test_prose_is_no_code_whatever_figures_it_holds(text: str) -> None:
    assert not code_units(analyse(text).initials).any()
