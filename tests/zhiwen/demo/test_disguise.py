"""Each disguise changes what it says, keeps the rest, and does it again the same way."""

import re
import unicodedata
from collections import Counter
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from opencc import OpenCC
from pypinyin import Style, pinyin
from rapidfuzz.distance import Levenshtein

from zhiwen.demo import disguise
from zhiwen.demo.articles import articles, tables
from zhiwen.demo.model import Disguise
from zhiwen.demo.takes import TAKES

SOURCE = articles("original")["kelp"].text
ENGLISH = articles("original")["night-bus"].text
LINES = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\n"), max_size=60)
TEXTS = st.lists(LINES, max_size=6).map("\n".join)


def han(text: str) -> str:
    return "".join(re.findall("[\u4e00-\u9fff]", text))


def syllable(character: str) -> str:
    return str(pinyin(character, style=Style.NORMAL)[0][0])


ALL_DISGUISES: dict[str, Callable[[str], str]] = {
    "homophones": lambda text: disguise.swap_homophones(text, tables().homophones, share=0.3, seed=1),
    "traditional": lambda text: disguise.to_traditional(text, tables().traditional),
    "paragraphs": lambda text: disguise.shuffle_paragraphs(text, seed=1),
    "sentences": lambda text: disguise.shuffle_sentences(text, seed=1),
    "excerpt": lambda text: disguise.excerpt(text, chars=40, seed=1),
    "mix": lambda text: disguise.mix(text, "不相干的第一段。\n不相干的第二段。"),
    "edited": lambda text: disguise.edit_words(text, tables().synonyms, fillers=tables().fillers, share=0.1, seed=1),
    "zero width": lambda text: disguise.hide_zero_width(text, share=0.1, seed=1),
    "punctuation": lambda text: disguise.twist_punctuation(text, seed=1),
    "full width": disguise.to_full_width,
}


@pytest.mark.parametrize("name", ALL_DISGUISES)
@given(text=TEXTS)
def test_every_disguise_takes_any_text_and_repeats_itself(name: str, text: str) -> None:
    make = ALL_DISGUISES[name]

    assert make(text) == make(text)


@pytest.mark.parametrize("name", [name for name in ALL_DISGUISES if name != "full width"])
def test_every_disguise_changes_a_real_article(name: str) -> None:
    assert ALL_DISGUISES[name](SOURCE) != SOURCE


def test_the_homophone_table_groups_only_characters_of_one_syllable() -> None:
    wrong = {group for group in tables().homophones.values() if len({syllable(one) for one in group}) > 1}

    assert wrong == set()
    assert len(tables().homophones) > 300


@pytest.mark.parametrize("share", [0.1, 0.3])
def test_homophones_change_this_share_of_the_characters_and_no_sound(share: float) -> None:
    copy = disguise.swap_homophones(SOURCE, tables().homophones, share=share, seed=7)

    changed = [(old, new) for old, new in zip(SOURCE, copy, strict=True) if old != new]
    assert len(changed) == round(share * len(han(SOURCE)))
    assert all(syllable(old) == syllable(new) for old, new in changed)


def test_homophones_swap_what_they_can_when_the_table_is_too_small() -> None:
    assert disguise.swap_homophones("他和山", {"他": "他她", "她": "他她"}, share=1, seed=1) == "她和山"


TRADITIONAL = [slug for take in TAKES if take.disguise is Disguise.TRADITIONAL for slug in take.sources]


@pytest.mark.parametrize("slug", TRADITIONAL)
def test_traditional_script_turns_back_into_the_source(slug: str) -> None:
    source = articles("original")[slug].text
    copy = disguise.to_traditional(source, tables().traditional)

    assert OpenCC("t2s").convert(copy) == source
    assert sum(old != new for old, new in zip(source, copy, strict=True)) > len(source) / 6


def test_traditional_script_prefers_the_longest_word() -> None:
    assert disguise.to_traditional("一只只有", {"只": "衹", "一只": "一隻"}) == "一隻衹有"


@given(LINES)
def test_sentences_put_together_are_the_paragraph(paragraph: str) -> None:
    assert "".join(disguise.sentences(paragraph)) == paragraph


