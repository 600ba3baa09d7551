"""Pairs whose passages and differences are written down."""

import json
from dataclasses import asdict
from pathlib import Path

import pytest

from matcher.explanation.explain import compare_texts

PAIRS = sorted((Path(__file__).parents[1] / "golden" / "matcher").glob("*.json"))


@pytest.mark.parametrize("path", PAIRS, ids=lambda path: path.stem)
def test_the_passages_of_a_known_pair_are_found_as_written_down(path: Path) -> None:
    pair = json.loads(path.read_text("utf-8"))
    copy, source = pair["copy"], pair["source"]

    found = compare_texts(copy, source).judgement

    assert found.is_match
    assert pair["passages"] == [
        {
            "copy": copy[passage.left_start : passage.left_end],
            "source": source[passage.right_start : passage.right_end],
            "differences": {name: number for name, number in asdict(passage.differences).items() if number},
        }
        for passage in found.passages
    ]


def test_there_are_pairs() -> None:
    assert len(PAIRS) >= 4
