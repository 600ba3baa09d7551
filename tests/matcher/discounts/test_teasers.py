"""A list page shows the first lines of articles, and is no copier of them."""

import pytest

from fingerprint.compute import analyse
from matcher.boilerplate.classifier import gram_index
from matcher.judgement.judge import Judgement, judge
from tests.support.factories import story, text_of


def judged(left: str, right: str) -> Judgement:
    return judge(analyse(left).initials, analyse(right).initials, boilerplate=gram_index(()))


def listing(first_lines: str, more: str) -> str:
    return f"{text_of(1, chars=300)}\n{first_lines}{more}\n{text_of(2, chars=300)}"


@pytest.mark.parametrize("more", ["……阅读全文", "...", "… [详细]"])
def test_first_lines_that_break_off_are_no_copy_from_either_side(more: str) -> None:
    page = listing(story()[:90], more)

    assert not judged(page, story()).is_match
    assert not judged(story(), page).is_match


@pytest.mark.parametrize(
    "page",
    [
        listing(story()[:90], "。"),
        listing(story()[200:290], "……阅读全文"),
        listing(story()[:320], "……阅读全文"),
    ],
    ids=["does not break off", "not the beginning", "an excerpt"],
)
def test_what_only_resembles_first_lines_is_a_copy(page: str) -> None:
    assert judged(page, story()).is_match


def test_a_whole_copy_full_of_ellipses_is_a_copy() -> None:
    told = story().replace("。", "……")

    assert judged(told, told).is_match
