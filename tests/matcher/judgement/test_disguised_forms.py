"""What two texts have in common for their form: lines filled in, lists of titles, terms with their abbreviation."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from fingerprint.compute import analyse
from matcher.alignment.align import Mask
from matcher.boilerplate.classifier import gram_index
from matcher.discounts.long_names import name_units
from matcher.discounts.repetitions import GRAM, said_before
from matcher.discounts.title_lists import title_units
from matcher.judgement.judge import Judgement, judge
from tests.support.factories import story, text_of

TITLES = (
    "怎样给漏水的旧木船换一块底板",
    "桐油和麻丝：祖父传下来的两种填料",
    "冬天里为什么不能让船停在浅滩上",
    "用一根竹竿量出河心的深浅",
    "春汛之前要检查的七处接缝",
    "把桨磨成合手的样子",
)
SYSTEMS = ("红帽", "乌班图", "德比安", "苏塞", "曼加罗")


def judged(left: str, right: str) -> Judgement:
    return judge(analyse(left).initials, analyse(right).initials, boilerplate=gram_index(()))


def within(number: int, shared: str) -> str:
    """The shared lines in the middle of an article of its own."""
    return f"{text_of(number)}\n{shared}\n{text_of(number + 50)}"


def seen(text: str, is_in: Mask) -> str:
    """The characters of the text whose units are marked."""
    initials = analyse(text).initials
    return "".join(text[slice(*initials.source_span(unit, unit))] for unit in np.flatnonzero(is_in).tolist())


@given(st.lists(st.lists(st.integers(1, 4), max_size=40), max_size=4))
def test_what_is_said_before_is_what_comparing_every_place_finds(said: list[list[int]]) -> None:
    grams: list[tuple[int, ...]] = []
    expected = []
    for units in said:
        again = set()
        for start in range(len(units) - GRAM + 1):
            gram = tuple(units[start : start + GRAM])
            again |= set(range(start, start + GRAM)) if gram in grams else set()
            grams.append(gram)
        expected.append([place in again for place in range(len(units))])
    codes = np.array([unit for units in said for unit in units], dtype=np.uint8)
    ends = np.cumsum([len(units) for units in said]).tolist()
    stretches = [(end - len(units), end) for end, units in zip(ends, said, strict=True)]

    assert [mask.tolist() for mask in said_before(codes, stretches)] == expected


def test_lines_filled_in_alike_are_no_copy_and_the_paragraph_that_says_it_once_is() -> None:
    def instructions(package: str) -> str:
        return "\n".join(f"对于{system}系统的机器，请用它的软件包管理器来安装{package}。" for system in SYSTEMS)

    assert not judged(within(1, instructions("钟表程序")), within(2, instructions("绘图板"))).is_match
    assert judged(within(1, story()[200:330]), within(2, story()[200:330])).is_match


def test_what_a_copied_passage_repeats_is_proved_once() -> None:
    line = "夜里的河水涨得很快，渡口的灯一盏一盏熄了下去。"

    assert not judged(within(1, line * 6), within(2, line * 6)).is_match
    assert judged(line * 6, line * 6).is_match  # the whole text is the same: it need not say anything new


def test_what_two_passages_share_alike_is_proved_once() -> None:
    line, other = story()[200:240], story()[300:340]

    def page(number: int, first: str, then: str) -> str:
        own = [text_of(number + step, chars=90) for step in (0, 20, 40)]
        return f"{own[0]}{first}{own[1]}{then}{own[2]}"

    assert not judged(page(1, line, line), page(2, line, line)).is_match
    assert judged(page(1, line, other), page(2, line, other)).is_match


def test_titles_that_two_articles_list_are_no_copy_and_the_same_words_as_prose_are() -> None:
    titles = "\n".join(f"{number}. {title}" for number, title in enumerate(TITLES, start=1))
    prose = "，".join(TITLES) + "。"

    assert not judged(within(1, titles), within(2, titles)).is_match
    assert judged(within(1, prose), within(2, prose)).is_match
    assert judged(within(1, titles), within(2, prose)).is_match


def test_a_list_of_titles_has_three_lines_that_end_no_sentence() -> None:
    text = f"前几篇说过这些。\n{TITLES[0]}\n\n{TITLES[1]}\n{TITLES[2]}？\n下面接着说。\n{TITLES[3]}\n{TITLES[4]}"

    assert seen(text, title_units(analyse(text).initials)) == "".join(TITLES[:3]).replace("：", "")


def test_a_term_before_its_abbreviation_is_a_name() -> None:
    text = "他们先说 Boat as a Service（BaaS），再说 boats of all sorts (old ones)。"

    assert seen(text, name_units(analyse(text).initials)).startswith("Boat")
    assert "sorts" not in seen(text, name_units(analyse(text).initials))


def test_terms_that_everybody_lists_are_no_copy() -> None:
    terms = (
        "软木塞 Natural cork with rings（NCR）、麻丝 Hemp fibre for caulking（HfC）、"
        "桐油 Tung oil from pressing（ToP）、铜钉 Copper nail without head（CNH）"
    )

    assert not judged(within(1, terms), within(2, terms)).is_match


def test_two_sentences_of_another_text_are_a_copy_though_one_would_not_be() -> None:
    first, second = story()[200:240], story()[300:340]
    own = [text_of(60 + number, chars=300) for number in range(3)]

    assert judged(own[0] + first + own[1] + second + own[2], story()).is_match
    assert not judged(own[0] + first + own[1] + own[2], story()).is_match
    assert not judged(own[0] + first[:20] + own[1] + second[:20] + own[2], story()).is_match


def test_a_short_passage_that_was_edited_all_over_is_no_copy_and_the_same_one_in_a_row_is() -> None:
    source = story()[200:280]
    edited = "".join(char if number % 7 < 6 else "山" for number, char in enumerate(source))

    assert judged(within(1, source), within(2, source)).is_match
    assert not judged(within(1, edited), within(2, source)).is_match


def test_words_without_end_cost_no_long_scan() -> None:
    """Terms and names are bounded; unbounded, this text would not be read to its end while the tests run."""
    initials = analyse("Aa bb " * 30_000 + "Aa Bb " * 30_000).initials

    assert name_units(initials).sum() == np.count_nonzero(initials.chars_from >= 6 * 30_000)
