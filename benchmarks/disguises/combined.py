"""Several disguises on one copy, in the order in which a copier applies them."""

from random import Random
from types import MappingProxyType
from typing import Final

from benchmarks.corpus.model import Language
from benchmarks.disguises.blocks import Block
from benchmarks.disguises.characters import full_width, homophones, lookalikes, taiwan, traditional
from benchmarks.disguises.excerpts import excerpt
from benchmarks.disguises.frames import framed, in_frame, in_host, new_lead
from benchmarks.disguises.kit import Arrangement, Disguise, Kit, disguised
from benchmarks.disguises.order import shuffle_paragraphs, shuffle_sentences
from benchmarks.disguises.punctuation import punctuation, spaces, zero_width
from benchmarks.disguises.words import synonyms, word_edits

# Sounds and synonyms come before the script changes: their lists are of simplified characters.
MODERATE: Final[MappingProxyType[Language, tuple[Disguise, ...]]] = MappingProxyType(
    {
        Language.CHINESE: (
            word_edits(0.08),
            synonyms(0.6),
            homophones(0.08),
            lookalikes(0.04),
            traditional,
            full_width(0.8),
        ),
        Language.ENGLISH: (
            word_edits(0.08),
            synonyms(0.6),
            lookalikes(0.08),
            full_width(0.3),
        ),
    }
)
HARD: Final[MappingProxyType[Language, tuple[Disguise, ...]]] = MappingProxyType(
    {
        Language.CHINESE: (word_edits(0.15), homophones(0.15), taiwan),
        Language.ENGLISH: (word_edits(0.15), synonyms(0.6), lookalikes(0.1)),
    }
)
DISGUISES_AT_ONCE: Final = (2, 3)
SIGNS: Final[tuple[Disguise, ...]] = (punctuation, zero_width, spaces)
"""Disguises applied last, over the whole page: sentences could not be separated after them."""
ARRANGEMENTS: Final[tuple[Arrangement, ...]] = (
    framed,
    new_lead,
    shuffle_paragraphs,
    shuffle_sentences,
    disguised(excerpt(0.5)),
)


def combined(block: Block, kit: Kit, rng: Random) -> tuple[Block, ...]:
    """Two or three disguises of moderate strength, one change of the whole, and one of its signs."""
    known = MODERATE[kit.language]
    for number in sorted(rng.sample(range(len(known)), rng.randint(*DISGUISES_AT_ONCE))):
        block = known[number](block, kit, rng)
    return over_copied(rng.choice(ARRANGEMENTS)(block, kit, rng), rng.choice(SIGNS), kit, rng)


def combined_hard(block: Block, kit: Kit, rng: Random) -> tuple[Block, ...]:
    """Half of the article, disguised in five ways, its sentences shuffled, inside another text inside a frame."""
    block = excerpt(0.5)(block, kit, rng)
    for disguise in HARD[kit.language]:
        block = disguise(block, kit, rng)
    shuffled = shuffle_sentences(block, kit, rng)
    for sign in (punctuation, rng.choice((zero_width, spaces))):
        shuffled = over_copied(shuffled, sign, kit, rng)
    return in_frame(in_host(shuffled, kit, rng), kit, rng)


def over_copied(blocks: tuple[Block, ...], disguise: Disguise, kit: Kit, rng: Random) -> tuple[Block, ...]:
    """Applies the disguise to every copied block."""
    return tuple(disguise(block, kit, rng) if block.source else block for block in blocks)
