"""Cuts a text into the sentences that are compared by meaning.

Sentences of different languages get about the same content: a Han character counts as three letters. Short ones join
the sentence before, and long ones are cut at a comma.
"""

import re
from typing import Final, NamedTuple

from matcher.alignment.kept_values import kept

SHORTEST: Final = 14.0
LONGEST: Final = 70.0
"""Bounds of a sentence, in Han characters. An encoder blurs what is longer; what is shorter says little."""
LETTER: Final = 0.35
"""Han characters that a letter, digit or sign counts as: a translation into English has three letters for each."""
MOST_SENTENCES: Final = 600
"""Sentences that are compared; a longer text is compared by its first ones. An article has 20 to 150."""
KEPT_CHARS: Final = 2_000_000
"""Characters of the texts whose sentences are kept: some 10 MB. A candidate is cut for its passages and again for its
vectors, and is one of many texts.
"""

_END: Final = re.compile(r"[。｡！？!?；;…؟؛۔।॥።]+[”’」』）)»\"']*|\.(?=\s)|\n")
"""Of Chinese, Japanese, Korean and European languages, Arabic and Urdu, Hindi, Amharic. Thai has no sign: spaces do."""
_PAUSE: Final = re.compile(r"[，,、：:—،､၊]|\s(?=[^\s])")
_HAN: Final = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff]+")
_WORD: Final = re.compile(r"\w")
_SIGN: Final = re.compile(r"[{}<>=;$#|\\_\[\]]|https?:")
_MOST_SIGNS: Final = 0.06
"""Share of signs in a line of source code."""


class Sentence(NamedTuple):
    """`text[start:end]`, without the white space around it."""

    start: int
    end: int


@kept(KEPT_CHARS, size=len)
def sentences_of(text: str) -> tuple[Sentence, ...]:
    """Return the sentences of a text in order, at most `MOST_SENTENCES`. Never raises.

    Source code, and lines without a letter, are left out.
    """
    found: list[Sentence] = []
    for start, end in _joined(_cut(text)):
        part = text[start:end]
        if _WORD.search(part) and not _is_code(part):
            found.append(Sentence(start + len(part) - len(part.lstrip()), end - len(part) + len(part.rstrip())))
        if len(found) == MOST_SENTENCES:
            break
    return tuple(found)


def length(text: str) -> float:
    """Return the length of a text in Han characters."""
    han = sum(map(len, _HAN.findall(text)))
    return han + LETTER * (len(text) - han)


def _cut(text: str) -> "list[tuple[int, int, float]]":
    """Return the parts of a text, each at most `LONGEST`, with their lengths."""
    parts = []
    start = 0
    for end in [*(match.end() for match in _END.finditer(text)), len(text)]:
        while start < end:
            stop = _stop(text, start, end)
            parts.append((start, stop, length(text[start:stop])))
            start = stop
        if len(parts) > 8 * MOST_SENTENCES:
            break
    return parts


def _stop(text: str, start: int, end: int) -> int:
    """Return where a part that begins at `start` ends: at a pause if the sentence is too long."""
    # No character counts less than a letter, so no part has more characters than this.
    window = text[start : min(end, start + int(LONGEST / LETTER))]
    if start + len(window) == end and length(window) <= LONGEST:
        return end
    while length(window) > LONGEST:
        window = window[: max(1, int(len(window) * LONGEST / length(window)))]
    pause = max((match.end() for match in _PAUSE.finditer(window)), default=0)
    return start + (pause if length(window[:pause]) >= SHORTEST else len(window))


def _joined(parts: "list[tuple[int, int, float]]") -> "list[tuple[int, int]]":
    """Join a part that is too short with the one before, unless both together are too long."""
    joined: list[tuple[int, int, float]] = []
    for start, end, size in parts:
        if joined and min(joined[-1][2], size) < SHORTEST and joined[-1][2] + size <= LONGEST:
            joined[-1] = (joined[-1][0], end, joined[-1][2] + size)
        else:
            joined.append((start, end, size))
    return [(start, end) for start, end, _ in joined]


def _is_code(part: str) -> bool:
    return len(_SIGN.findall(part)) > _MOST_SIGNS * len(part)
