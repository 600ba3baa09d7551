"""Every way of copying and every kind of innocent page that is measured, with the share that must come out right."""

from collections.abc import Callable, Iterator
from typing import Final

from benchmarks.quality.disguises.copies import copies, disguised, mosaics, passages
from benchmarks.quality.disguises.frames import framed
from benchmarks.quality.disguises.kit import Arrangement
from benchmarks.quality.disguises.order import shuffle_paragraphs, shuffle_sentences
from benchmarks.quality.disguises.parts import excerpt
from benchmarks.quality.disguises.words import word_edits
from benchmarks.quality.model import Builder, Expected, Family, Language

FLOOR: Final = 0.95
HEAVY_REWRITING_FLOOR: Final = 0.90
PASSAGE_FLOOR: Final = 0.97


def _copying(
    name: str,
    title: str,
    arrange: Arrangement,
    *,
    floor: float = FLOOR,
    languages: tuple[Language, ...] = tuple(Language),
) -> Iterator[Family]:
    return _families(name, title, lambda full: copies(full, arrange), floor=floor, languages=languages)


def _families(
    name: str,
    title: str,
    builder: Callable[[str], Builder],
    *,
    expected: Expected = Expected.COPY,
    floor: float | None = FLOOR,
    languages: tuple[Language, ...] = tuple(Language),
) -> Iterator[Family]:
    for language in languages:
        full = f"{language}-{name}"
        yield Family(full, title, language, expected, builder(full), floor)


FAMILIES: Final[tuple[Family, ...]] = (
    *_copying("frame", "whole copy in another site's frame", framed),
    *_copying("words-5", "5 % of the words edited", disguised(word_edits(0.05))),
    *_copying("words-15", "15 % of the words edited", disguised(word_edits(0.15))),
    *_copying("words-30", "30 % of the words edited", disguised(word_edits(0.30)), floor=HEAVY_REWRITING_FLOOR),
    *_copying("paragraphs", "paragraphs shuffled", shuffle_paragraphs),
    *_copying("sentences", "sentences shuffled", shuffle_sentences),
    *_copying("excerpt-25", "a quarter as an excerpt", disguised(excerpt(0.25))),
    *_copying("excerpt-50", "half as an excerpt", disguised(excerpt(0.50))),
    *_families("passage-60", "60 characters inside another text", lambda full: passages(full, 60), floor=None),
    *_families(
        "passage-120", "120 characters inside another text", lambda full: passages(full, 120), floor=PASSAGE_FLOOR
    ),
    *_families("passage-300", "300 characters inside another text", lambda full: passages(full, 300)),
    *_families("mosaic", "three to five sources in one page", lambda full: mosaics(full, own_text=False)),
    *_families("mosaic-own", "the same with own text between", lambda full: mosaics(full, own_text=True)),
)
