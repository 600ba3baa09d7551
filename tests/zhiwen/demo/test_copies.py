"""Each copy of the demo is disguised as its header says, and is its source in everything else."""

import re
import unicodedata
from collections import Counter

import pytest
from opencc import OpenCC
from pypinyin import Style, pinyin
from rapidfuzz.distance import Levenshtein

from zhiwen.demo.articles import Article, articles
from zhiwen.demo.model import Disguise

COPIES = articles("copies").values()
SENTENCE = re.compile(r".+?(?:[。！？]+[”’）]*|$)")
INVISIBLE = re.compile("[\u200b-\u200d\u2060\ufeff]")


def disguised(kind: Disguise) -> list[object]:
    found = [copy for copy in COPIES if copy.header["disguise"] == kind]
    assert found
    return [pytest.param(copy, id=copy.slug) for copy in found]


def sources_of(copy: Article) -> list[str]:
    return [articles("original")[slug].text for slug in copy.header["sources"].split()]


def source_of(copy: Article) -> str:
    (source,) = sources_of(copy)
    return source


def han(text: str) -> str:
    return "".join(re.findall("[\u4e00-\u9fff]", text))


def syllable(character: str) -> str:
    return str(pinyin(character, style=Style.NORMAL)[0][0])


def sentences(text: str) -> Counter[str]:
    return Counter(sentence for line in text.split("\n") for sentence in SENTENCE.findall(line))


@pytest.mark.parametrize("copy", disguised(Disguise.EXACT))
def test_an_exact_copy_is_its_source(copy: Article) -> None:
    assert copy.text == source_of(copy)


@pytest.mark.parametrize("copy", disguised(Disguise.HOMOPHONES))
def test_homophones_change_a_tenth_or_three_tenths_of_the_characters_and_no_sound(copy: Article) -> None:
    source = source_of(copy)

    changed = [(old, new) for old, new in zip(source, copy.text, strict=True) if old != new]

    assert len(changed) in {round(share * len(han(source))) for share in (0.1, 0.3)}
    assert all(syllable(old) == syllable(new) for old, new in changed)


@pytest.mark.parametrize("copy", disguised(Disguise.TRADITIONAL))
def test_traditional_script_turns_back_into_the_source(copy: Article) -> None:
    source = source_of(copy)

    assert OpenCC("t2s").convert(copy.text) == source
    assert sum(old != new for old, new in zip(source, copy.text, strict=True)) > len(source) / 6


@pytest.mark.parametrize("copy", disguised(Disguise.PARAGRAPHS))
def test_shuffled_paragraphs_are_all_there(copy: Article) -> None:
    source = source_of(copy)

    assert Counter(copy.text.split("\n")) == Counter(source.split("\n"))
    assert copy.text != source


@pytest.mark.parametrize("copy", disguised(Disguise.SENTENCES))
def test_shuffled_sentences_are_all_there_in_as_many_paragraphs(copy: Article) -> None:
    source = source_of(copy)

    assert sentences(copy.text) == sentences(source)
    assert copy.text.count("\n") == source.count("\n")
    assert copy.text != source


@pytest.mark.parametrize("copy", disguised(Disguise.EXCERPT))
def test_an_excerpt_is_one_run_of_whole_sentences_about_a_third_as_long(copy: Article) -> None:
    source = source_of(copy)

    assert copy.text in source
    assert sentences(copy.text) <= sentences(source)
    assert 0.3 <= len(copy.text) / len(source) < 0.4


@pytest.mark.parametrize("copy", disguised(Disguise.MIXED))
def test_a_mixture_takes_paragraphs_by_turns(copy: Article) -> None:
    first, second = (text.split("\n") for text in sources_of(copy))

    pairs = zip(first[::2], second[1::2], strict=False)
    assert copy.text.split("\n") == [paragraph for pair in pairs for paragraph in pair]


@pytest.mark.parametrize("copy", disguised(Disguise.EMBEDDED))
def test_an_embedded_passage_lies_between_paragraphs_of_another_text(copy: Article) -> None:
    source = source_of(copy)

    is_taken = [line in source for line in copy.text.split("\n")]

    assert any(is_taken)
    assert not is_taken[0]
    assert not is_taken[-1]


@pytest.mark.parametrize("copy", [*disguised(Disguise.RETOLD), *disguised(Disguise.TRANSLATED)])
def test_a_retelling_has_hardly_a_run_of_eight_characters_of_its_source(copy: Article) -> None:
    source = han(source_of(copy))
    runs = {source[start : start + 8] for start in range(len(source) - 7)}
    own = han(copy.text)

    assert sum(own[start : start + 8] in runs for start in range(len(own) - 7)) < len(own) / 20


@pytest.mark.parametrize("copy", disguised(Disguise.EDITED))
def test_editing_touches_five_to_fifteen_in_a_hundred_characters(copy: Article) -> None:
    source = source_of(copy)

    assert 0.05 < Levenshtein.distance(source, copy.text) / len(source) < 0.15


@pytest.mark.parametrize("copy", disguised(Disguise.HIDDEN))
def test_invisible_characters_and_other_punctuation_leave_every_character_in_its_order(copy: Article) -> None:
    source = source_of(copy)

    assert han(copy.text) == han(source)
    assert "，" not in copy.text
    assert len(INVISIBLE.findall(copy.text)) > len(source) / 10


@pytest.mark.parametrize("copy", disguised(Disguise.FULL_WIDTH))
def test_full_width_letters_fold_back(copy: Article) -> None:
    source = source_of(copy)

    assert unicodedata.normalize("NFKC", copy.text) == unicodedata.normalize("NFKC", source)
    assert not re.search("[!-~]", copy.text)
    assert re.search("[!-~]", source)
