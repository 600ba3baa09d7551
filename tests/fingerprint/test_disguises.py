from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fingerprint.characters.confusables import ACROSS_SCRIPTS, HAN_GROUPS, are_lookalikes, lookalike_pairs
from fingerprint.characters.homophones import are_homophones, share_a_reading, syllable_ids
from fingerprint.characters.tables import code_points

KNOWN = sorted({*HAN_GROUPS, *ACROSS_SCRIPTS})
HAN = st.characters(min_codepoint=0x4E00, max_codepoint=0x9FA5)


@pytest.mark.parametrize("pair", ["他她", "在再", "做作", "的得", "行航", "重虫", "绿率", "〇零", "著着"])
def test_characters_with_a_reading_in_common_are_homophones(pair: str) -> None:
    assert are_homophones(pair[0], pair[1])


@pytest.mark.parametrize("pair", ["人入", "己已", "红路", "a啊", "ab", "，。", "1一", "😀笑", "\ud800中"])
def test_others_are_not(pair: str) -> None:
    assert not are_homophones(pair[0], pair[1])


@given(HAN, HAN)
def test_sounding_alike_is_mutual(one: str, other: str) -> None:
    assert are_homophones(one, other) == are_homophones(other, one)


@given(st.text(HAN, min_size=1, max_size=20), st.text(HAN, min_size=1, max_size=20))
def test_arrays_are_judged_like_single_characters(first: str, second: str) -> None:
    pairs = list(zip(first, second, strict=False))
    ones, others = ("".join(side) for side in zip(*pairs, strict=True))

    judged = share_a_reading(code_points(ones), code_points(others))

    assert judged.tolist() == [are_homophones(one, other) for one, other in pairs]


@given(st.sampled_from(KNOWN), st.sampled_from(KNOWN))
def test_all_pairs_that_look_alike_are_listed(one: str, other: str) -> None:
    assert ((ord(one) << 32 | ord(other)) in lookalike_pairs().tolist()) == are_lookalikes(one, other)


def test_a_character_has_up_to_three_readings() -> None:
    ids = syllable_ids(code_points("和a"))

    assert ids.shape == (2, 3)
    assert np.count_nonzero(ids[0]) == 3
    assert np.count_nonzero(ids[1]) == 0


@pytest.mark.parametrize(
    "pair",
    ["己已", "未末", "日曰", "土士", "人入", "大犬", "戊戌", "аa", "еe", "оo", "ΟO", "0O", "0o", "l1", "Іl"],
)
def test_characters_that_look_alike_are_known(pair: str) -> None:
    assert are_lookalikes(pair[0], pair[1])
    assert are_lookalikes(pair[1], pair[0])


@pytest.mark.parametrize("pair", ["己己", "人口", "ab", "中国", "😀😃"])
def test_others_do_not_look_alike(pair: str) -> None:
    assert not are_lookalikes(pair[0], pair[1])


def test_han_groups_are_many_and_hold_no_pair_that_is_mostly_read_alike() -> None:
    groups = HAN_GROUPS.split()
    read_alike = [
        one + other
        for group in groups
        for one, other in combinations(group, 2)
        if syllable_ids(code_points(one))[0, 0] == syllable_ids(code_points(other))[0, 0]
    ]

    assert len(groups) >= 150
    assert read_alike == []
