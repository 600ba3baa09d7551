"""Disguises by order: shuffled paragraphs or sentences, and transposed characters or words."""

import re
from collections.abc import Sequence
from random import Random
from typing import Final

from benchmarks.corpus.model import Language
from benchmarks.disguises.blocks import NOWHERE, Block, joined
from benchmarks.disguises.kit import Disguise, Kit
from benchmarks.disguises.segmentation import paragraphs, sentences, word_places

MIN_PARAGRAPH_CHARS: Final = 80
MIN_PARAGRAPHS: Final = 4
"""Least number of paragraphs; a text with fewer is cut into paragraphs of a few sentences."""
MIN_SENTENCE_CHARS: Final = {Language.CHINESE: 12, Language.ENGLISH: 40}
"""Shorter sentences (a heading, a line of a listing) move along with the next."""


def shuffle_paragraphs(block: Block, kit: Kit, rng: Random) -> tuple[Block, ...]:
    parts = paragraphs(block, at_least=MIN_PARAGRAPH_CHARS)
    if len(parts) < MIN_PARAGRAPHS:
        parts = sentences(block, at_least=min(200, len(block.text) // (2 * MIN_PARAGRAPHS)))
    return in_new_order(parts, "\n", rng)


def shuffle_sentences(block: Block, kit: Kit, rng: Random) -> tuple[Block, ...]:
    parts = sentences(block, at_least=MIN_SENTENCE_CHARS[kit.language])
    return in_new_order(parts, " " if kit.language is Language.ENGLISH else "", rng)


def in_new_order(parts: Sequence[Block], ending: str, rng: Random) -> tuple[Block, ...]:
    """Shuffles the parts, never into the old order if there are two; parts that still follow each other are one block.

    A part that does not end in white space, as the last of a text, gets `ending`.
    """
    order = list(range(len(parts)))
    while len(order) > 1 and order == sorted(order):
        rng.shuffle(order)
    runs: list[list[int]] = []
    for number in order:
        if runs and runs[-1][-1] + 1 == number:
            runs[-1].append(number)
        else:
            runs.append([number])
    return tuple(joined([_ended(parts[number], ending) for number in run]) for run in runs)


def scrambled_characters(reach: int) -> Disguise:
    """Shuffles characters inside blocks of `reach`, so none moves by `reach` or more. Line breaks stay."""

    def disguise(block: Block, kit: Kit, rng: Random) -> Block:
        order: list[int] = []
        for line in re.finditer(r"[^\n]+|\n+", block.text):
            for start in range(line.start(), line.end(), reach):
                places = list(range(start, min(line.end(), start + reach)))
                rng.shuffle(places)
                order += places
        return Block("".join(block.text[i] for i in order), tuple(block.origins[i] for i in order), block.source)

    return disguise


def swapped_words(share: float) -> Disguise:
    """Swaps this share of all words with a neighbour on the same line."""

    def disguise(block: Block, kit: Kit, rng: Random) -> Block:
        places = word_places(block.text, kit.language)
        order = list(range(len(block.text)))
        swapped: set[int] = set()
        for number in rng.sample(range(len(places) - 1), max(0, len(places) - 1)):
            if len(swapped) >= share * len(places):
                break
            (start, middle), (next_start, end) = places[number : number + 2]
            if swapped.isdisjoint((number, number + 1)) and "\n" not in block.text[middle:next_start]:
                order[start:end] = [*range(next_start, end), *range(middle, next_start), *range(start, middle)]
                swapped |= {number, number + 1}
        return Block("".join(block.text[i] for i in order), tuple(block.origins[i] for i in order), block.source)

    return disguise


def _ended(part: Block, ending: str) -> Block:
    if part.text[-1:].isspace() or not ending:
        return part
    return Block(part.text + ending, (*part.origins, *(NOWHERE,) * len(ending)), part.source)
