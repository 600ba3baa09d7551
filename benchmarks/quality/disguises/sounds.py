"""Characters swapped for others of the same sound, as they come out of careless or of cunning typing."""

from collections import defaultdict
from functools import lru_cache
from random import Random
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, cast

from pypinyin import Style, lazy_pinyin

from benchmarks.quality.disguises.blocks import Block, edited
from benchmarks.quality.disguises.kit import Disguise, Kit

if TYPE_CHECKING:
    from collections.abc import Callable

FIRST_ROW: Final = 0xB0
LAST_ROW: Final = 0xD7
"""The rows of GB 2312 that hold its 3,755 common characters: those that people type."""


def homophones(share: float) -> Disguise:
    """Makes this share of all Han characters another common one of the same syllable, tones aside.

    The reading is that of the character where it stands: 行 in 银行 becomes 航, in 行走 it becomes 形.
    """

    def disguise(block: Block, kit: Kit, rng: Random) -> Block:
        others = [_same_sound(reading, char) for reading, char in zip(readings(block.text), block.text, strict=True)]
        han = sum("\u4e00" <= char <= "\u9fff" for char in block.text)
        places = [place for place, chars in enumerate(others) if chars]
        chosen = rng.sample(places, min(len(places), round(share * han)))
        return edited(block, ((place, place + 1, rng.choice(others[place])) for place in sorted(chosen)))

    return disguise


def readings(text: str) -> list[str]:
    """The syllable of each character without its tone, by the word it stands in; other characters as they are."""
    # Its types do not say so, but a list is let through as one entry for each character.
    return list(lazy_pinyin(text, style=Style.NORMAL, errors=cast("Callable[[str], str]", list)))


def _same_sound(reading: str, char: str) -> str:
    return common_characters().get(reading, "").replace(char, "") if "\u4e00" <= char <= "\u9fff" else ""


@lru_cache(maxsize=1)
def common_characters() -> MappingProxyType[str, str]:
    """The common characters of each syllable, by their own commonest reading."""
    found: defaultdict[str, str] = defaultdict(str)
    for row in range(FIRST_ROW, LAST_ROW + 1):
        for char in bytes(byte for cell in range(0xA1, 0xFF) for byte in (row, cell)).decode("gb2312", errors="ignore"):
            found[lazy_pinyin(char, style=Style.NORMAL)[0]] += char
    return MappingProxyType(dict(found))
