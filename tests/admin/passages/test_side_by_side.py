"""Passages become parts that lose, double and reorder nothing."""

from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from admin.passages.side_by_side import COMPARED_CHARS, NEAR_CHARS, WHOLE_CHARS, Block, Part, Side, present
from matcher.alignment.diff import Span, typed_spans
from matcher.discounts.quotations import quoted_spans
from storage.records.differences import DifferenceType
from storage.records.matches import Passage


def passage(left: tuple[int, int], right: tuple[int, int]) -> Passage:
    return Passage(*left, *right, similarity=1.0)


def shown_text(side: Side) -> str:
    return "".join(block.text for block in side.blocks)


def one_swap(left: str, right: str) -> Sequence[Span]:
    """The second character was swapped for one that sounds the same."""
    return [
        Span(0, 1, 0, 1, DifferenceType.SAME),
        Span(1, 2, 1, 2, DifferenceType.HOMOPHONE),
        Span(2, len(left), 2, len(right), DifferenceType.SAME),
    ]


def test_a_passage_stands_between_what_surrounds_it_on_both_sides() -> None:
    pair = present("前甲乙丙后", "甲已丙", [passage((1, 4), (0, 3))], spans=one_swap)

    found = passage((1, 4), (0, 3))
    swapped = DifferenceType.HOMOPHONE
    assert pair.copy.blocks == (
        Block((Part(0, "前"),)),
        Block((Part(1, "甲"), Part(2, "乙", swapped, "已"), Part(3, "丙")), 1, found),
        Block((Part(4, "后"),)),
    )
    assert pair.source.blocks == (Block((Part(0, "甲"), Part(1, "已", swapped, "乙"), Part(2, "丙")), 1, found),)


def test_what_one_side_lacks_leaves_an_empty_part_that_says_what_it_is() -> None:
    def left_out(_left: str, right: str) -> Sequence[Span]:
        return [
            Span(0, 1, 0, 1, DifferenceType.SAME),
            Span(1, 1, 1, 2, DifferenceType.DELETED),
            Span(1, 2, 2, len(right), DifferenceType.SAME),
        ]

    pair = present("甲丙", "甲乙丙", [passage((0, 2), (0, 3))], spans=left_out)

    assert pair.copy.blocks[0].parts[1] == Part(1, "", DifferenceType.DELETED, "乙")
    assert pair.source.blocks[0].parts[1] == Part(1, "乙", DifferenceType.DELETED, "")


def test_passages_are_numbered_in_the_order_of_the_copy() -> None:
    pair = present("甲乙", "乙甲", [passage((1, 2), (0, 1)), passage((0, 1), (1, 2))])

    assert [block.number for block in pair.copy.blocks] == [1, 2]
    assert [block.number for block in pair.source.blocks] == [2, 1]


def test_overlapping_passages_show_each_character_once_and_keep_both_numbers() -> None:
    pair = present("甲乙丙丁", "甲乙丙丁", [passage((0, 3), (0, 3)), passage((1, 4), (1, 4)), passage((1, 2), (1, 2))])

    assert shown_text(pair.copy) == "甲乙丙丁"
    assert sorted(block.number or 0 for block in pair.copy.blocks) == [1, 2, 3]


def test_a_long_text_is_cut_and_says_how_much_is_missing() -> None:
    pair = present("甲" * 50, "乙" * 8, [passage((40, 50), (0, 8))], spans=one_swap, limit=30)

    assert (pair.copy.chars, pair.copy.hidden_chars, len(shown_text(pair.copy))) == (50, 20, 30)
    assert pair.source.hidden_chars == 0
    assert pair.copy.blocks[-1].number == 1, "the link from the other side still leads somewhere"


def test_very_long_passages_are_shown_without_their_differences_and_counted() -> None:
    def never(left: str, right: str) -> Sequence[Span]:
        raise AssertionError(len(left) + len(right))

    length = COMPARED_CHARS + 1
    pair = present("甲" * length, "甲" * length, [passage((0, length), (0, length))], spans=never)

    assert pair.uncompared == 1
    assert shown_text(pair.copy) == "甲" * length


def test_identical_texts_are_one_part_by_the_real_comparison() -> None:
    pair = present("县里的老桥修好了", "县里的老桥修好了", [passage((0, 8), (0, 8))])

    assert pair.copy.blocks[0].parts == (Part(0, "县里的老桥修好了"),)


def test_no_text_and_no_passages_give_nothing() -> None:
    pair = present("", "", [])

    assert (pair.copy.blocks, pair.source.blocks, pair.passages) == ((), (), ())


