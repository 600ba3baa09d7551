"""The compiled loops against the same in plain Python: short, slow and evidently right."""

import re
from collections import Counter
from collections.abc import Iterator
from hashlib import sha256
from itertools import groupby
from math import log

import numpy as np
import pytest
import rjieba
import xxhash
from hypothesis import given, settings
from hypothesis import strategies as st

from fingerprint.characters.confusables import latin_shapes
from fingerprint.characters.tables import (
    APOSTROPHE,
    CODE_POINTS,
    CONSONANTS,
    LAST_UNIT,
    LETTER_COUNT,
    WORD_LETTER,
    tables,
)
from fingerprint.compute import analyse, fingerprint_text
from fingerprint.dna import (
    SliceParameters,
    _levels,
    digits_of,
    sliced_units,
    slices_at_every_offset,
    slices_at_stride,
    windows,
)
from fingerprint.dna_stability import stay_weights
from fingerprint.hashing import mix
from fingerprint.initials import to_initials
from fingerprint.model import ALGORITHM_VERSION, CanonicalText, Initials
from fingerprint.normalize import canonicalize
from fingerprint.simhash import simhash_of
from fingerprint.tokens import weighted_words
from fingerprint.winnowing import SeedParameters, gram_order, stored_and_asked
from tests.fingerprint.test_winnowing import winnowed_slowly

WORDS = [
    "的",
    "研究",
    "指纹算法",
    "我们",
    "a",
    "so",
    "the",
    "bank's",
    "о'к",
    "passenger",
    "extraordinary",
    "раураl",
    "2026",
]
OTHERS = [
    "，",
    "\n",
    "\r\n",
    "\x00",
    "\ud83d",
    "㍿",
    "ﷺ",
    "é",
    "😀",
    "한글",
    "かな",
    "עברית",
    "\u202e",
    "ЅАԜ",
    "'",
    "’",
]
TEXTS = st.lists(st.sampled_from(WORDS) | st.sampled_from(OTHERS) | st.characters(exclude_categories=()), max_size=120)
ANY_TEXT = st.tuples(TEXTS, st.sampled_from(["", " "])).map(lambda found: found[1].join(found[0]))
SEGMENTER = rjieba.Jieba()
HASHES = st.lists(st.integers(0, 2**64 - 1), max_size=40)

HOSTILE = (
    *("", "\x00", "\ud800", "a", "的", "'", "ﷺ", "\r\n", "的" * 63, "的" * 64),
    *(one * 20_000 for one in ("的", "a", "的 a1'", "2", "\u202eא", "\x00", "ﷺ", "😀", "о'", "bank's ", "\ud83d\r\n")),
)

HOSTILE_ON_RECORD = {2: "389cf73aa2cc6b9973e8c38c1800087c1b1b0bd0b5f72ab5321f78a4fb2f6f19"}


def mixed_slowly(number: int) -> int:
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        number = (number ^ number >> shift) * factor % 2**64
    return number ^ number >> 31


def canonical_slowly(text: str) -> Iterator[tuple[str, int]]:
    """Each canonical character, and the place it came from."""
    known = tables()
    for place, char in enumerate(text):
        folded = int(known.fold[ord(char)])
        if folded < CODE_POINTS:
            yield chr(folded), place
            continue
        first, end = known.expansion_from[folded - CODE_POINTS : folded - CODE_POINTS + 2]
        yield from ((chr(part), place) for part in known.expansion_chars[first:end])


def kinds_of(text: str) -> str:
    """A letter of a script with spaces is `l`, an apostrophe is itself, what is a unit alone is `u`."""
    classes = (int(tables().unit_class[ord(char)]) for char in text)
    return "".join(
        "l" if found > WORD_LETTER else "'" if found == APOSTROPHE else "u" if 0 < found <= LAST_UNIT else " "
        for found in classes
    )


def plain_slowly(canonical: CanonicalText) -> list[str]:
    """The characters, with lookalikes replaced where they disguise Latin letters."""
    plain, kinds = list(canonical.text), kinds_of(canonical.text)
    shapes = dict(enumerate(latin_shapes().tolist()))
    passing = [chr(shapes.get(ord(canonical.source[start]), 0)) for start in canonical.starts]
    latin = ["a" <= char <= "z" for char in plain]
    letters = [place for place, kind in enumerate(kinds) if kind == "l"]
    mostly_latin = sum(latin[place] for place in letters) > 0.5 * sum(passing[place] == "\0" for place in letters)
    for word in re.finditer("l('?l)*", kinds):
        inside = [place for place in range(*word.span()) if kinds[place] == "l"]
        readable = all(latin[place] or passing[place] != "\0" for place in inside)
        if readable and (mostly_latin or any(latin[place] for place in inside)):
            for place in inside:
                plain[place] = plain[place] if latin[place] else passing[place]
    return plain


