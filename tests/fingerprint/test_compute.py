from dataclasses import FrozenInstanceError, asdict

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fingerprint.characters.tables import tables
from fingerprint.compute import TOGETHER, TOGETHER_CHARS, analyse, fingerprint_text, fingerprint_texts
from fingerprint.dna import keys_of
from fingerprint.model import ALGORITHM_VERSION
from fingerprint.simhash import distance
from tests.fingerprint.test_golden import CHINESE, GOLDEN

ANY_TEXT = st.text(st.characters(exclude_categories=()), max_size=400)
CITIES = "北京,上海,香港,深圳,广州,台北,南京,大连,苏州,青岛,无锡,佛山,重庆,宁波,杭州,成都,武汉,澳门,天津,沈阳"


def same_initials() -> dict[str, list[str]]:
    """Common characters by initial."""
    groups: dict[str, list[str]] = {}
    for code_point in range(0x4E00, 0x9FA6):
        char = chr(code_point)
        folded = tables().fold[code_point] == code_point
        if folded:
            groups.setdefault(chr(96 + tables().unit_class[code_point]), []).append(char)
    return groups


SAME_INITIAL = same_initials()


@given(ANY_TEXT)
def test_the_same_text_has_the_same_fingerprint(text: str) -> None:
    assert asdict(fingerprint_text(text)) == asdict(fingerprint_text(text))


def test_many_texts_have_each_its_own_fingerprint_in_order() -> None:
    texts = [golden["text"][cut:] for golden in GOLDEN.values() for cut in range(0, 600, 25)]
    texts[7:7] = ["", "短", texts[0] * (TOGETHER_CHARS // len(texts[0]) + 1)]
    assert len(texts) > 2 * TOGETHER

    assert list(fingerprint_texts(iter(texts))) == [fingerprint_text(text) for text in texts]
    assert list(fingerprint_texts([])) == []


@settings(max_examples=30)
@given(st.sampled_from(CHINESE), st.data())
def test_swapping_any_character_for_one_with_the_same_initial_changes_no_slice_and_no_seed(
    name: str, data: st.DataObject
) -> None:
    text = GOLDEN[name]["text"]
    before = analyse(text)
    swapped = list(before.canonical.text)
    for place in data.draw(st.sets(st.integers(0, len(swapped) - 1), max_size=200)):
        initial = chr(96 + tables().unit_class[ord(swapped[place])])
        if "一" <= swapped[place] <= "龥":
            swapped[place] = data.draw(st.sampled_from(SAME_INITIAL[initial]))

    after = fingerprint_text("".join(swapped))

    assert after.slices == before.fingerprint.slices
    assert after.seeds == before.fingerprint.seeds


@given(ANY_TEXT)
def test_a_fingerprint_is_sorted_without_repeats_and_in_range(text: str) -> None:
    found = fingerprint_text(text)

    assert found.algorithm_version == ALGORITHM_VERSION
    assert list(found.slices) == sorted(set(found.slices))
    assert list(found.seeds) == sorted(set(found.seeds))
    assert all(-(2**31) <= key < 2**31 for key in found.slices + found.seeds)
    assert found.simhash is None or 0 <= found.simhash < 2**64


@pytest.mark.parametrize(
    "text", ["", " ", "\n\t", "。", "图", "图片", "\x00", "\ud800", "😀" * 500, "，" * 5000, "短文"]
)
def test_an_empty_or_tiny_text_is_too_short_and_has_no_simhash(text: str) -> None:
    found = fingerprint_text(text)

    assert found.too_short
    assert found.simhash is None
    assert found.bands is None
    assert (found.slices, found.seeds) == ((), ())


def test_too_few_words_make_no_simhash_but_may_make_seeds() -> None:
    found = fingerprint_text("今天天气很好，今天天气很好，今天天气很好，今天天气很好。")

    assert found.simhash is None
    assert found.seeds
    assert not found.too_short


def test_analysis_and_fingerprint_agree() -> None:
    text = GOLDEN[CHINESE[0]]["text"]
    found = analyse(text)

    assert found.fingerprint == fingerprint_text(text)
    assert set(found.seeds.hashes.tolist()) == set(found.fingerprint.seeds)
    assert np.unique(keys_of(found.stored_slices.dna)).tolist() == list(found.fingerprint.slices)
    assert keys_of(found.asked_slices.dna).tolist() == found.slice_keys.tolist()
    assert set(found.fingerprint.slices) <= set(found.slice_keys.tolist())
    assert set(found.fingerprint.seeds) <= set(found.asked_seeds.hashes.tolist())
    assert found.fingerprint.unit_count == len(found.initials)
    assert found.initials.canonical is found.canonical


def test_an_excerpt_is_found_by_slices_and_seeds() -> None:
    text = GOLDEN["trees"]["text"]
    excerpt = "编者按：以下文字摘自网络。\n" + text[250:600]

    stored, asked = fingerprint_text(text), analyse(excerpt)

    assert set(stored.seeds) & set(asked.asked_seeds.hashes.tolist())
    assert set(stored.slices) & set(asked.slice_keys.tolist())


def test_a_fingerprint_cannot_be_changed() -> None:
    with pytest.raises(FrozenInstanceError):
        fingerprint_text("指纹").simhash = 1  # type: ignore[misc]


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("中" * 1_000_000, id="one character"),
        pytest.param("a" * 1_000_000, id="one word"),
        pytest.param("\x00" * 1_000_000, id="nothing but NUL"),
        pytest.param("\u202e\u200f\u061c" * 300_000, id="direction marks"),
        pytest.param("é" + "\u0301" * 1_000_000, id="stacked accents"),
        pytest.param("㍿" * 250_000, id="one character that becomes four"),
        pytest.param("\ufdfa" * 250_000, id="a phrase in a character"),
        pytest.param("12" * 250_000, id="figures"),
        pytest.param("中 a1'" * 200_000, id="scripts in turn"),
        pytest.param("\ud83d" * 1_000_000, id="half of an emoji"),
    ],
)
def test_a_hostile_text_is_handled(text: str) -> None:
    found = fingerprint_text(text)

    assert found.simhash is None
    assert len(found.seeds) < 100
    assert len(found.slices) < 100


def test_a_word_list_as_in_the_published_short_text_case_moves_far_with_few_changes() -> None:
    whole = fingerprint_text(CITIES).simhash
    cities = CITIES.split(",")
    changed = [
        fingerprint_text(",".join(cities[count:] + ["长沙", "郑州", "厦门", "昆明", "合肥"][:count])).simhash
        for count in (0, 1, 2, 3, 5)
    ]

    assert whole is not None
    assert [distance(whole, other) for other in changed if other is not None] == [0, 8, 7, 7, 11]