offsets = st.tuples(st.integers(0, 30), st.integers(0, 30)).map(lambda pair: (min(pair), max(pair)))
hostile_text = st.text(alphabet=st.sampled_from("甲乙a \n\u202e\u200b😀́"), max_size=25)


@given(hostile_text, hostile_text, st.lists(st.builds(passage, offsets, offsets), max_size=5), st.integers(0, 30))
def test_the_parts_joined_are_the_text_whatever_the_passages_claim(
    copy: str, source: str, passages: list[Passage], limit: int
) -> None:
    pair = present(copy, source, passages, spans=typed_spans, limit=limit)

    assert shown_text(pair.copy) == copy[:limit]
    assert shown_text(pair.source) == source[:limit]
    for side, text in ((pair.copy, copy), (pair.source, source)):
        assert all(text[part.start : part.end] == part.text for block in side.blocks for part in block.parts)
        assert sorted(block.number for block in side.blocks if block.number) == list(range(1, len(passages) + 1))


def test_behind_the_end_of_what_is_shown_no_mark_stands() -> None:
    def left_out(_left: str, right: str) -> Sequence[Span]:
        return [Span(0, 0, 0, len(right), DifferenceType.DELETED)]

    pair = present("甲乙丙", "丁", [passage((1, 1), (0, 1))], spans=left_out, limit=0)

    assert pair.copy.blocks == (Block((), 1, passage((1, 1), (0, 1))),)
    assert pair.copy.hidden_chars == 3


far_offsets = st.tuples(st.integers(0, 90_000), st.integers(0, 90_000)).map(lambda pair: (min(pair), max(pair)))


@given(st.lists(st.builds(passage, far_offsets, far_offsets), max_size=4), st.integers(0, 60_000))
def test_of_a_long_text_every_character_is_shown_or_counted(passages: list[Passage], limit: int) -> None:
    copy = "".join(map(chr, range(0x4E00, 0x4E00 + 20_000))) * 4
    side = present(copy, "短", passages, spans=lambda _left, _right: [], limit=limit).copy

    cursor = 0
    for block in side.blocks:
        for part in block.parts:
            assert part.start == cursor
            assert copy[part.start : part.end] == part.text
            cursor = part.end
        cursor += block.left_out
    assert cursor + side.hidden_chars == len(copy)
    assert sum(len(block.text) for block in side.blocks) <= limit


def test_of_a_long_text_only_what_is_near_a_passage_is_shown() -> None:
    copy = "远" * 50_000 + "近" * 10 + "远" * 50_000
    pair = present(copy, "近" * 10, [passage((50_000, 50_010), (0, 10))])

    assert [(len(block.text), block.number, block.left_out) for block in pair.copy.blocks] == [
        (0, None, 50_000 - NEAR_CHARS),
        (NEAR_CHARS, None, 0),
        (10, 1, 0),
        (NEAR_CHARS, None, 0),
        (0, None, 50_000 - NEAR_CHARS),
    ]
    assert pair.copy.hidden_chars == 0


def test_a_short_text_is_shown_whole() -> None:
    copy = "远" * WHOLE_CHARS
    pair = present(copy, "近", [passage((0, 1), (0, 1))])

    assert shown_text(pair.copy) == copy
    assert not [block for block in pair.copy.blocks if block.left_out]


def test_quotations_are_marked_in_passages_and_around_them() -> None:
    pair = present("他说“老桥修好了”。", "老桥“修”好了", [passage((3, 8), (0, 7))], spans=one_swap)

    assert [(part.text, part.is_quoted) for block in pair.copy.blocks for part in block.parts] == [
        ("他说", False),
        ("“", True),
        *(("老", True), ("桥", True), ("修好了", True)),
        ("”", True),
        ("。", False),
    ]
    assert [part.text for block in pair.source.blocks for part in block.parts if part.is_quoted] == ["“修”"]


@given(st.text(alphabet=st.sampled_from("甲乙“”「」 "), max_size=40), st.lists(st.builds(passage, offsets, offsets)))
def test_marked_are_the_quotations_and_nothing_else(copy: str, passages: list[Passage]) -> None:
    side = present(copy, copy, passages).copy

    quoted = [number for start, end in quoted_spans(copy) for number in range(start, end)]
    marked = [
        number
        for block in side.blocks
        for part in block.parts
        if part.is_quoted
        for number in range(part.start, part.end)
    ]
    assert marked == quoted
    assert shown_text(side) == copy
