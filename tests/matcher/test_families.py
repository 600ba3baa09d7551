"""A copy in every disguise of the benchmark, with the passages that are found written down.

What changes here changes what people see: run `python -m tests.matcher.test_families` and read the difference.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from benchmarks.corpus.articles import read_corpus, split
from benchmarks.corpus.model import Expected, Family, Material
from benchmarks.quality.scenarios.families import FAMILIES
from matcher.explanation.explain import compare_texts
from matcher.explanation.sentences import gate_name
from tests.support.benchmarks.corpus import write_corpus

GOLDEN = Path(__file__).parents[1] / "golden" / "families"
LEFT_OUT = ("popular-", "mosaic")
"""Of several sources, or of copies of one: distinguished by the store, not by two texts."""
COPYING = [
    family.name
    for family in FAMILIES
    if family.expected is Expected.COPY and not any(part in family.name for part in LEFT_OUT)
]
CORPUS = 160
LONGEST = 1_800
"""Characters: what is written down is meant to be read."""


def found_in(copy: str, source: str) -> dict[str, Any]:
    """What is said of a copy, in a form that a person can read and compare."""
    judgement = compare_texts(copy, source).judgement
    return {
        "is_match": judgement.is_match,
        "is_scrambled": judgement.is_scrambled,
        "shares": [round(judgement.left_share, 2), round(judgement.right_share, 2)],
        "gates": [gate_name(gate) for gate in judgement.gates if gate.passed],
        "passages": [
            [item.left_start, item.left_end, item.right_start, item.right_end, round(item.similarity, 2)]
            for item in judgement.passages
        ],
    }


@pytest.mark.parametrize("name", COPYING)
def test_a_disguised_copy_is_told_as_written_down(name: str) -> None:
    pair = json.loads((GOLDEN / f"{name}.json").read_text("utf-8"))

    assert found_in(pair["copy"], pair["source"]) == pair["found"]


def test_nothing_is_written_down_of_a_family_that_is_no_more() -> None:
    assert sorted(path.stem for path in GOLDEN.glob("*.json")) == sorted(COPYING)


def test_all_but_the_shortest_passages_are_found() -> None:
    missed = [
        name for name in COPYING if not json.loads((GOLDEN / f"{name}.json").read_text("utf-8"))["found"]["is_match"]
    ]

    assert set(missed) <= {"zh-passage-60", "en-passage-60"}


def accept() -> None:
    """Builds one copy a family from articles of our own and writes down what is found."""
    GOLDEN.mkdir(exist_ok=True)
    for path in GOLDEN.glob("*.json"):
        path.unlink()
    for family, material in _with_material():
        probe = family.build(material, Random(family.name), 1).probes[0]  # noqa: S311  # repeatable, nothing secret
        sources = {article.id: article.text for article in material.stored}
        source = sources[min(probe.sources)]
        pair = {"copy": probe.text, "source": source, "found": found_in(probe.text, source)}
        text = json.dumps(pair, ensure_ascii=False, indent=1)
        (GOLDEN / f"{family.name}.json").write_text(text + "\n", encoding="utf-8")


def _with_material() -> Iterator[tuple[Family, Material]]:
    with TemporaryDirectory() as folder:
        corpus = read_corpus([write_corpus(Path(folder) / "articles.jsonl", chinese=CORPUS, english=CORPUS)])
    for language, known in corpus.by_language.items():
        material = split([article for article in known if len(article.text) <= LONGEST], language, seed=1)
        for family in FAMILIES:
            if family.name in COPYING and family.language is language:
                yield family, material


if __name__ == "__main__":
    accept()
