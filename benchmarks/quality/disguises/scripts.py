"""Traditional script as it is written in different places, and letters of full width."""

import re
from collections.abc import Iterator
from functools import lru_cache
from random import Random
from typing import Final

from opencc import OpenCC

from benchmarks.quality.corpus.word_lists import table
from benchmarks.quality.disguises.blocks import Block, Edit, edited
from benchmarks.quality.disguises.kit import Disguise, Kit
from benchmarks.quality.disguises.sentences import word_places

FULL_WIDTH_SHIFT: Final = 0xFEE0
_CLAUSE = re.compile(r"[^\s，。！？；：、“”（）《》]+")


def traditional(block: Block, kit: Kit, rng: Random) -> Block:
    """Character for character, in mainland words."""
    return edited(block, _converted(block.text, "s2t"))


def taiwan(block: Block, kit: Kit, rng: Random) -> Block:
    """In the words and forms of Taiwan: 软件 becomes 軟體."""
    return edited(block, _converted(block.text, "s2twp"))


def hongkong(block: Block, kit: Kit, rng: Random) -> Block:
    """In the words and forms of Hong Kong: 出租车 becomes 的士."""
    words = table("hongkong.txt")
    places = [(start, end, block.text[start:end]) for start, end in word_places(block.text, kit.language)]
    local = edited(block, ((start, end, words[word]) for start, end, word in places if word in words))
    return edited(local, _converted(local.text, "s2hk"))


def full_width(share: float) -> Disguise:
    """So great a share of all printable ASCII characters but the space, drawn word by word, in full width."""

    def disguise(block: Block, kit: Kit, rng: Random) -> Block:
        words = [found for found in re.finditer(r"[!-~]+", block.text) if rng.random() < share]
        wide = ((found, "".join(chr(ord(char) + FULL_WIDTH_SHIFT) for char in found[0])) for found in words)
        return edited(block, ((found.start(), found.end(), new) for found, new in wide))

    return disguise


def _converted(text: str, configuration: str) -> Iterator[Edit]:
    """Clause by clause: words do not reach across punctuation, and places stay known where lengths change."""
    for clause in _CLAUSE.finditer(text):
        new = _converter(configuration).convert(clause[0])
        if new != clause[0]:
            yield clause.start(), clause.end(), new


@lru_cache(maxsize=4)
def _converter(configuration: str) -> OpenCC:
    return OpenCC(configuration)
