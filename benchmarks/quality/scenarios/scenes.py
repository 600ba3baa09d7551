"""Stored articles and questions: the corpus, each family's scenario, real pairs."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random

from benchmarks.corpus.articles import FEWEST, Corpus, split
from benchmarks.corpus.model import Expected, Family, Language, Material, Probe, is_ordinary
from benchmarks.quality.request import Request
from benchmarks.quality.scenarios.pair_files import PairFile, pair_probes, stored_sides
from benchmarks.quality.scenarios.scratch_store import Shelf, on_sites


class CorpusTooSmall(Exception):
    """A family has no articles to be built from."""


@dataclass(frozen=True, slots=True)
class Question:
    """A probe, the family that it stands for, and what that family stored to be met and left alone."""

    family: Family
    probe: Probe
    planted: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Scene:
    shelf: Shelf
    questions: tuple[Question, ...]
    pair_questions: tuple[tuple[PairFile, Probe], ...]
    materials: Mapping[Language, Material]
    skipped: tuple[str, ...]


def set_up(corpus: Corpus, families: Sequence[Family], pairs: Sequence[PairFile], request: Request) -> Scene:
    """The same corpus, families and request give the same scene. Languages without enough articles are skipped.

    Raises CorpusTooSmall.
    """
    materials = {
        language: split(articles, language, seed=request.seed)
        for language, articles in corpus.by_language.items()
        if len(articles) >= FEWEST
    }
    items = [
        item for language, part in materials.items() for item in on_sites(part.stored, prefix=f"corpus-{language}")
    ]
    questions: list[Question] = []
    skipped = [family.name for family in families if family.language not in materials]
    for family in families:
        if family.language in materials:
            chance = Random(f"{request.seed}/{family.name}")  # a benchmark, not a secret
            try:
                scenario = family.build(materials[family.language], chance, wanted(family, request))
            except ValueError as error:
                raise CorpusTooSmall(f"{family.name} cannot be built: {error}") from error
            items += scenario.stored
            is_planted = family.expected is not Expected.COPY
            planted = frozenset(item.id for item in scenario.stored) if is_planted else frozenset()
            questions += [Question(family, probe, planted) for probe in scenario.probes]
    for file in pairs:
        items += stored_sides(file)
    assert len({item.id for item in items}) == len(items), "two stored articles have the same id"
    asked = tuple((file, probe) for file in pairs for probe in pair_probes(file))
    return Scene(Shelf(tuple(items)), tuple(questions), asked, materials, tuple(skipped))


def wanted(family: Family, request: Request) -> int:
    """Ordinary articles are asked by the thousand: two false cases in ten thousand cannot be seen in a hundred."""
    return request.innocents if is_ordinary(family.name) else request.per_family
