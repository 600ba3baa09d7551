"""Any two texts are aligned: hostile lengths, alphabets of one letter, and what an editor and chance make of a text."""

from itertools import product
from typing import Final

import numpy as np

from fingerprint.model import UnitCodes
from matcher.alignment.align import AlignmentParameters, align, unit_grams
from matcher.alignment.diff import count_differences, similarity, span_table

CHARACTERS: Final = tuple("ab己已 ß㎏ﬁ\u200b他她，\ud800")
PARAMETERS: Final = (AlignmentParameters(), AlignmentParameters(gram=3, min_matched=4, reach=200, max_drift=3))
SIZES: Final = (0, 1, 2, 3, 5, 8, 40, 2_500) * 3


def units(chance: np.random.Generator, length: int, letters: int) -> UnitCodes:
    return chance.integers(1, letters + 1, length).astype(np.uint8)


def edited(chance: np.random.Generator, text: UnitCodes) -> UnitCodes:
    changed = text.copy()
    changed[chance.random(len(text)) < chance.random() / 3] = 30
    starts = chance.integers(0, len(text) + 1, 6)
    return np.concatenate([changed, *(changed[start : start + 60] for start in starts)])


def test_texts_of_hostile_lengths_and_letters_are_aligned_within_their_ends() -> None:
    chance = np.random.default_rng(1)
    texts = [units(chance, length, letters) for length in (0, 1, 8, 9, 70, 500) for letters in (1, 2, 5, 36)]
    texts += [np.full(5_000, 7, dtype=np.uint8), np.tile(units(chance, 40, 26), 30), np.full(300, 255, dtype=np.uint8)]
    for one in texts:
        for other in (edited(chance, one), edited(chance, one)[::-1].copy(), texts[int(chance.integers(len(texts)))]):
            for parameters, (left, right) in product(PARAMETERS, ((one, other), (other, one))):
                for block in align(left, right, parameters):
                    assert 0 <= block.left < block.left_end <= len(left)
                    assert 0 <= block.right < block.right_end <= len(right)
            assert all(len(unit_grams(other, gram)) <= len(other) for gram in (1, 8, 12, 40))


def test_hostile_characters_differ_by_a_share() -> None:
    chance = np.random.default_rng(2)
    written = ["".join(chance.choice(CHARACTERS, size)) for size in SIZES]
    for one in written:
        for other in (one, one[1:], one[::-1], written[int(chance.integers(len(written)))]):
            spans = span_table(one, other)
            assert 0 <= similarity(spans) <= 1
            assert (one == other) == (count_differences(spans) == count_differences(span_table(one, one)))
