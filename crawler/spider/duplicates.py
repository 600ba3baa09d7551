"""Comparison of two pages of one site: canonical links claim that they hold one article, often falsely. Pure."""

from typing import Final

GRAM: Final = 8
"""Word characters in a row. Two articles on one subject share few of them, a print version nearly all."""

SAME_SHARE: Final = 0.8
"""Share of the shorter text's grams that the longer one must hold: print versions leave out boxes and notes."""

COMPARED: Final = 50_000
"""Characters compared of each text."""


def is_same_article(one: str, other: str) -> bool:
    """Whether two texts are nearly the same."""
    shorter, longer = sorted((_grams(one), _grams(other)), key=len)
    return bool(shorter) and len(shorter & longer) >= SAME_SHARE * len(shorter)


def _grams(text: str) -> set[str]:
    words = "".join(filter(str.isalnum, text[:COMPARED])).lower()
    return {words[start : start + GRAM] for start in range(max(1, len(words) - GRAM + 1))} if words else set()
