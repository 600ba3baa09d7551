"""The measured texts, all of one length: from a corpus, or generated. Pure."""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from benchmarks.corpus.model import Article, Language
from benchmarks.disguises.blocks import Block, whole
from benchmarks.disguises.kit import Kit
from benchmarks.disguises.order import scrambled_characters
from benchmarks.disguises.words import word_edits
from benchmarks.speed.store.text_generator import articles, words

CHARS: Final = 1_500
FEWEST: Final = 400
MADE_UP: Final = 1_500
PROBES_EACH: Final = 40
PASSAGE: Final = 300
_EDITED: Final = 0.1
_SCRAMBLED_WITHIN: Final = 10
_VOCABULARY: Final = 5_000

DISCLAIMER: Final = (
    "免责声明：本文仅代表作者个人观点，与本网站无关。其原创性以及文中陈述文字和内容未经本站证实，对本文以及其中全部或者部分内容、"
    "文字的真实性、完整性、及时性本站不作任何保证或承诺，请读者仅作参考，并请自行核实相关内容。如有侵权请联系我们，本站将在第一时间处理。"
)

NOT_STORED: Final = "not stored"
WITH_DISCLAIMER: Final = "with the disclaimer"
OF_THE_STORY: Final = "the story again"
CROWDED: Final = (WITH_DISCLAIMER, OF_THE_STORY)
EDITED: Final = "words edited"
EXCERPT: Final = "passage of 300"
SCRAMBLED: Final = "scrambled"
COPIES: Final = (EDITED, EXCERPT, SCRAMBLED)


class TooFewTexts(Exception):  # reads as what it says
    """A corpus from which no store can be made."""


@dataclass(frozen=True, slots=True)
class Probe:
    """A text to ask for. `source`: the number of the planted text that it is copied from, if it is a copy."""

    family: str
    text: str
    source: int | None = None


@dataclass(frozen=True, slots=True)
class Material:
    """`texts` define the distribution of keys and codes; every store holds `planted`, and many copies of `story`."""

    texts: tuple[str, ...]
    planted: tuple[str, ...]
    story: str
    probes: tuple[Probe, ...]
    is_made_up: bool


def material_of(corpus: Sequence[str] | None, *, seed: int, chars: int = CHARS) -> Material:
    """Of the corpus' texts of `chars` characters and more, cut; without one, of made-up texts. Raises TooFewTexts."""
    if corpus is None:
        texts = list(articles(seed, MADE_UP, chars))
    else:
        texts = [text[:chars] for text in dict.fromkeys(corpus) if len(text) >= chars]
        if len(texts) < FEWEST:
            message = f"The corpus has {len(texts)} Chinese articles of {chars:,} characters; {FEWEST} are the least."
            raise TooFewTexts(message)
        random.Random(seed).shuffle(texts)  # a benchmark, not a secret
    story, *rest = texts
    planted, held = rest[: 3 * PROBES_EACH], rest[3 * PROBES_EACH : 7 * PROBES_EACH]
    return Material(tuple(texts), tuple(planted), story, tuple(_probes(planted, held, story, seed)), corpus is None)


def _probes(planted: Sequence[str], held: Sequence[str], story: str, seed: int) -> list[Probe]:
    chance = random.Random(f"{seed}/probes")  # the same
    kit = Kit(Language.CHINESE, {2: _common_words(2), 1: _common_words(1)}, ())
    edit, scramble = word_edits(_EDITED), scrambled_characters(_SCRAMBLED_WITHIN)
    probes = []
    for number in range(PROBES_EACH):
        one, other, third = (held[number + step * PROBES_EACH] for step in range(3))
        sources = [number + step * PROBES_EACH for step in range(3)]
        edited, cited, scrambled = (planted[source] for source in sources)
        start = chance.randrange(0, len(cited) - PASSAGE)
        probes += [
            Probe(NOT_STORED, one),
            Probe(WITH_DISCLAIMER, f"{other}\n{DISCLAIMER}"),
            Probe(OF_THE_STORY, edit(_block(story), kit, chance).text),
            Probe(EDITED, edit(_block(edited), kit, chance).text, sources[0]),
            Probe(EXCERPT, f"{third[:600]}{cited[start : start + PASSAGE]}{third[600:1200]}", sources[1]),
            Probe(SCRAMBLED, scramble(_block(scrambled), kit, chance).text, sources[2]),
        ]
    return probes


def _block(text: str) -> Block:
    return whole(Article("", "", text))


def _common_words(length: int) -> tuple[str, ...]:
    known, _ = words()
    return tuple(word for word in known if len(word) == length)[:_VOCABULARY]
