"""What counts less than a character copied: quoted by both, other facts; and what counts more: words of letters."""

import pytest

from fingerprint.compute import analyse
from matcher.boilerplate.classifier import gram_index
from matcher.judgement.gates import GateKind
from matcher.judgement.judge import Judgement, judge
from tests.support.factories import story, text_of

STATEMENT = (
    "我们将在三十天内完成全部整改，并且邀请住户代表到现场监督。"
    "凡因停工受到影响的家庭，一律按合同约定给予补偿，绝不拖延，也绝不推诿。"
)
ENGLISH = (
    "The ferry had been painted twice that spring, and still the rust came through along the rail where passengers "
    "leaned to watch the herons. Nobody in the village could remember who had ordered the second coat of paint, and "
    "the bill was found years later in a drawer of the post office."
)


def judged(left: str, right: str) -> Judgement:
    return judge(analyse(left).initials, analyse(right).initials, boilerplate=gram_index(()))


def test_a_statement_that_both_quote_is_no_copy_and_one_that_neither_marks_is() -> None:
    def reporting(number: int, statement: str) -> str:
        return f"{text_of(number)}公司负责人说：{statement}{text_of(number + 50)}"

    assert not judged(reporting(1, f"“{STATEMENT}”"), reporting(2, f"“{STATEMENT}”")).is_match
    assert judged(reporting(1, STATEMENT), reporting(2, STATEMENT)).is_match


def test_dialogue_copied_with_its_marks_and_what_stands_between_them_is_a_copy() -> None:
    copied = (
        "“你怎么才来？”她把灯放下，看了看窗外。“雨这么大，路上滑得很。”他脱下蓑衣，"
        "没有回答，只把那包药搁在桌上。“喝了再睡。明天一早还要赶路，船不等人。”"
    )

    assert judged(text_of(1) + copied + text_of(2), text_of(3) + copied + text_of(4)).is_match


def notice(road: str, month: int, day: int, start: int, end: int, line: int) -> str:
    return (
        f"关于{road}部分路段临时停水的通知\n因管网改造施工需要，定于{month}月{day}日{start}时至{end}时对{road}沿线用户"
        f"临时停水，请提前做好储水准备，由此带来的不便敬请谅解。服务热线：{line}。"
    )


def test_two_notices_of_the_same_office_are_no_copies_and_one_notice_on_two_pages_is() -> None:
    spring = notice("河滨路", 3, 12, 8, 18, 6620145)

    assert not judged(spring, notice("文化巷", 11, 27, 9, 21, 6620388)).is_match
    assert judged(spring, f"{spring}请相互转告。").is_match


def test_a_revised_article_keeps_its_numbers_and_is_found() -> None:
    source = "".join(
        notice(road, n + 2, 3 * n + 5, 6, 17, 6620140 + n) for n, road in enumerate(("长桥街", "北门巷", "东湖路"))
    )
    revised = source.replace("改造", "更新").replace("提前做好储水准备", "先存好水").replace("敬请谅解", "请多包涵")

    assert judged(revised, source).is_match


@pytest.mark.parametrize(("chars", "is_match"), [(60, False), (130, True)])
def test_some_twenty_words_of_letters_are_a_copy(chars: int, *, is_match: bool) -> None:
    source = f"{text_of(1)} {ENGLISH} {text_of(2)}"

    assert judged(f"{text_of(3)} {ENGLISH[40 : 40 + chars]} {text_of(4)}", source).is_match is is_match


def test_many_short_passages_are_an_article_that_was_worked_over() -> None:
    source = story()[:600]
    pieces = [source[start : start + 22] for start in range(0, 600, 75)][::-1]
    own = [text_of(60 + number, chars=45) for number in range(len(pieces))]

    found = judged("".join(piece + other for piece, other in zip(pieces, own, strict=True)), source)

    assert {gate.kind for gate in found.gates if gate.passed} == {GateKind.SCATTERED}
    assert not judged(pieces[0] + text_of(1), source).is_match
