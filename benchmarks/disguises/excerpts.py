"""A part of an article: an excerpt of whole sentences, or a passage that begins and ends anywhere."""

from random import Random
from typing import Final

from benchmarks.corpus.model import Language
from benchmarks.disguises.blocks import Block
from benchmarks.disguises.kit import Disguise, Kit
from benchmarks.disguises.order import MIN_SENTENCE_CHARS
from benchmarks.disguises.segmentation import sentences

MIN_PROSE_SHARE: Final = {Language.CHINESE: 0.6, Language.ENGLISH: 0.7}
"""Least share of Han characters, or letters, in a passage: people copy prose, not tables and addresses."""
TRIES: Final = 50


def excerpt(share: float) -> Disguise:
    """Consecutive whole sentences, beginning at this share of the text."""

    def disguise(block: Block, kit: Kit, rng: Random) -> Block:
        return run_of_sentences(block, round(share * len(block.text)), kit.language, rng)

    return disguise


def run_of_sentences(block: Block, chars: int, language: Language, rng: Random) -> Block:
    """At least so many characters in whole sentences, beginning with a random one; the whole text if it has no more."""
    starts = [0]
    for part in sentences(block, at_least=MIN_SENTENCE_CHARS[language]):
        starts.append(starts[-1] + len(part.text))
    possible = [start for start in starts if start + chars <= len(block.text)] or [0]
    start = rng.choice(possible)
    end = next((end for end in starts if end >= start + chars), len(block.text))
    return block.cut(start, end).stripped()


def passage(block: Block, chars: int, language: Language, rng: Random) -> Block:
    """Exactly `chars` characters that neither begin nor end with white space, of prose if some can be found.

    In English it begins with a word. If a text has no such place, its beginning is used.
    """
    best = block.cut(0, chars).stripped()
    best_share = -1.0
    for _ in range(TRIES):
        start = rng.randrange(max(1, len(block.text) - chars))
        if language is Language.ENGLISH:
            start = max(0, block.text.find(" ", start, len(block.text) - chars - 1) + 1)
        found = block.cut(start, start + chars)
        share = prose_share(found.text, language)
        if share > best_share and found.text == found.text.strip():
            best, best_share = found, share
        if best_share >= MIN_PROSE_SHARE[language]:
            break
    return best


def prose_share(text: str, language: Language) -> float:
    """The share of Han characters, or of Latin letters in English; 0 of an empty text."""
    if language is Language.CHINESE:
        letters = sum("\u4e00" <= char <= "\u9fff" for char in text)
    else:
        letters = sum(char.isascii() and char.isalpha() for char in text)
    return letters / len(text) if text else 0.0
