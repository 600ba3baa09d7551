"""Segmentation of a text into sentences, paragraphs and words."""

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise

import rjieba

from benchmarks.corpus.model import Language
from benchmarks.disguises.blocks import Block

_SENTENCE_END = re.compile(
    r"""
      [。！？]+[”’」』）]*\s*     # a Chinese stop, with the closing quotes that belong to it
    | [.!?]+["”’)\]]*\s+         # an English stop is followed by space: 3.5 is none
    | \n+                        # a line break ends a sentence that has no stop
    """,
    re.VERBOSE,
)
_LINE_END = re.compile(r"\n+")
_ENGLISH_WORD = re.compile(r"\w+(?:['’-]\w+)*")


def sentences(block: Block, *, at_least: int) -> tuple[Block, ...]:
    """Splits the block after sentences; a piece shorter than `at_least` characters is joined with the next."""
    return tuple(_cut(block, _SENTENCE_END, at_least))


def paragraphs(block: Block, *, at_least: int) -> tuple[Block, ...]:
    """As `sentences`, at line breaks."""
    return tuple(_cut(block, _LINE_END, at_least))


def opening(block: Block, chars: int) -> Block:
    """The beginning, up to the last end of a sentence within so many characters (exactly so many if there is none)."""
    if len(block.text) <= chars:
        return block
    ends = [found.end() for found in _SENTENCE_END.finditer(block.text, 0, chars)]
    return block.cut(0, ends[-1] if ends else chars)


def word_places(text: str, language: Language) -> list[tuple[int, int]]:
    """Start and end of each word; punctuation and white space are none."""
    if language is Language.ENGLISH:
        return [found.span() for found in _ENGLISH_WORD.finditer(text)]
    places = []
    start = 0
    for token in _segmenter().cut(text, False):
        if any(map(str.isalnum, token)):
            places.append((start, start + len(token)))
        start += len(token)
    return places


def _cut(block: Block, end: re.Pattern[str], at_least: int) -> Iterator[Block]:
    ends = [0]
    for found in end.finditer(block.text):
        if found.end() - ends[-1] >= at_least:
            ends.append(found.end())
    # The rest behind the last end is a piece of its own if it is long enough, else it belongs to the last one.
    if len(ends) == 1 or len(block.text) - ends[-1] >= at_least:
        ends.append(len(block.text))
    else:
        ends[-1] = len(block.text)
    return (block.cut(first, last) for first, last in pairwise(ends) if first < last)


@lru_cache(maxsize=1)
def _segmenter() -> rjieba.Jieba:
    return rjieba.Jieba()