def test_a_sentence_keeps_its_closing_quotes() -> None:
    assert disguise.sentences("他说：“走。”她没走！真的？没有句号") == [
        "他说：“走。”",
        "她没走！",
        "真的？",
        "没有句号",
    ]
    assert disguise.sentences('It cost 3.50 then. "Really?" Yes.') == ["It cost 3.50 then. ", '"Really?" ', "Yes."]


def test_shuffling_paragraphs_keeps_every_paragraph() -> None:
    copy = disguise.shuffle_paragraphs(SOURCE, seed=1)

    assert Counter(copy.split("\n")) == Counter(SOURCE.split("\n"))
    assert copy != SOURCE


def test_shuffling_sentences_keeps_every_sentence_and_the_number_of_paragraphs() -> None:
    copy = disguise.shuffle_sentences(SOURCE, seed=1)

    assert sorted(copy.replace("\n", "")) == sorted(SOURCE.replace("\n", ""))
    assert copy.count("\n") == SOURCE.count("\n")
    assert all(sentence in copy for line in SOURCE.split("\n") for sentence in disguise.sentences(line))


@pytest.mark.parametrize("seed", range(12))
def test_an_excerpt_is_one_run_of_whole_sentences_of_the_length_asked_for(seed: int) -> None:
    piece = disguise.excerpt(SOURCE, chars=300, seed=seed)

    longest = max(len(one) for line in SOURCE.split("\n") for one in disguise.sentences(line))
    assert piece in SOURCE
    assert 300 <= len(piece.replace("\n", "")) < 300 + longest


def test_an_excerpt_longer_than_the_text_is_the_text() -> None:
    assert disguise.excerpt("短。\n更短。", chars=100, seed=1) == "短。\n更短。"


def test_a_mixture_takes_paragraphs_by_turns() -> None:
    assert disguise.mix("a1\na2\na3\na4", "b1\nb2\nb3\nb4") == "a1\nb2\na3\nb4"


def test_embedding_puts_the_passage_at_the_mark() -> None:
    assert disguise.embed("before\n[[embed]]\nafter", "passage") == "before\npassage\nafter"


def test_embedding_refuses_a_host_without_a_mark() -> None:
    with pytest.raises(ValueError, match="no \\[\\[embed\\]\\] line"):
        disguise.embed("a text", "passage")


@pytest.mark.parametrize("slug", ["used-books", "community-canteen"])
def test_editing_touches_a_tenth_to_a_seventh_of_the_text(slug: str) -> None:
    source = articles("original")[slug].text

    copy = disguise.edit_words(source, tables().synonyms, fillers=tables().fillers, share=0.13, seed=3)

    assert 0.09 < Levenshtein.distance(source, copy) / len(source) < 0.15


def test_editing_english_swaps_whole_words_only() -> None:
    assert disguise.edit_words("A cat, a category.", {"cat": "dog"}, share=1, seed=1) == "A dog, a category."
    copy = disguise.edit_words(ENGLISH, tables().english_synonyms, share=0.12, seed=3)
    assert 0.05 < Levenshtein.distance(ENGLISH, copy) / len(ENGLISH) < 0.15


def test_editing_stops_when_nothing_is_left_to_edit() -> None:
    assert disguise.edit_words("没有可改的词。", {"太阳": "日头"}, share=0.9, seed=1) == "没有可改的词。"


@given(TEXTS)
def test_zero_width_characters_are_all_that_is_added(text: str) -> None:
    plain = re.sub("[\u200b-\u200d\u2060\ufeff]", "", text)

    assert re.sub("[\u200b-\u200d\u2060\ufeff]", "", disguise.hide_zero_width(plain, share=0.5, seed=1)) == plain


def test_other_punctuation_leaves_every_character_in_its_order() -> None:
    copy = disguise.twist_punctuation(SOURCE, seed=1)

    assert han(copy) == han(SOURCE)
    assert "，" not in copy


@given(st.text(st.characters(max_codepoint=0x7E, min_codepoint=0x20)))
def test_full_width_letters_fold_back(text: str) -> None:
    assert unicodedata.normalize("NFKC", disguise.to_full_width(text)) == text
