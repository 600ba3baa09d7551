"""Disguises between the characters: other or no punctuation, misplaced spaces, invisible characters."""

import re
from random import Random
from typing import Final

from benchmarks.corpus.model import Language
from benchmarks.corpus.word_lists import table
from benchmarks.disguises.blocks import Block, edited
from benchmarks.disguises.kit import Kit
from benchmarks.disguises.segmentation import word_places

KEPT, REPLACED, REMOVED = "kept", "replaced", "removed"
FATES: Final = {KEPT: 25, REPLACED: 50, REMOVED: 25}
"""Treatments of a hundred marks."""
SPACES: Final = " \u00a0\u2009\u3000"
INVISIBLE: Final = "\u200b\u200c\u200d\u2060\ufeff\u00ad"
LIGHT_AND_HEAVY: Final = (0.3, 1.0)
"""Shares of treated places: half of the copies are treated lightly, half heavily."""
BROKEN_WORDS: Final = 0.05
"""Share of English words broken by a space; with more, the text is unreadable."""


def punctuation(block: Block, kit: Kit, rng: Random) -> Block:
    """Replaces or removes most marks. A mark inside a number or an address stays: it is not punctuation."""
    other_marks = table("marks.txt")
    edits = []
    for place, char in enumerate(block.text):
        around = block.text[max(0, place - 1) : place + 2]
        if char not in other_marks or (
            len(around) == 3 and f"{around[0]}{around[2]}".isascii() and not _spaced(around)
        ):
            continue
        [fate] = rng.choices(list(FATES), list(FATES.values()))
        if fate != KEPT:
            edits.append((place, place + 1, rng.choice(other_marks[char]) if fate == REPLACED else ""))
    return edited(block, edits)


def spaces(block: Block, kit: Kit, rng: Random) -> Block:
    """Inserts spaces between Han characters; in English wider gaps between words, and some spaces inside words."""
    if kit.language is Language.CHINESE:
        share = rng.choice(LIGHT_AND_HEAVY)
        gaps = [found.end() for found in re.finditer(r"[\u4e00-\u9fff](?=[\u4e00-\u9fff])", block.text)]
        return edited(block, ((gap, gap, rng.choice(SPACES)) for gap in gaps if rng.random() < share))
    wider = {found.end() for found in re.finditer(" ", block.text) if rng.random() < LIGHT_AND_HEAVY[0]}
    long = [(start, end) for start, end in word_places(block.text, kit.language) if end - start > 3]
    broken = {rng.randrange(start + 1, end) for start, end in long if rng.random() < BROKEN_WORDS}
    return edited(block, ((gap, gap, rng.choice(SPACES)) for gap in sorted(wider | broken)))


def zero_width(block: Block, kit: Kit, rng: Random) -> Block:
    """Inserts invisible characters behind a third of the characters, or behind nearly all."""
    share = rng.choice(LIGHT_AND_HEAVY)
    places = [place for place, char in enumerate(block.text, 1) if not char.isspace() and rng.random() < share]
    return edited(block, ((place, place, rng.choice(INVISIBLE)) for place in places))


def _spaced(around: str) -> bool:
    return around[0].isspace() or around[2].isspace()
