"""Disguises by characters: homophones, look-alikes, another script or width."""

import re
from collections import defaultdict
from collections.abc import Iterator
from functools import lru_cache
from random import Random
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, cast

from opencc import OpenCC
from pypinyin import Style, lazy_pinyin

from benchmarks.corpus.model import Language
from benchmarks.corpus.word_lists import alternatives, table
from benchmarks.disguises.blocks import Block, Edit, edited
from benchmarks.disguises.kit import Disguise, Kit
from benchmarks.disguises.segmentation import word_places

if TYPE_CHECKING:
    from collections.abc import Callable

FIRST_ROW: Final = 0xB0
LAST_ROW: Final = 0xD7
"""The rows of GB 2312 that hold its 3,755 common characters: those that people type."""
FULL_WIDTH_SHIFT: Final = 0xFEE0
CHARACTER_LISTS: Final = {
    Language.CHINESE: ("lookalikes-zh.txt", "lookalikes-en.txt"),
    Language.ENGLISH: ("lookalikes-en.txt",),
}
_CLAUSE = re.compile(r"[^\s，。！？；：、“”（）《》]+")


def homophones(share: float) -> Disguise:
    """Replaces this share of all Han characters by common ones of the same syllable, tones aside.

    The reading depends on the word: 行 in 银行 becomes 航, in 行走 it becomes 形.
    """

    def disguise(block: Block, kit: Kit, rng: Random) -> Block:
        others = [_same_sound(reading, char) for reading, char in zip(readings(block.text), block.text, strict=True)]
        han = sum("\u4e00" <= char <= "\u9fff" for char in block.text)
        places = [place for place, chars in enumerate(others) if chars]
        chosen = rng.sample(places, min(len(places), round(share * han)))
        return edited(block, ((place, place + 1, rng.choice(others[place])) for place in sorted(chosen)))

    return disguise


def readings(text: str) -> list[str]:
    """The syllable of each character without its tone, by the word around it; other characters unchanged."""
    # Its types do not say so, but it accepts a list with one entry for each character.
    return list(lazy_pinyin(text, style=Style.NORMAL, errors=cast("Callable[[str], str]", list)))


def _same_sound(reading: str, char: str) -> str:
    return common_characters().get(reading, "").replace(char, "") if "\u4e00" <= char <= "\u9fff" else ""


@lru_cache(maxsize=1)
def common_characters() -> MappingProxyType[str, str]:
    """The common characters of each syllable, by their commonest reading."""
    found: defaultdict[str, str] = defaultdict(str)
    for row in range(FIRST_ROW, LAST_ROW + 1):
        for char in bytes(byte for cell in range(0xA1, 0xFF) for byte in (row, cell)).decode("gb2312", errors="ignore"):
            found[lazy_pinyin(char, style=Style.NORMAL)[0]] += char
    return MappingProxyType(dict(found))


def lookalikes(share: float) -> Disguise:
    """Replaces this share of all letters and Han characters by look-alikes, as far as the lists have any."""

    def disguise(block: Block, kit: Kit, rng: Random) -> Block:
        known = {char: others for name in CHARACTER_LISTS[kit.language] for char, others in alternatives(name).items()}
        places = [place for place, char in enumerate(block.text) if char in known]
        wanted = round(share * sum(map(str.isalpha, block.text)))
        chosen = sorted(rng.sample(places, min(wanted, len(places))))
        return edited(block, ((place, place + 1, rng.choice(known[block.text[place]])) for place in chosen))

    return disguise


def traditional(block: Block, kit: Kit, rng: Random) -> Block:
    """Converts to traditional characters one by one, with mainland words."""
    return edited(block, _converted(block.text, "s2t"))


def taiwan(block: Block, kit: Kit, rng: Random) -> Block:
    """Converts to the words and forms of Taiwan: 软件 becomes 軟體."""
    return edited(block, _converted(block.text, "s2twp"))


def hongkong(block: Block, kit: Kit, rng: Random) -> Block:
    """Converts to the words and forms of Hong Kong: 出租车 becomes 的士."""
    words = table("hongkong.txt")
    places = [(start, end, block.text[start:end]) for start, end in word_places(block.text, kit.language)]
    local = edited(block, ((start, end, words[word]) for start, end, word in places if word in words))
    return edited(local, _converted(local.text, "s2hk"))


def full_width(share: float) -> Disguise:
    """Makes this share of all printable ASCII characters except the space full-width, drawn word by word."""

    def disguise(block: Block, kit: Kit, rng: Random) -> Block:
        words = [found for found in re.finditer(r"[!-~]+", block.text) if rng.random() < share]
        wide = ((found, "".join(chr(ord(char) + FULL_WIDTH_SHIFT) for char in found[0])) for found in words)
        return edited(block, ((found.start(), found.end(), new) for found, new in wide))

    return disguise


def _converted(text: str, configuration: str) -> Iterator[Edit]:
    """Converts clause by clause: words do not cross punctuation, and origins stay known if lengths change."""
    for clause in _CLAUSE.finditer(text):
        new = _converter(configuration).convert(clause[0])
        if new != clause[0]:
            yield clause.start(), clause.end(), new


@lru_cache(maxsize=4)
def _converter(configuration: str) -> OpenCC:
    return OpenCC(configuration)
