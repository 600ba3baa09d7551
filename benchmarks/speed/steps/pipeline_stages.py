"""Our steps from a text to its fingerprint, each alone and all together, and the alignment of two texts."""

from collections.abc import Callable, Sequence
from itertools import count
from typing import Final, TypeVar

from benchmarks.speed.steps.timing import Task
from benchmarks.speed.store.material import EDITED, Material
from fingerprint.compute import analyse, fingerprint_text, fingerprint_texts
from fingerprint.dna import slices_at_stride
from fingerprint.initials import to_initials
from fingerprint.model import UnitCodes
from fingerprint.normalize import canonicalize
from fingerprint.simhash import simhash_of
from fingerprint.tokens import weighted_words
from fingerprint.winnowing import winnow_arrays
from matcher.alignment.align import align, prepare

WHOLE: Final = "whole fingerprint"
WHOLE_MANY: Final = "whole fingerprint, as an import makes many"
STRANGERS: Final = "alignment with strangers"
COPIES: Final = "alignment with copies"
CANDIDATES: Final = 20
"""Candidates with which one text is aligned: the query text is prepared once."""

Given = TypeVar("Given")


def over(work: Callable[[Given], object], given: Sequence[Given], *, share: int) -> Callable[[], int]:
    """A round works off the next `share` of what is given, from the start again when all had their turn."""

    def each(some: Sequence[Given]) -> None:
        for item in some:
            work(item)

    return over_groups(each, given, share=share)


def over_groups(work: Callable[[Sequence[Given]], object], given: Sequence[Given], *, share: int) -> Callable[[], int]:
    """The same, a round's share at once."""
    turns = count()

    def once() -> int:
        start = next(turns) * share % len(given)
        some = given[start : start + share]
        work(some)
        return len(some)

    return once


def fingerprint_stages(texts: Sequence[str], *, share: int) -> list[Task]:
    canonical = [canonicalize(text) for text in texts]
    units = [to_initials(text) for text in canonical]
    words = [weighted_words(text.text) for text in canonical]
    return [
        Task("normalise", over(canonicalize, texts, share=share)),
        Task("units", over(to_initials, canonical, share=share)),
        Task("tokenise and weigh", over(lambda text: weighted_words(text.text), canonical, share=share)),
        Task("simhash", over(lambda found: simhash_of(found.hashes, found.weights), words, share=share)),
        Task("slices", over(slices_at_stride, units, share=share)),
        Task("seeds", over(winnow_arrays, units, share=share)),
        Task(WHOLE, over(fingerprint_text, texts, share=share)),
        Task(WHOLE_MANY, over_groups(lambda some: list(fingerprint_texts(some)), texts, share=share)),
        Task("what a check asks for", over(analyse, texts, share=share)),
    ]


def alignment_stages(material: Material) -> list[Task]:
    """Counted are characters of both texts, as published."""
    texts = material.texts[: CANDIDATES + 1]
    units = [_codes(text) for text in texts]
    copies = [
        (probe.text, material.planted[probe.source])
        for probe in material.probes
        if probe.family == EDITED and probe.source is not None
    ]
    pairs = [(_codes(copy), _codes(source)) for copy, source in copies]
    of_strangers = sum(len(texts[0]) + len(other) for other in texts[1:])
    of_copies = sum(len(copy) + len(source) for copy, source in copies)

    def with_strangers() -> int:
        asked = prepare(units[0])
        for other in units[1:]:
            align(asked, other)
        return of_strangers

    def with_copies() -> int:
        for copy, source in pairs:
            align(copy, source)
        return of_copies

    return [Task(STRANGERS, with_strangers, "characters"), Task(COPIES, with_copies, "characters")]


def _codes(text: str) -> UnitCodes:
    return to_initials(canonicalize(text)).codes
