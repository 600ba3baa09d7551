"""Whether a third text explains what two texts share: literally, by meaning, or an original that nobody stored."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from matcher.provenance.nearest_texts import is_between
from matcher.provenance.page_facts import PageFacts
from matcher.provenance.third_source import Related, RelationFound, relation_of
from matcher.provenance.translation_signs import sign_of_original
from storage.records.pages import Declared
from storage.types import DateOrigin, FoundBy, Precision, Relation
from tests.matcher.retellings.translations import CLOSER, FIRST, ORIGINAL, SECOND
from tests.support.disguises import swap_homophones
from tests.support.factories import SEEN, STORIES, facts, story

DAY = timedelta(days=1)
TEXTS = st.text(st.characters() | st.sampled_from("的一是不\n。，原文：译者·abc\0\ud800"), max_size=200)


def page(name: str, text: str, *, days: float | None = None, **fields: Any) -> PageFacts:
    """A page of an owner of its own, dated `days` after SEEN if that is known."""
    declared = Declared() if days is None else Declared(SEEN + days * DAY, Precision.MINUTE, DateOrigin.META)
    defaults = {"found_by": FoundBy.IMPORT, "declared": declared, "owner_key": f"host:{name}"}
    return facts(name, text=text, **(defaults | fields))


def whole(facts_: PageFacts, query: PageFacts, *, by_meaning: bool = False, **fields: Any) -> Related:
    """A page that shares all of its text with all of the query text."""
    spans = ((0, len(query.text)),), ((0, len(facts_.text)),)
    language = "en" if facts_.text == ORIGINAL else "zh"
    return Related(facts_, *spans, page_id=1, by_meaning=by_meaning, language=language, **fields)


def literal(
    query: str, other: str, third: str, days: tuple[float | None, ...] = (3, 4, 0), **fields: Any
) -> RelationFound:
    asked = page("query", query, days=days[0])
    found = whole(page("other", other, days=days[1]), asked)
    return relation_of(asked, found, [found, whole(page("third", third, days=days[2], **fields), asked)], language="zh")


def test_an_earlier_page_with_all_that_both_share_is_the_source_of_both() -> None:
    found = literal(story(), swap_homophones(story(), share=0.1, seed=1), story())

    assert found.relation is Relation.BOTH_FROM_THIRD
    assert found.third_url == "https://third.example/a"


def test_shared_errors_prove_copying_beyond_it() -> None:
    edited = swap_homophones(story(), share=0.1, seed=1)

    found = literal(edited, swap_homophones(edited, share=0.05, seed=2), story())

    assert found.relation is Relation.COPY
    assert "both also depart from https://third.example/a" in found.reasons[0]


@pytest.mark.parametrize("days", [(None, None, None), (3, 4, 5), (3, 0, 1), (0, 4, 2)])
def test_without_evidence_that_it_was_first_it_explains_nothing(days: tuple[float | None, ...]) -> None:
    assert literal(story(), story(), story(), days).relation is Relation.COPY


@pytest.mark.parametrize("owner", ["host:query", "host:other"])
def test_a_page_of_either_owner_explains_nothing(owner: str) -> None:
    assert literal(story(), story(), story(), owner_key=owner).relation is Relation.COPY


def test_a_third_page_with_half_of_it_explains_nothing() -> None:
    asked = page("query", story(), days=3)
    other = whole(page("other", story(), days=4), asked)
    half = replace(whole(page("third", story()[:500], days=0), asked), spans=((0, 500),))

    assert relation_of(asked, other, [half]).relation is Relation.COPY


def by_meaning(
    query: str, other: str, third: str, *, is_literal: bool = False, days: Any = (None,) * 3
) -> RelationFound:
    asked = page("query", query, days=days[0])
    found = whole(page("other", other, days=days[1]), asked, by_meaning=not is_literal)
    source = whole(page("third", third, days=days[2]), asked, by_meaning=True)
    return relation_of(asked, found, [found, source], language="en" if query == ORIGINAL else "zh")


@pytest.mark.parametrize(("other", "is_literal"), [(SECOND, False), (CLOSER, True)])
def test_an_original_in_another_language_is_the_source_of_both(other: str, is_literal: bool) -> None:
    found = by_meaning(FIRST, other, ORIGINAL, is_literal=is_literal)

    assert (found.relation, found.third_url) == (Relation.BOTH_FROM_THIRD, "https://third.example/a")
    assert "percent of their own wording" in found.reasons[0]


def test_who_copied_the_wording_of_a_translation_is_accused() -> None:
    copy = swap_homophones(FIRST, share=0.15, seed=3)

    assert by_meaning(FIRST, copy, ORIGINAL, is_literal=True).relation is Relation.COPY
    assert by_meaning(FIRST, copy[: len(copy) // 2], ORIGINAL, is_literal=True).relation is Relation.COPY


def test_a_translation_is_no_source_of_its_original_and_another_translation() -> None:
    assert by_meaning(ORIGINAL, FIRST, SECOND).relation is Relation.COPY
    assert by_meaning(FIRST, ORIGINAL, SECOND).relation is Relation.COPY


def test_an_original_that_is_later_is_none() -> None:
    assert by_meaning(FIRST, SECOND, ORIGINAL, days=(0, 3, 9)).relation is Relation.COPY


def test_of_three_texts_in_one_language_at_most_one_is_between() -> None:
    texts = FIRST, CLOSER, SECOND
    orders = ((0, 1, 2), (0, 2, 1), (1, 2, 0))

    assert sum(is_between(*(texts[place] for place in order)) for order in orders) <= 1
    assert not is_between(story(), story(STORIES[1]), story(STORIES[2]))


def test_two_translations_of_an_original_that_is_not_stored_are_from_elsewhere() -> None:
    asked = page("query", f"{FIRST}\n原文：Harwick Gazette, Leaking Roof")
    other = whole(page("other", SECOND), asked, similarity=0.6)

    found = relation_of(asked, other, [])

    assert (found.relation, found.third) == (Relation.BOTH_FROM_THIRD, None)
    assert "原文：Harwick Gazette" in found.reasons[0]
    assert relation_of(page("query", story()), whole(page("other", SECOND), asked), []).relation is Relation.COPY


def test_a_translation_whose_wording_was_copied_is_not_from_elsewhere() -> None:
    asked = page("query", f"{FIRST}\n译者：李四")
    other = whole(page("other", swap_homophones(FIRST, share=0.15, seed=1)), asked, similarity=0.7)

    assert relation_of(asked, other, []).relation is Relation.COPY


def test_a_retelling_needs_an_original_that_both_name() -> None:
    asked, plain = page("query", f"译者：李四\n{FIRST}"), page("other", SECOND)
    named = replace(plain, text=f"{SECOND}\n本文译自 Harwick Gazette")

    for other, relation in ((plain, Relation.COPY), (named, Relation.BOTH_FROM_THIRD)):
        assert relation_of(asked, whole(other, asked, by_meaning=True, similarity=0.6), []).relation is relation


@pytest.mark.parametrize(
    ("one", "other", "sign"),
    [
        (
            {"text": "玛格丽特·奥尔森说，沃尔特·芬奇来过。"},
            {"text": "沃尔特·芬奇与玛格丽特·奥尔森"},
            "丽特·奥尔, 尔特·芬奇",
        ),
        ({"text": "玛格丽特·奥尔森说。"}, {"text": "玛格丽特·奥尔森"}, ""),
        ({"credit_lines": ("编译：王五",)}, {}, "编译：王五"),
        (
            {"credit_links": ("https://en.example/x",)},
            {"credit_links": ("https://en.example/x",)},
            "https://en.example/x",
        ),
        ({"text": "今天天气好。"}, {"text": "今天下雨。"}, ""),
    ],
)
def test_what_speaks_for_a_foreign_original(one: dict[str, Any], other: dict[str, Any], sign: str) -> None:
    assert sign_of_original(page("one", **({"text": ""} | one)), page("other", **({"text": ""} | other))) == sign


@settings(max_examples=40)
@given(TEXTS, TEXTS, TEXTS, st.booleans(), st.booleans())
def test_any_texts_have_a_relation(query: str, other: str, third: str, meant: bool, source_meant: bool) -> None:
    asked = page("query", query, days=3)
    found = whole(page("other", other, days=4), asked, by_meaning=meant, similarity=0.5)
    source = whole(page("third", third, days=0), asked, by_meaning=source_meant)

    assert relation_of(asked, found, [found, source], language="zh").relation in Relation