def units_slowly(canonical: CanonicalText) -> Iterator[tuple[int, int, int, int]]:
    """Code, first character, end and class of each unit."""
    plain, kinds = plain_slowly(canonical), kinds_of(canonical.text)
    class_of = [int(tables().unit_class[ord(char)]) for char in canonical.text]
    for found in re.finditer("l('?l)*|u", kinds):
        start, end = found.span()
        if found.group() == "u":
            yield class_of[start], start, end, class_of[start]
            continue
        letters = [ord(plain[place]) for place in range(start, end) if kinds[place] == "l"]
        powers = [0x9E3779B97F4A7C15 ** (1 + place % 64) for place in range(len(letters))]
        hashed = mixed_slowly(sum(letter * power for letter, power in zip(letters, powers, strict=True)) % 2**64)
        parts = 1 + sum(len(letters) > most for most in (3, 5, 8))
        codes = [int(tables().unit_class[ord(plain[start])]) - WORD_LETTER]
        codes += [hashed // LETTER_COUNT**part % LETTER_COUNT + 1 for part in range(parts - 1)]
        cuts = [start + (end - start) * part // parts for part in range(parts + 1)]
        yield from zip(codes, cuts[:-1], cuts[1:], (class_of[cut] for cut in cuts[:-1]), strict=True)


def weighted_slowly(text: str) -> dict[int, float]:
    known = tables()
    level_of = dict(zip(known.idf_keys.tolist(), known.idf_levels.tolist(), strict=True))
    tokens = [token for token in SEGMENTER.cut(text, False) if len(token) > 1]
    counts = Counter(token for token in tokens if known.unit_class[ord(token[0])])
    hashed = {xxhash.xxh3_64_intdigest(word.encode()): count for word, count in counts.items()}
    return {
        word: round((1 + log(count)) * 64) * level_of.get(word >> 32, known.idf_unknown)
        for word, count in hashed.items()
    }


def ranks_slowly(initials: Initials, order: list[int], parameters: SeedParameters) -> list[int]:
    words: list[int | None] = []
    for place, found in enumerate(initials.classes):
        joined = place > 0 and words[-1] is not None and initials.chars_to[place - 1] == initials.chars_from[place]
        words.append(None if found <= WORD_LETTER else words[-1] if joined else place)
    touched = [len({*words[first : first + parameters.k]} - {None}) for first in range(len(order))]
    return [(count > parameters.most_words) << 63 | rank >> 1 for count, rank in zip(touched, order, strict=True)]


def slices_slowly(initials: Initials, parameters: SliceParameters, step: int, one_in: int) -> list[tuple[int, int]]:
    """Of the windows that start in the same `one_in` units, the one most likely to stay: first unit and DNA number."""
    units = sliced_units(initials, parameters).tolist()
    stays = stay_weights(_levels(parameters), tables().reference)
    found = []
    for start in windows(len(units), parameters.n, step).tolist():
        window = initials.codes[units[start : start + parameters.n]].tolist()
        counts = [window.count(ord(letter) - ord("a") + 1) for letter in CONSONANTS]
        if sum(counts) >= parameters.n / 2:
            digits = "".join(map(str, digits_of(initials, units[start], parameters)))
            stay = sum(int(stays[row, count]) for row, count in enumerate(counts))
            found.append((start, stay, int(digits, parameters.radix)))
    groups = (list(group) for _, group in groupby(found, lambda each: each[0] // one_in))
    steadiest = (max(group, key=lambda each: (each[1], -each[0])) for group in groups)
    return [(units[start], dna) for start, _, dna in steadiest]


@given(ANY_TEXT)
def test_every_character_is_folded_and_knows_its_place(text: str) -> None:
    found = canonicalize(text)

    expected = list(canonical_slowly(text))
    assert found.text == "".join(char for char, _ in expected)
    assert found.starts.tolist() == [place for _, place in expected]
    assert found.ends.tolist() == [place + 1 for _, place in expected]


@given(ANY_TEXT)
def test_units_are_those_of_the_characters_and_words(text: str) -> None:
    found = to_initials(canonicalize(text))

    columns = (found.codes, found.chars_from, found.chars_to, found.classes)
    assert list(zip(*(column.tolist() for column in columns), strict=True)) == list(units_slowly(found.canonical))


@given(ANY_TEXT | st.sampled_from(HOSTILE))
def test_words_are_counted_and_weighed(text: str) -> None:
    canonical = canonicalize(text).text

    found = weighted_words(canonical)

    # In order: the first word of the text first.
    expected = list(weighted_slowly(canonical).items())
    assert list(zip(found.hashes.tolist(), found.weights.tolist(), strict=True)) == expected


def test_a_word_may_occur_as_often_as_a_text_holds_it() -> None:
    text = "".join(f"{'我们' * count}研究" for count in (*range(1, 200), 2_000, 5_000))

    found = weighted_words(text)

    assert dict(zip(found.hashes.tolist(), found.weights.tolist(), strict=True)) == weighted_slowly(text)


@given(HASHES, st.data())
def test_a_simhash_has_the_bits_that_outweigh_their_absence(hashes: list[int], data: st.DataObject) -> None:
    weights = data.draw(st.lists(st.integers(0, 2**20), min_size=len(hashes), max_size=len(hashes)))

    found = simhash_of(np.array(hashes, dtype=np.uint64), np.array(weights, dtype=np.float64))

    pairs = list(zip(hashes, weights, strict=True))
    with_bit = [sum(weight for number, weight in pairs if number >> bit & 1) for bit in range(64)]
    assert found == sum(1 << bit for bit, weight in enumerate(with_bit) if 2 * weight > sum(weights))


@given(HASHES)
def test_numbers_are_mixed_in_an_array_of_any_shape(numbers: list[int]) -> None:
    array = np.array(numbers, dtype=np.uint64)

    assert mix(array).tolist() == list(map(mixed_slowly, numbers))
    assert mix(np.stack((array, array[::-1]))[:, ::2]).tolist() == [
        mix(one)[::2].tolist() for one in (array, array[::-1])
    ]


@given(ANY_TEXT, st.integers(1, 12) | st.just(64), st.integers(1, 60), st.integers(0, 4))
def test_seeds_are_the_least_grams_of_their_windows(text: str, k: int, window: int, most_words: int) -> None:
    initials = to_initials(canonicalize(text))
    parameters = SeedParameters(k=k, window=window, asked_window=(window + 1) // 2, most_words=most_words)

    codes = initials.codes.tolist()
    grams = [codes[first : first + k] for first in range(len(codes) - k + 1)]
    order = [mixed_slowly(sum(code * 37**place for place, code in enumerate(gram[::-1])) % 2**64) for gram in grams]
    assert gram_order(initials.codes, k).tolist() == order
    ranks = ranks_slowly(initials, order, parameters)
    windows_of = parameters.window_for(len(order)), parameters.asked_window_for(len(order))
    for found, size in zip(stored_and_asked(initials, parameters), windows_of, strict=True):
        assert found.positions.tolist() == sorted(set(winnowed_slowly(ranks, size)))
        assert found.hashes.view(np.uint32).tolist() == [order[place] % 2**32 for place in found.positions.tolist()]


LENGTHS = st.integers(1, 40) | st.integers(250, 260)


@settings(max_examples=60)
@given(ANY_TEXT, LENGTHS, st.integers(1, 30), st.integers(1, 9), st.sampled_from([2, 4, 8]), st.booleans())
def test_slices_are_the_steadiest_windows(
    text: str, n: int, stride: int, choices: int, radix: int, spelled: bool
) -> None:
    parameters = SliceParameters(n, min(stride, n), None, choices=choices, radix=radix, spelled=spelled)
    initials = to_initials(canonicalize(text * (1 + n // 200)))

    stored, asked = slices_at_stride(initials, parameters), slices_at_every_offset(initials, parameters)

    one_in = parameters.stride if choices > 1 else 1
    expected = slices_slowly(initials, parameters, max(parameters.stride // choices, 1), one_in)
    assert list(zip(stored.positions.tolist(), stored.dna.tolist(), strict=True)) == expected
    expected = slices_slowly(initials, parameters, 1, 1)
    assert list(zip(asked.positions.tolist(), asked.dna.tolist(), strict=True)) == expected


@pytest.mark.parametrize("n", [64, 255, 256, 2_000])
def test_a_count_does_not_overflow_in_a_text_of_one_letter(n: int) -> None:
    initials = to_initials(canonicalize("在" * 300_000))
    parameters = SliceParameters(n=n)

    found = slices_at_every_offset(initials, parameters)

    assert found.positions.tolist() == list(range(300_000 - n + 1))
    digits = "".join(map(str, digits_of(initials, 300_000 - n, parameters)))
    assert set(found.dna.tolist()) == {int(digits, parameters.radix)}


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_a_hostile_text_has_a_fingerprint(text: str) -> None:
    assert analyse(text).fingerprint == fingerprint_text(text)


def test_hostile_texts_have_the_fingerprints_on_record() -> None:
    """Code that checks its indices makes the same: see `tests/matcher/test_compiled_bounds.py`."""
    found = "\n".join(str(fingerprint_text(text)) for text in HOSTILE)

    assert {ALGORITHM_VERSION: sha256(found.encode()).hexdigest()} == HOSTILE_ON_RECORD
