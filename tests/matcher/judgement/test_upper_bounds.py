"""What an upper bound excludes is no match, and its trace has the figures that it would have had."""

from datetime import UTC, datetime
from itertools import pairwise

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from fingerprint.compute import Analysis, analyse
from matcher.alignment.align import aligned, blocks_of, prepare
from matcher.boilerplate.classifier import covered, gram_index
from matcher.comparison.compare_pair import PreparedQuery
from matcher.judgement.exclusion import MOST_SHARE, most_proof, own_parts
from matcher.judgement.judge import JudgePair, judge, judge_beside_edges, judge_with_notices
from matcher.judgement.reordering import IN_ORDER, reconsider
from matcher.judgement.run_units import ALONE, BEGINS, PROOF, VERBATIM, unit_weights, weigh
from matcher.judgement.segments import parts_of
from matcher.provenance.page_facts import facts_of_article
from storage.records.pages import NewArticle
from storage.types import FoundBy
from tests.matcher.judgement.test_scrambled import shuffled_within
from tests.support.factories import story, text_of

CODE = "def read(path):\n    with open(path) as file:\n        return json.load(file)['items'][0]\n" * 3
NOTICE = (
    "转载请注明出处：河畔网，本站所有文章均采用署名许可协议，未经书面同意，任何人不得以任何方式摘编、镜像或另行出版。"
)
NAMES = "Institute of River Science and Technology, Software as a Service (SaaS), North Bank Daily"
NUMBERS = "编号 2039 5518 7746 3102 9981 4470 6625 1138，合计 38112 元，比去年增加 17%。"
PARTS = st.one_of(
    st.tuples(st.integers(0, 700), st.integers(5, 260)).map(lambda span: story()[span[0] : sum(span)]),
    st.tuples(st.integers(0, 300), st.integers(20, 300)).map(lambda span: f"“{story()[span[0] : sum(span)]}”"),
    st.tuples(st.integers(0, 200), st.integers(150, 500)).map(
        lambda span: shuffled_within(story()[span[0] : sum(span)], 8)
    ),
    st.integers(1, 4).map(lambda number: text_of(number, chars=200)),
    st.sampled_from([CODE, NOTICE, NAMES, NUMBERS, "\n"]),
)
TEXTS = st.lists(PARTS, min_size=1, max_size=5).map("\n".join)


def query_of(text: Analysis, learned: str, judge_pair: JudgePair) -> PreparedQuery:
    article = NewArticle("https://a.example/1", text.canonical.source, FoundBy.HAND, datetime(2026, 1, 1, tzinfo=UTC))
    boilerplate = gram_index([analyse(learned).initials.codes.tobytes()] if learned else [])
    return PreparedQuery(text, facts_of_article(article), boilerplate, judge_pair)


@settings(max_examples=150, deadline=None)
@given(
    TEXTS,
    TEXTS,
    st.sampled_from(["", NOTICE, story()[300:360]]),
    st.sampled_from([judge, judge_with_notices, judge_beside_edges]),
    st.booleans(),
)
def test_bounds_exclude_no_match_and_leave_the_trace_as_it_is(
    left: str, right: str, learned: str, judge_pair: JudgePair, may_be_reordered: bool
) -> None:
    one, other = analyse(left), analyse(right).initials
    query = query_of(one, learned, judge_pair)
    exact = judge_pair(one.initials, other, boilerplate=query.boilerplate)
    bound = judge_pair(one.initials, other, boilerplate=query.boilerplate, is_exact=False)

    found = query.judge_stored(7, other, may_be_reordered=may_be_reordered)

    whole = reconsider(exact, one, other, boilerplate=query.boilerplate) if may_be_reordered else exact
    assert query.traced(7, other) == whole
    assert found == whole or (found.is_excluded and not found.is_match and not whole.is_match)
    if bound.is_excluded:
        assert not exact.is_match
        assert bound.matched_units == exact.matched_units
        assert max(exact.left_share, exact.right_share) < MOST_SHARE
    else:
        assert bound == exact


@settings(max_examples=150, deadline=None)
@given(TEXTS, TEXTS, st.sampled_from(["", NOTICE, story()[300:360]]), st.sampled_from([0, 1, 2]))
def test_what_is_cut_away_as_boilerplate_is_the_same_as_when_a_pair_is_weighed(
    left: str, right: str, learned: str, every: int
) -> None:
    one, other = analyse(left).initials, analyse(right).initials
    index = gram_index([analyse(learned).initials.codes.tobytes()] if learned else [])
    ignored = covered(one.codes, index) | (np.arange(len(one)) % 97 < 9 * every)
    rows, bounds = aligned(prepare(one.codes), other.codes)

    pieces, ends = own_parts(rows, bounds, ignored)

    found = {tuple(map(tuple, pieces[start:end].tolist())) for start, end in pairwise(ends.tolist())}
    parts = parts_of(blocks_of((rows, bounds)), ignored)
    assert found == {tuple(map(tuple, part.block.runs)) for part in parts if not part.is_boilerplate}


def test_a_pair_that_shares_a_phrase_is_excluded_and_one_that_shares_a_sentence_is_not() -> None:
    one, phrase, sentence = (analyse(text).initials for text in (story(), story()[40:70], story()[40:140]))
    others = [analyse(text_of(5, chars=400) + story()[40:end] + text_of(6, chars=400)).initials for end in (70, 140)]

    found = [judge(one, other, boilerplate=gram_index(()), is_exact=False) for other in others]

    assert [one.is_excluded for one in found] == [True, False]
    assert [one.matched_units >= len(part) for one, part in zip(found, (phrase, sentence), strict=True)] == [True, True]
    assert found[1].is_match


def test_a_text_that_was_not_aligned_has_no_trace() -> None:
    text = analyse(story())

    assert query_of(text, "", judge).traced(7, text.initials) is None


def test_a_share_that_reordering_asks_for_excludes_nothing() -> None:
    assert MOST_SHARE <= IN_ORDER


@settings(max_examples=150, deadline=None)
@given(st.lists(st.integers(1, 60), min_size=1, max_size=4), st.integers(0, 2**32), st.sampled_from([0.25, 1.0]))
def test_no_part_proves_more_than_the_weights_of_one_text_say(lengths: list[int], seed: int, code: float) -> None:
    chance, units = np.random.default_rng(seed), 40 + sum(lengths)
    starts = np.cumsum([0, *lengths[:-1]]) + np.arange(len(lengths))
    runs = np.array([starts, starts, lengths], dtype=np.int64).T.copy()
    marks = [chance.integers(0, 256, units).astype(np.uint8) | np.uint8(BEGINS) for _ in range(2)]
    weights = [unit_weights(each, 1.4, 0.7, code) for each in marks]
    same, none = np.zeros(units, dtype=np.uint64), np.zeros(units, dtype=np.bool_)
    numbers = np.array([1.0, 0.5, 0.35, 0.35, 0.0, 0.0, code, 4, 4])

    found = weigh(runs, *(marks[0], marks[1], weights[0], weights[1], same, same, none, none, numbers))

    most = most_proof(runs, weights[0])
    assert all(most[place] >= found[place] for place in (PROOF, ALONE, VERBATIM))
