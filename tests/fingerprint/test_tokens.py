import numpy as np
import pytest
import rjieba
import xxhash

from fingerprint.tokens import CHUNK_CHARS, weighted_words


def weights_of(text: str) -> dict[int, float]:
    found = weighted_words(text)
    return dict(zip(found.hashes.tolist(), found.weights.tolist(), strict=True))


def weight(text: str, word: str) -> float:
    return weights_of(text)[xxhash.xxh3_64_intdigest(word.encode())]


def test_words_of_two_characters_and_more_count() -> None:
    found = weights_of("我们研究指纹，的。2026 年 a bb !! —— ……")

    assert set(found) == {xxhash.xxh3_64_intdigest(word.encode()) for word in ["我们", "研究", "指纹", "2026", "bb"]}


def test_a_rare_word_weighs_more_than_a_common_one() -> None:
    text = "我们研究指纹"

    assert weight(text, "指纹") > weight(text, "研究") > weight(text, "我们")


def test_a_repeated_word_weighs_more_but_not_in_proportion() -> None:
    once, often = weight("指纹", "指纹"), weight("指纹，" * 20, "指纹")

    assert once < often < 5 * once


def test_a_word_nobody_knows_weighs_as_the_median_word() -> None:
    assert weight("zxqvbn", "zxqvbn") == weight("qqqzzzyy", "qqqzzzyy") > weight("我们", "我们")


def test_weights_are_whole_numbers() -> None:
    weights = weighted_words("网站文章如何能自动判定是抄袭？一种算法和实践架构剖析。" * 7).weights

    assert np.array_equal(weights, np.rint(weights))
    assert float(weights.min()) > 0


@pytest.mark.parametrize("text", ["", "的", "，。！", " \n ", "a b c"])
def test_a_text_without_words_has_none(text: str) -> None:
    assert len(weighted_words(text).hashes) == 0


def test_a_long_text_is_cut_at_a_line_break() -> None:
    line = "我们研究指纹算法\n"
    text = line * (CHUNK_CHARS // len(line) * 2 + 5)

    assert set(weights_of(text)) == set(weights_of(line))


def test_a_long_line_is_cut_all_the_same() -> None:
    assert xxhash.xxh3_64_intdigest("指纹".encode()) in weights_of("指纹" * CHUNK_CHARS)


def test_words_that_others_teach_the_segmenter_change_nothing() -> None:
    before = weights_of("我们研究指纹算法")

    rjieba.add_word("研究指纹", 1_000_000, "n")

    assert weights_of("我们研究指纹算法") == before
