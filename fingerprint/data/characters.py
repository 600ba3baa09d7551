"""Character tables from Unicode, OpenCC and pypinyin. Used by `build_tables.py` only, never at run time."""

import re
import sys
import unicodedata
from functools import cache
from pathlib import Path

import opencc
from pypinyin.pinyin_dict import pinyin_dict

from fingerprint.characters.tables import APOSTROPHE, FIRST_DIGIT, LETTER_COUNT, WORD_LETTER

MAX_EXPANSION = 6
"""Longer decompositions (two Arabic phrase ligatures of 8 and 18 letters) stay as they are, to bound the output."""
MAX_ROUNDS = 5

DROPPED_MARKS = [
    (0x0300, 0x036F),
    (0x064B, 0x0655),  # Arabic vowel points: optional in writing
    (0x0670, 0x0670),
    (0x180B, 0x180F),
    (0x1AB0, 0x1AFF),
    (0x1DC0, 0x1DFF),
    (0x20D0, 0x20FF),
    (0x3099, 0x309A),
    (0xFE00, 0xFE0F),
    (0xFE20, 0xFE2F),
    (0xE0100, 0xE01EF),
]
LINE_BREAKS = "\n\v\f\x85\u2028\u2029"  # not \r: a text is the same with either line end

HAN = [(0x3005, 0x3005), (0x3007, 0x3007), (0x3400, 0x4DBF), (0x4E00, 0x9FFF), (0x20000, 0x323AF)]
HANGUL = (0xAC00, 0xD7A3)
WITHOUT_SPACES = [
    (0x0E00, 0x0E7F),  # Thai
    (0x0E80, 0x0EFF),  # Lao
    (0x0F00, 0x0FFF),  # Tibetan
    (0x1000, 0x109F),  # Myanmar
    (0x1100, 0x11FF),  # Hangul letters
    (0x1780, 0x17FF),  # Khmer
    (0x1950, 0x19DF),  # Tai Le, New Tai Lue
    (0x3040, 0x31FF),  # kana, bopomofo
    (0xA000, 0xA4CF),  # Yi
    HANGUL,
    (0x1B000, 0x1B16F),  # old kana
]
NAMED_LATIN = re.compile(r"LATIN (?:SMALL LETTER|LETTER SMALL CAPITAL) ([A-Z])")  # æ is named AE, ł L WITH STROKE

NOT_SIMPLIFIED_FURTHER = frozenset("么抬")
"""Regional variants that are everyday simplified characters of their own (什么, 抬头): never folded."""
OWN_VARIANTS = {"擡": "抬", "瞭": "了", "藉": "借", "衹": "只", "彷": "仿", "揹": "背", "伕": "夫", "牴": "抵"}
"""OpenCC decides these by phrase. One to one, the more common use wins (瞭解, 藉口, 彷彿); both scripts fold alike."""


def within(code_point: int, ranges: list[tuple[int, int]]) -> bool:
    return any(first <= code_point <= last for first, last in ranges)


def _opencc(name: str) -> dict[str, str]:
    lines = (Path(opencc.__file__).parent / "dictionary" / name).read_text(encoding="utf-8").splitlines()
    pairs = (line.split("\t") for line in lines if line)
    return {source: targets.split(" ")[0] for source, targets in pairs if len(source) == 1}


@cache
def simplified() -> dict[str, str]:
    """Return traditional → simplified; the forms of Taiwan and Hong Kong are mapped to the standard traditional form
    first.
    """
    standard = {**_opencc("TWVariantsRev.txt"), **_opencc("HKVariantsRev.txt")}
    traditional = _opencc("TSCharacters.txt")
    # 吃 is the Taiwan form of 喫, which maps back to 吃: such cycles must end where they began.
    regional = {source: traditional.get(target, target) for source, target in standard.items()}
    mapping = {**regional, **traditional, **OWN_VARIANTS}
    return {source: target for source, target in mapping.items() if source not in NOT_SIMPLIFIED_FURTHER}


def fold_once(char: str) -> str:
    code_point = ord(char)
    if char in LINE_BREAKS:
        return "\n"
    if char == "\t":
        return char
    if within(code_point, DROPPED_MARKS) or unicodedata.category(char) in {"Cc", "Cf", "Cs"}:
        return ""
    if HANGUL[0] <= code_point <= HANGUL[1]:
        return char
    decomposed = unicodedata.normalize("NFKD", char)
    folded = char if len(decomposed) > MAX_EXPANSION else decomposed.casefold()
    return "".join(simplified().get(each, each) for each in folded)


def fold_fully(char: str) -> str:
    """Apply `fold_once` until nothing changes, so that canonical text is a fixed point."""
    folded = char
    for _ in range(MAX_ROUNDS):
        again = "".join(map(fold_once, folded))
        if again == folded:
            return folded
        folded = again
    raise ValueError(f"the foldings of U+{ord(char):04X} run in a ring")


def all_folds() -> dict[int, str]:
    folds = {code_point: fold_fully(chr(code_point)) for code_point in range(sys.maxunicode + 1)}
    return {code_point: folded for code_point, folded in folds.items() if folded != chr(code_point)}


def toneless(reading: str) -> str:
    decomposed = unicodedata.normalize("NFD", reading.strip()).replace("u\u0308", "v")
    return "".join(letter for letter in decomposed if "a" <= letter <= "z")


def toneless_readings(code_point: int) -> list[str]:
    """Return the distinct toneless readings, the most common first."""
    plain = (toneless(reading) for reading in pinyin_dict.get(code_point, "").split(","))
    return list(dict.fromkeys(reading for reading in plain if reading))


def hashed_letter(code_point: int) -> int:
    return 1 + code_point % LETTER_COUNT


def unit_class(code_point: int) -> int:
    char = chr(code_point)
    category = unicodedata.category(char)
    if within(code_point, HAN):
        readings = toneless_readings(code_point)
        return ord(readings[0][0]) - ord("a") + 1 if readings else hashed_letter(code_point)
    if category == "Nd":
        return FIRST_DIGIT + unicodedata.digit(char)
    if char in "'’ʼ":
        return APOSTROPHE
    if within(code_point, WITHOUT_SPACES):
        return hashed_letter(code_point) if category.startswith("L") else 0
    if category[0] not in "LM":
        return 0
    named = NAMED_LATIN.match(unicodedata.name(char, ""))
    return WORD_LETTER + (ord(named[1]) - ord("A") + 1 if named else hashed_letter(code_point))
