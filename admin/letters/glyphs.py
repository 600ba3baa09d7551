"""Characters that no installed font has: printed as empty boxes, they need their code points beside them."""

import re
import shutil
import subprocess
import unicodedata
from bisect import bisect_right
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby
from typing import Final
from urllib.parse import quote

LISTER: Final = "fc-list"
"""Of fontconfig, by which Chromium finds its fonts. Where it is missing, only `COMMON` is taken to be there."""
_LISTER_S: Final = 20.0
COMMON: Final = (
    *((0x20, 0x24F), (0x370, 0x52F), (0x2000, 0x206F), (0x20A0, 0x20BF), (0x2100, 0x218F)),
    *((0x3000, 0x30FF), (0x3400, 0x9FFF), (0xAC00, 0xD7A3), (0xFF00, 0xFFEF)),
)
"""Latin, Greek, Cyrillic, punctuation, Chinese, kana and Hangul of the basic plane: the fonts that documents need."""
_ATTACHED: Final = frozenset({"Cf", "Mn", "Me"})
"""Joiners, variation selectors and accents belong to the character before them."""
_ADDRESS: Final = re.compile(r"https?://[^\s<>\"“”]+")


@dataclass(frozen=True, slots=True)
class Coverage:
    """Ranges of code points, sorted and apart: `firsts[n]` to `lasts[n]`."""

    firsts: tuple[int, ...]
    lasts: tuple[int, ...]

    def __contains__(self, character: str) -> bool:
        place = bisect_right(self.firsts, ord(character)) - 1
        return place >= 0 and ord(character) <= self.lasts[place]


def legible(text: str, has_glyph: Callable[[str], bool] | None = None) -> str:
    """`text` with code points behind each stretch that no font has, as in “😀 [U+1F600]”; in web addresses such
    characters are percent-encoded, which leaves the address the same. `has_glyph`: by default, the installed fonts.
    """
    known = has_glyph or installed().__contains__
    if all(character.isspace() or known(character) for character in set(text)):
        return text
    parts, end = [], 0
    for address in _ADDRESS.finditer(text):
        parts += [_noted(text[end : address.start()], known), _encoded(address[0], known)]
        end = address.end()
    return "".join([*parts, _noted(text[end:], known)])


def _noted(text: str, known: Callable[[str], bool]) -> str:
    return "".join(
        f"{run} [{' '.join(f'U+{ord(character):04X}' for character in run)}]" if is_missing else run
        for is_missing, run in _runs(text, known)
    )


def _encoded(address: str, known: Callable[[str], bool]) -> str:
    return "".join(quote(run, errors="replace") if is_missing else run for is_missing, run in _runs(address, known))


def _runs(text: str, known: Callable[[str], bool]) -> Iterator[tuple[bool, str]]:
    """Stretches without and with glyphs. What is attached to a character goes with it."""
    is_missing = False
    flags = []
    for character in text:
        if unicodedata.category(character) not in _ATTACHED or character.isspace():
            is_missing = not character.isspace() and not known(character)
        flags.append(is_missing)
    for flag, group in groupby(zip(flags, text, strict=True), key=lambda one: one[0]):
        yield flag, "".join(character for _, character in group)


@lru_cache(maxsize=1)
def installed() -> Coverage:
    """What the installed fonts have, asked once a process."""
    program = shutil.which(LISTER)
    if program is None:
        return coverage_of("")
    try:
        listed = subprocess.run(  # noqa: S603  # a fixed command without any input
            [program, "--format", "%{charset}\n"], capture_output=True, text=True, timeout=_LISTER_S, check=False
        ).stdout
    except (OSError, subprocess.TimeoutExpired):
        listed = ""
    return coverage_of(listed)


def coverage_of(listed: str) -> Coverage:
    """The ranges of fontconfig, such as `20-7e a0`, and `COMMON`. What is no range is passed over."""
    ranges = sorted({*COMMON, *(one for word in set(listed.split()) if (one := _range(word)) is not None)})
    firsts: list[int] = []
    lasts: list[int] = []
    for first, last in ranges:
        if lasts and first <= lasts[-1] + 1:
            lasts[-1] = max(lasts[-1], last)
        else:
            firsts.append(first)
            lasts.append(last)
    return Coverage(tuple(firsts), tuple(lasts))


def _range(word: str) -> tuple[int, int] | None:
    first, _, last = word.partition("-")
    try:
        found = int(first, 16), int(last or first, 16)
    except ValueError:
        return None
    return found if found[0] <= found[1] else None
