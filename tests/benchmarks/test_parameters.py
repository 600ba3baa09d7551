"""The study of keys: ranks by hand, growth by halves, and one run on a small corpus."""

import numpy as np
import pytest

from benchmarks.common.key_index import KeyIndex
from benchmarks.corpus.model import Article, Language, Material
from benchmarks.parameters import report
from benchmarks.parameters.candidates import MEASURED_ALONE, Growth, ask, ranks
from benchmarks.parameters.settings import SETTINGS, Keys
from benchmarks.parameters.study import run_study
from benchmarks.quality.scenarios.families import FAMILIES
from tests.support.factories import text_of

ONLY = {"zh-words-30", "zh-passage-120", "zh-scrambled-10", "zh-ordinary"}


def keys(*values: int) -> Keys:
    return np.array(values, dtype=np.int32)


def test_a_key_counts_by_its_rarity() -> None:
    index = KeyIndex([keys(1, 2), keys(1), keys(1, 3), keys(9)])

    assert index.counts(keys(1, 2, 4)).tolist() == [3, 1, 0]
    answer = ask(index, keys(1, 2), 1.0)
    assert ranks([answer], 4, frozenset({0})) == (1, 3)
    assert ranks([answer], 4, frozenset({3})) == (None, 3)


def test_a_background_that_shares_a_rarer_key_goes_before() -> None:
    index = KeyIndex([keys(1), keys(2)])
    alone = ask(index, keys(1, 2), 1.0)
    crowded = ask(index, keys(1, 2), 1.0, np.array([5, 0]))

    assert ranks([alone], 2, frozenset({0}))[0] == 1
    assert ranks([crowded], 2, frozenset({0})) == (2, 7)


def test_growth_is_what_the_other_half_shows() -> None:
    halves = KeyIndex([keys(1), keys(1), keys(2)]), KeyIndex([keys(1), keys(3), keys(3), keys(3)])
    growth = Growth(halves, [keys(1, 2, 3, 4)])

    assert growth.rates(np.array([0, 1, 2, 3])).tolist() == [pytest.approx((0 + 3 + 1 + 0) / 4), 1.0, 1.0, 0.0]
    assert growth.rates(np.array([MEASURED_ALONE, 50])).tolist() == [MEASURED_ALONE, 50]
    drawn = growth.background(np.full(2_000, 1), times=3.0, chance=np.random.default_rng(1))
    assert drawn.mean() == pytest.approx(3.0, abs=0.2)


def test_the_study_on_a_small_corpus() -> None:
    articles = [Article(f"a{number}", f"题目{number}", text_of(number, chars=900)) for number in range(80)]
    material = Material(Language.CHINESE, tuple(articles[:60]), tuple(articles[60:]))
    families = [family for family in FAMILIES if family.name in ONLY]

    lines = list(run_study(material, families, SETTINGS[:2], per_family=6, seed=1, progress=lambda *_: None))

    assert [line.name for line in lines] == [setting.name for setting in SETTINGS[:2]]
    assert set(lines[0].recall) == ONLY - {"zh-ordinary"}
    assert lines[0].recall["zh-passage-120"] == 1.0
    for line in lines:
        assert 0 < line.bytes_share < 2
        assert all(line.recall_at_a_million[name] <= share for name, share in line.recall.items())
    assert len(report.rows(lines, report.telling_families(lines))) == 2
    assert lines[0] == next(
        iter(run_study(material, families, SETTINGS[:1], per_family=6, seed=1, progress=lambda *_: None))
    )
