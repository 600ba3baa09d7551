"""The baselines and the processes they share: each finds a text again, and names nothing where nothing is shared."""

from collections.abc import Iterator
from random import Random

import pytest

from benchmarks.common.key_index import KeyIndex, Keys
from benchmarks.common.workers import Workers, WorkFailed
from benchmarks.quality.baselines.keys import datagrand, nearest, winnowed, winnowing
from benchmarks.quality.baselines.method import MOST_NAMED, Method
from benchmarks.quality.baselines.minhash import minhash
from benchmarks.quality.baselines.simhashes import simhash_values, simhashes
from benchmarks.quality.baselines.table import METHODS
from benchmarks.quality.baselines.tfidf import tfidf
from tests.support.benchmarks.tasks import double

NOWHERE = "postgresql+psycopg2://nowhere.invalid/none"
"""An engine connects when it is first used; these tasks use none."""


def _words(seed: int) -> str:
    """Words of its own, in no order: two of these share none."""
    chance = Random(seed)  # noqa: S311  # texts, no secrets
    words = ["".join(chance.choices("bcdfghjklmnpqrstwxyz", k=7)) for _ in range(60)]
    return " ".join(chance.choice(words) for _ in range(150))


STORED = [_words(seed) for seed in range(12)]
EDITED = STORED[4][:600] + " other words " + STORED[4][616:]


@pytest.fixture(scope="module")
def workers() -> Iterator[Workers]:
    with Workers(NOWHERE, count=1) as started:
        yield started


def test_the_table_has_all_methods() -> None:
    assert [method for _, method in METHODS] == [simhashes, minhash, tfidf, datagrand, winnowing]


@pytest.mark.parametrize("method", [method for _, method in METHODS])
def test_a_method_names_the_text_itself_first_and_nothing_for_a_stranger(method: Method, workers: Workers) -> None:
    for found in method(STORED, [STORED[4], EDITED, _words(99)], workers):
        same, edited, stranger = found.named
        least = found.threshold if found.threshold is not None else 3.0 if "DNA" in found.name else 0.5
        assert [item.number for item in same if item.score >= least] == [4]
        assert [item.number for item in edited if item.score >= least] in ([4], [])
        assert [item for item in stranger if item.score >= least] == []
        assert found.setting


def test_key_index_counts_each_shared_key_once_and_names_the_nearest_first() -> None:
    index = KeyIndex([_keys(1, 2, 3), _keys(3, 4), _keys(), _keys(1, 2, 3, 4)])
    assert [(item.number, item.score) for item in nearest(index, _keys(1, 2, 3, 9), least=1)] == [
        (0, 3),
        (3, 3),
        (1, 1),
    ]
    assert [item.number for item in nearest(index, _keys(1, 2, 3, 9), least=2)] == [0, 3]
    assert nearest(index, _keys(), least=1) == ()
    assert nearest(KeyIndex([]), _keys(1), least=1) == ()


def test_key_index_names_no_more_than_a_check_lists() -> None:
    index = KeyIndex([_keys(7) for _ in range(MOST_NAMED + 10)])
    assert len(nearest(index, _keys(7), least=1)) == MOST_NAMED


def _keys(*values: int) -> Keys:
    import numpy as np  # noqa: PLC0415

    return np.array(values, dtype=np.int64)


def test_any_run_of_31_characters_shares_a_winnowed_key() -> None:
    run = _words(7).replace(" ", "")[:31]
    for before in range(0, 60, 7):
        one, other = winnowed(None, [_words(1)[:before] + run + _words(2), _words(3) + run + _words(4)[before:]])
        assert set(one.tolist()) & set(other.tolist())


def test_a_text_shorter_than_a_gram_has_no_key() -> None:
    assert [len(keys) for keys in winnowed(None, ["", "十一个字不够做一段", "……，，"])] == [0, 0, 0]


def test_workers_answer_every_item_once(workers: Workers) -> None:
    assert sorted(workers.map(double, list(range(20)))) == [(number, 2 * number) for number in range(20)]
    assert list(workers.map(double, [])) == []


def test_a_task_that_fails_is_reported_with_its_cause() -> None:
    with Workers(NOWHERE, count=2) as started, pytest.raises(WorkFailed, match="cannot double that"):
        list(started.map(double, [1, -1, 3]))


def test_a_text_that_repeats_itself_a_thousand_times_has_a_simhash() -> None:
    """The package overflows where a feature stands more than 255 times."""
    (value,) = simhash_values(None, ["哈哈" * 2_000])

    assert 0 < value < 2**64
