"""What the tests of the benchmark's families are built from: articles of our own, each thing made once."""

import json
from functools import cache
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from benchmarks.corpus.model import Article, Family, Language, Material, Scenario
from benchmarks.corpus.shares import sources
from benchmarks.disguises.blocks import Block, whole
from benchmarks.disguises.excerpts import prose_share
from benchmarks.disguises.kit import Kit, kit_for
from benchmarks.quality.scenarios.families import FAMILIES
from tests.support.benchmarks.corpus import write_corpus


@cache
def material(language: Language) -> Material:
    with TemporaryDirectory() as folder:
        path = write_corpus(Path(folder) / "corpus.jsonl", chinese=90, english=90)
        records = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    known = [
        Article(record["url"], record["title"], record["text"])
        for record in records
        if (prose_share(record["text"], Language.CHINESE) > 0.5) == (language is Language.CHINESE)
    ]
    return Material(language, tuple(known[::3] + known[1::3]), tuple(known[2::3]))


@cache
def kit(language: Language) -> Kit:
    return kit_for(material(language))


@cache
def built(family: Family) -> Scenario:
    return family.build(material(family.language), chance(family.name), 6)


def chance(seed: int | str = 1) -> Random:
    return Random(seed)  # noqa: S311 - repeatable, not secret


def texts_of(language: Language) -> dict[str, str]:
    return {article.id: article.text for article in material(language).stored}


def source(language: Language = Language.CHINESE) -> Block:
    return whole(max(sources(material(language)), key=lambda article: len(article.text)))


def named(name: str) -> Family:
    return next(family for family in FAMILIES if family.name == name)
