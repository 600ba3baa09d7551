"""What a reader leaves out: shares stay shares, and each exclusion only lowers them."""

from hypothesis import given
from hypothesis import strategies as st

from admin.passages.exclusions import NOTHING_EXCLUDED, Exclusions, counted, shares_of
from matcher.discounts.quotations import quoted_spans
from storage.records.matches import Passage

COPY = "他说：“老桥修好了，来往的人又多了起来。”河边的茶馆也开了门。"
QUOTED = quoted_spans(COPY)
WHOLE = Passage(3, 31, 103, 131, 1.0)


def test_without_exclusions_every_passage_counts() -> None:
    assert counted([WHOLE], NOTHING_EXCLUDED, QUOTED) == (WHOLE,)
    assert not NOTHING_EXCLUDED.is_any


def test_quotations_are_cut_out_of_a_passage_on_both_sides() -> None:
    (rest,) = counted([WHOLE], Exclusions(quotations=True), QUOTED)

    assert COPY[rest.left_start : rest.left_end] == "河边的茶馆也开了门。"
    assert (rest.right_start, rest.right_end) == (121, 131)


def test_a_quotation_in_the_middle_leaves_both_ends() -> None:
    text = "前面的话“引文”后面的话"
    pieces = counted([Passage(0, len(text), 0, len(text), 1.0)], Exclusions(quotations=True), quoted_spans(text))

    assert [text[one.left_start : one.left_end] for one in pieces] == ["前面的话", "后面的话"]


def test_short_passages_are_judged_before_quotations_are_cut() -> None:
    exclusions = Exclusions(quotations=True, shorter_than=28)

    assert counted([WHOLE], exclusions, QUOTED)
    assert counted([Passage(3, 30, 0, 27, 1.0)], exclusions, QUOTED) == ()


def test_shares_count_each_character_once_and_no_boilerplate() -> None:
    passages = (
        Passage(0, 10, 0, 20, 1.0),
        Passage(5, 15, 20, 30, 1.0),
        Passage(15, 20, 30, 40, 1.0, is_boilerplate=True),
    )

    shares = shares_of(passages, copy_chars=20, source_chars=100)

    assert (shares.copy, shares.source, shares.chars) == (0.75, 0.3, 30)
    assert shares_of((), copy_chars=0, source_chars=0).copy == 0.0


@st.composite
def texts_and_passages(draw: st.DrawFn) -> tuple[str, list[Passage]]:
    text = draw(st.text("老桥“”「」。", min_size=1, max_size=60))
    edges = st.integers(0, len(text))
    ends = draw(st.lists(st.tuples(edges, edges, edges, edges), max_size=6))
    return text, [Passage(min(a, b), max(a, b), min(c, d), max(c, d), 1.0) for a, b, c, d in ends if a != b and c != d]


@given(texts_and_passages(), st.sampled_from([0, 1, 5, 20]))
def test_an_exclusion_never_raises_a_share(given_: tuple[str, list[Passage]], shortest: int) -> None:
    text, passages = given_
    quoted = quoted_spans(text)
    kept = counted(passages, Exclusions(quotations=True, shorter_than=shortest), quoted)

    before = shares_of(passages, copy_chars=len(text), source_chars=len(text))
    after = shares_of(kept, copy_chars=len(text), source_chars=len(text))

    assert 0 <= after.copy <= before.copy <= 1
    assert 0 <= after.source <= before.source <= 1
    assert not [one for one in kept for start, end in quoted if one.left_start < end and start < one.left_end]
