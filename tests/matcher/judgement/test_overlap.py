"""How much was taken: counted in our own text, whatever the copier adds around it and inside it."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlalchemy import Engine, select

from fingerprint.compute import analyse
from matcher.boilerplate.classifier import gram_index
from matcher.judgement.judge import judge, union_share
from matcher.judgement.overlap import chars_shared, overlap_of
from matcher.worker import backlog as worker
from storage.analytics import threshold_preview
from storage.analytics.threshold_preview import Rule
from storage.cases import detail, listing
from storage.engine import transaction
from storage.models.cases import CasePage
from storage.records.matches import Passage
from storage.types import Rights, SiteRole
from tests.support.disguises import shuffle_paragraphs, swap_homophones
from tests.support.factories import a_site, an_article, commit, story, text_of

NAVIGATION = "首页新闻财经体育娱乐科技教育汽车房产健康旅游文化视频图片专题论坛博客地图客户端登录注册关于本站联系方式。"


@st.composite
def passages(draw: st.DrawFn) -> tuple[list[Passage], int]:
    """Passages anywhere in a text of ours on the left, overlapping or not, with the text's length."""
    length = draw(st.integers(0, 400))
    found = []
    for _ in range(draw(st.integers(0, 8))):
        start, right = draw(st.integers(0, length)), draw(st.integers(0, 400))
        end = draw(st.integers(start, length))
        found.append(
            Passage(start, end, right, right + draw(st.integers(0, 400)), 1.0, is_boilerplate=draw(st.booleans()))
        )
    return found, length


@given(passages())
def test_no_more_is_taken_than_there_is_and_no_less_than_the_longest_passage(made: tuple[list[Passage], int]) -> None:
    found, length = made
    overlap = overlap_of(found, length, their_share=0.4)
    own = [one for one in found if not one.is_boilerplate]

    places = {place for one in own for place in range(one.left_start, one.left_end)}
    assert overlap.chars == len(places) == chars_shared(found, length)
    assert 0 <= overlap.chars <= length
    assert overlap.chars >= max((one.left_end - one.left_start for one in own), default=0)
    assert overlap.our_share == (overlap.chars / length if length else 0.0) == union_share(found, length)


@given(passages())
def test_boilerplate_counts_nothing(made: tuple[list[Passage], int]) -> None:
    found, length = made
    assert overlap_of([replace(one, is_boilerplate=True) for one in found], length, their_share=0.0).chars == 0


@settings(max_examples=25, deadline=None)
@given(st.sampled_from(("plain", "homophones", "padded", "half", "moved")), st.integers(0, 3), st.booleans())
def test_a_real_pair_never_holds_more_of_ours_than_ours_has(how: str, navigation: int, is_known: bool) -> None:
    ours = story()
    taken = {
        "plain": ours,
        "homophones": swap_homophones(ours, share=0.2, seed=1),
        "padded": ours.replace("，", "，说来也是，").replace("。", "。大家都知道。"),
        "half": ours[: len(ours) // 2],
        "moved": shuffle_paragraphs(ours, seed=3),
    }[how]
    theirs = NAVIGATION * navigation + taken
    known = [analyse(NAVIGATION).initials.codes.tobytes()] if is_known else []
    judgement = judge(analyse(ours).initials, analyse(theirs).initials, boilerplate=gram_index(known))
    overlap = overlap_of(judgement.passages, len(ours), their_share=judgement.right_share)

    assert judgement.is_match
    assert judgement.longest <= overlap.chars <= len(ours)
    assert overlap.our_share == overlap.chars / len(ours)
    assert (overlap.our_share > 0.9) is (how != "half")


@pytest.mark.parametrize("ours_first", [True, False], ids=["ours stored first", "copy stored first"])
def test_words_that_the_copier_adds_are_not_taken_from_us(engine: Engine, ours_first: bool) -> None:
    """D4: 67 of 970 cases counted more characters than our whole article has."""
    ours, padded = story(), story().replace("，", "，说来也是，").replace("。", "。大家都知道。")
    with transaction(engine) as session:
        paper = a_site(session, "县报", owner="县报社", role=SiteRole.ORIGINAL, rights=Rights.OWN)
    articles = [
        an_article("https://县报.example/a", ours, site_id=paper.id),
        an_article("copy", NAVIGATION + padded, hours=5),
    ]
    for article in articles if ours_first else articles[::-1]:
        commit(engine, [article])
        worker.work_off(engine, should_stop=lambda: False)

    with transaction(engine) as session:
        (case,) = listing.list_cases(session)
        (page,) = detail.pages_of_case(session, case.id)
    assert 0.9 * len(ours) < case.chars <= len(ours)
    assert (page.chars, page.our_share) == (case.chars, case.our_share)
    assert case.our_share == case.chars / len(ours)


def test_another_rule_counts_as_cases_do(engine: Engine) -> None:
    """What a looser threshold would open is counted in our text too, not in theirs."""
    ours = text_of(1, chars=900) + story()[200:330]
    with transaction(engine) as session:
        paper = a_site(session, "县报", owner="县报社", role=SiteRole.ORIGINAL, rights=Rights.OWN)
    commit(engine, [an_article("https://县报.example/a", ours, site_id=paper.id)])
    commit(engine, [an_article("copy", text_of(2, chars=900) + story()[200:330], hours=5)])
    worker.work_off(engine, should_stop=lambda: False)

    with transaction(engine) as session:
        assert session.scalars(select(CasePage.id)).all() == []
        assert len(threshold_preview.opening(session, Rule(120, 1.0), chars_shared)) == 1
        assert threshold_preview.opening(session, Rule(131, 1.0), chars_shared) == []
        assert len(threshold_preview.opening(session, Rule(10_000, 0.1), chars_shared)) == 1
