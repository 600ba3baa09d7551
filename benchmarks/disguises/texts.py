"""Named disguises as functions from text to text. Pure."""

from collections.abc import Callable
from random import Random
from typing import Final, TypeAlias

from benchmarks.corpus.model import Language
from benchmarks.disguises.blocks import Block, text_of
from benchmarks.disguises.characters import homophones, traditional
from benchmarks.disguises.excerpts import passage
from benchmarks.disguises.kit import Arrangement, Disguise, Kit
from benchmarks.disguises.order import shuffle_paragraphs, shuffle_sentences
from benchmarks.disguises.punctuation import punctuation, zero_width

Made: TypeAlias = Callable[[str, Random], str]

HOMOPHONES: Final = 0.15
EXCERPT: Final = "excerpt"
EXCERPT_CHARS: Final = 250

_KIT: Final = Kit(Language.CHINESE, {}, ())
"""None of these adds words of its own."""


def of_block(disguise: Disguise) -> Made:
    """The disguise as a function of a text and of chance."""
    return lambda text, rng: disguise(_block(text), _KIT, rng).text


def of_page(arrangement: Arrangement) -> Made:
    return lambda text, rng: text_of(arrangement(_block(text), _KIT, rng))


def _block(text: str) -> Block:
    return Block(text, tuple(range(len(text))), "source")


DISGUISES: Final[dict[str, Made]] = {
    "exact": lambda text, _rng: text,
    "homophones": of_block(homophones(HOMOPHONES)),
    "traditional script": of_block(traditional),
    "paragraphs shuffled": of_page(shuffle_paragraphs),
    "sentences shuffled": of_page(shuffle_sentences),
    EXCERPT: lambda text, rng: passage(_block(text), EXCERPT_CHARS, Language.CHINESE, rng).text,
    "invisible characters": of_block(zero_width),
    "other punctuation": of_block(punctuation),
}
