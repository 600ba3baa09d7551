"""Judging pairs of texts: what the comparison of a page does with each candidate, reading its text included."""

import random
from collections import defaultdict
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Final, TypeAlias

from benchmarks.speed.steps.timing import Task
from benchmarks.speed.store.material import DISCLAIMER, EDITED, SCRAMBLED, Material
from fingerprint.characters.homophones import syllable_ids
from fingerprint.characters.tables import code_points
from fingerprint.compute import analyse
from fingerprint.initials import to_initials
from fingerprint.normalize import canonicalize
from matcher.alignment.align import Grams
from matcher.boilerplate.classifier import gram_index
from matcher.comparison.compare_pair import PreparedQuery
from matcher.provenance.copy_damage import copy_damage_of
from matcher.provenance.page_facts import facts_of_article
from storage.records.pages import NewArticle
from storage.types import FoundBy

Pair: TypeAlias = tuple[str, str]
"""The query text, and a stored one."""

REPLACED: Final = 0.2
"""Share of the Chinese characters that are replaced by homophones."""
EACH: Final = 20
"""Pairs of each kind."""


def judging_stages(material: Material) -> list[Task]:
    """Return a task for each kind of pair. The query text is analysed before, as for all its candidates."""
    strangers = list(zip(material.texts[:EACH], material.texts[EACH : 2 * EACH], strict=False))
    return [
        _task("judging a copy with edited words", _copies(material, EDITED)),
        _task("judging a copy with homophones", _with_homophones(material)),
        _task("judging a scrambled copy", _copies(material, SCRAMBLED)),
        _task("judging a stranger", strangers),
        _task(
            "judging a stranger with a notice that is learned",
            [(_noted(one), _noted(other)) for one, other in strangers],
            learned=(DISCLAIMER,),
        ),
    ]


def _copies(material: Material, family: str) -> list[Pair]:
    probes = [probe for probe in material.probes if probe.family == family]
    return [(probe.text, material.planted[probe.source]) for probe in probes[:EACH] if probe.source is not None]


def _noted(text: str) -> str:
    return f"{text}\n{DISCLAIMER}"


def _with_homophones(material: Material) -> list[Pair]:
    """Characters are replaced by others of these texts with the same first reading."""
    chance = random.Random(0)  # a benchmark, not a secret
    texts = material.planted[:EACH]
    known: defaultdict[int, list[str]] = defaultdict(list)
    readings = {
        char: int(reading)
        for char, (reading, *_) in ((char, syllable_ids(code_points(char))[0]) for char in sorted(set("".join(texts))))
    }
    for char, reading in readings.items():
        known[reading].append(char)

    def replaced(char: str) -> str:
        others = [other for other in known[readings[char]] if other != char] if readings[char] else []
        return chance.choice(others) if others and chance.random() < REPLACED else char

    return [("".join(map(replaced, text)), text) for text in texts]


def _task(name: str, pairs: Sequence[Pair], *, learned: Sequence[str] = ()) -> Task:
    """Return the task of judging these pairs. `learned`: texts that prove nothing."""
    boilerplate = gram_index(to_initials(canonicalize(text)).codes.tobytes() for text in learned)
    queries = [_prepared(left, boilerplate) for left, _ in pairs]

    def judged() -> int:
        for query, (left, right) in zip(queries, pairs, strict=True):
            judgement = query.judge(to_initials(canonicalize(right)), is_exact=False)
            copy_damage_of(judgement, left, right)
        return len(pairs)

    return Task(name, judged, "pairs")


def _prepared(text: str, boilerplate: Grams) -> PreparedQuery:
    article = NewArticle("https://probe.invalid/", text, FoundBy.HAND, datetime(2026, 1, 1, tzinfo=UTC))
    return PreparedQuery(analyse(text), facts_of_article(article), boilerplate)
