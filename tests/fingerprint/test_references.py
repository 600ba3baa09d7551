"""Our words and readings against the libraries that they come from, on all articles of the demo and of the tests.

Words are jieba's without its hidden Markov model; readings are pypinyin's, of each character by itself. Where ours
differ from what these libraries say by default, they differ by design, and the last tests say how.
"""

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import jieba
import numpy as np
import pytest
import rjieba
from pypinyin import Style, lazy_pinyin, pinyin

from fingerprint.characters.homophones import syllable_ids
from fingerprint.characters.tables import code_points
from fingerprint.initials import to_initials
from fingerprint.normalize import canonicalize
from fingerprint.tokens import count_words
from tests.fake_web import pages
from tests.fake_web.notices import NOTICES, REPLACEMENT
from tests.support.factories import story, text_of
from zhiwen.demo.articles import articles

GOLDEN = Path(__file__).parents[1] / "golden"
SHORTEST = 40
READINGS_KEPT = 3
"""Of a character with more, such as 和, the table holds the commonest."""

MOST_BY_CONTEXT = 0.005
"""Of the Han characters of running text: those of which a phrase says another initial (长江, 银行). Measured: .0031."""


def _strings(found: Any) -> Iterator[str]:
    if isinstance(found, str):
        yield found
    elif isinstance(found, dict | list):
        for inner in found.values() if isinstance(found, dict) else found:
            yield from _strings(inner)


@cache
def texts() -> tuple[str, ...]:
    """In canonical form, as words and units are made of it."""
    of_demo = (one.text for folder in ("original", "copier", "innocent") for one in articles(folder).values())
    golden = (json.loads(path.read_text("utf-8")) for path in sorted(GOLDEN.rglob("*.json")))
    of_golden = (one for found in golden for one in _strings(found) if len(one) >= SHORTEST)
    of_web = (*(pages.story(number) for number in range(20)), *NOTICES.values(), REPLACEMENT)
    made_up = (story(), *(text_of(number) for number in range(20)))
    return tuple(dict.fromkeys(canonicalize(one).text for one in (*of_demo, *of_golden, *of_web, *made_up)))


@cache
def han() -> tuple[str, ...]:
    return tuple(sorted({char for one in texts() for char in one if "\u3400" <= char <= "\u9fff"}))


@cache
def reference() -> jieba.Tokenizer:
    return jieba.Tokenizer()


def words(text: str) -> list[str]:
    return list(reference().cut(text, HMM=False))


def initial(char: str) -> str:
    """As our table has it."""
    (code,) = to_initials(canonicalize(char)).codes
    return chr(int(code) + ord("a") - 1)


def readings(char: str) -> list[str]:
    """As pypinyin has them, without tone, the commonest first, each once."""
    return list(dict.fromkeys(pinyin(char, style=Style.NORMAL, heteronym=True, v_to_u=False)[0]))


def test_there_is_enough_to_compare() -> None:
    assert (len(texts()) > 200, len(han()) > 2_000) == (True, True)


def test_our_words_are_those_of_jieba() -> None:
    ours = rjieba.Jieba()

    for text in texts():
        assert list(ours.cut(text, False)) == words(text)
        assert count_words(text) == len(words(text))


@pytest.mark.parametrize(
    "text",
    [
        "3.5%的增长",
        "c++和c#语言",
        "𠮷野家在东京",
        "at&t公司",
        "foo_bar-baz",
        "km²",
        "😀笑",
        "東京へ行く",
        "12,345.67元",
        "〇二",
    ],
)
def test_so_are_those_of_unusual_forms(text: str) -> None:
    canonical = canonicalize(text).text

    assert list(rjieba.Jieba().cut(canonical, False)) == words(canonical)


def test_our_initials_are_those_of_pypinyin_for_each_character_by_itself() -> None:
    for char in han():
        assert (char, initial(char)) == (char, lazy_pinyin(char)[0][0])


def test_our_readings_are_those_of_pypinyin() -> None:
    """The table holds numbers: each stands for one syllable, and each syllable has one."""
    number_of: dict[str, int] = {}
    for char, numbers in zip(han(), syllable_ids(code_points("".join(han()))).tolist(), strict=True):
        said = readings(char)[:READINGS_KEPT]
        assert (char, len(said)) == (char, sum(number > 0 for number in numbers))
        for syllable, number in zip(said, numbers, strict=False):
            assert (char, number_of.setdefault(syllable, number)) == (char, number)
    assert len(set(number_of.values())) == len(number_of)


def test_by_design_no_word_is_guessed_that_is_not_in_the_dictionary() -> None:
    """The default of jieba does: names become words, others with every neighbour."""
    text = "他来到了网易杭研大厦"

    assert "杭研" in reference().cut(text)
    assert "杭研" not in words(text)
    assert list(rjieba.Jieba().cut(text, False)) == words(text)


def test_by_design_the_phrase_around_a_character_does_not_change_its_initial() -> None:
    """For pypinyin 重庆 is c and 重要 z. Units that changed with their neighbours would move with every edit."""
    assert (lazy_pinyin("重庆")[0], lazy_pinyin("重")[0]) == ("chong", "zhong")
    assert initial("重") == "z"

    differing = total = 0
    for text in texts():
        said = lazy_pinyin(text, errors=_each_by_itself)
        assert len(said) == len(text)
        for char, syllable in zip(text, said, strict=True):
            if char in _initials():
                total += 1
                differing += syllable[0] != _initials()[char]
    assert differing > 0
    assert differing <= MOST_BY_CONTEXT * total


def _each_by_itself(others: str) -> Any:
    """Of what is not Han: pypinyin puts the items of a list in its place."""
    return list(others)


@cache
def _initials() -> dict[str, str]:
    return {char: initial(char) for char in han()}


def test_by_design_a_character_sounds_like_all_its_readings() -> None:
    """So what a phrase says, where it is among the three commonest, is met."""
    ids = syllable_ids(code_points("长常掌"))

    assert readings("长")[:2] == ["zhang", "chang"]
    assert np.isin(ids[0], ids[1]).any()
    assert np.isin(ids[0], ids[2]).any()
