"""Stories that many sites have already, and further copies of them: a popular story must not be harder to find."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from random import Random
from typing import Final

from benchmarks.corpus.model import Article, Builder, Language, Material, Probe, Scenario, Stored
from benchmarks.corpus.shares import drawn, stories
from benchmarks.disguises.blocks import Block, whole
from benchmarks.disguises.characters import homophones, lookalikes
from benchmarks.disguises.excerpts import excerpt, passage
from benchmarks.disguises.frames import embedded, frame_line, framed
from benchmarks.disguises.kit import Arrangement, Kit, kit_for
from benchmarks.disguises.segmentation import opening, word_places
from benchmarks.disguises.words import word_edits
from benchmarks.quality.scenarios.copies import probe_of

FULL_SIZE: Final = 100
"""With so many probes wanted, or more, a scenario is built in full; with fewer, smaller in proportion."""
MIN_STORED: Final = 30
"""A story that is stored more often than so is never scaled down below."""
STORY_CHARS: Final = 800
STORED_EDIT_SHARE: Final = 0.02
EMBEDDED_CHARS: Final = 300


@dataclass(frozen=True, slots=True)
class Popularity:
    """Number of stored texts of one story, each on a site of its own, and number of such stories."""

    number: int
    stored: int
    stories: int

    def scaled(self, wanted: int) -> "Popularity":
        """Scaled to the number of probes."""
        if wanted >= FULL_SIZE:
            return self
        stored = max(min(self.stored, MIN_STORED), self.stored * wanted // FULL_SIZE)
        return replace(self, stored=stored, stories=max(1, self.stories * wanted // FULL_SIZE))


POPULARITIES: Final = (
    Popularity(0, stored=2, stories=40),
    Popularity(1, stored=10, stories=20),
    Popularity(2, stored=100, stories=5),
    Popularity(3, stored=10_000, stories=1),
)


def popular(family: str, popularity: Popularity) -> Builder:
    """The corpus holds each story once already; the rest of its copies are stored beside it.

    The probes' passages are not recorded: which of so many copies is named is open.
    """

    def build(material: Material, rng: Random, wanted: int) -> Scenario:
        kit = kit_for(material)
        size = popularity.scaled(wanted)
        known = stories(material, popularity.number)
        chosen = rng.sample(known, min(len(known), size.stories))
        stored = {
            story.id: tuple(_stored(family, story, number, size.stored - 1, kit, rng))
            for number, story in enumerate(chosen)
        }
        every = {story: frozenset([story, *(copy.id for copy in copies)]) for story, copies in stored.items()}
        probes = (
            _probe(family, number, story, every[story.id], kit, rng)
            for number, story in enumerate(drawn(tuple(chosen), wanted, rng))
        )
        return Scenario(tuple(probes), tuple(copy for copies in stored.values() for copy in copies))

    return build


def _stored(family: str, story: Article, number: int, count: int, kit: Kit, rng: Random) -> Iterator[Stored]:
    """Cheaply made, since there may be ten thousand: a few words edited, a line above and one below."""
    text = opening(whole(story), STORY_CHARS).text
    pieces = _pieces(text, kit.language)
    for copy in range(count):
        site = f"{family}-{copy:05}"
        body = _edited(pieces, kit, rng)
        above, below = frame_line("byline", kit.language, rng), frame_line("footer", kit.language, rng)
        yield Stored(f"https://{site}.test/{number}", f"{above}\n{body}\n{below}", site, story.title)


def _pieces(text: str, language: Language) -> list[str]:
    """The text as words and what is between them, by turns, beginning with what is before the first word."""
    ends = [0, *(place for word in word_places(text, language) for place in word), len(text)]
    return [text[start:end] for start, end in pairwise(ends)]


def _edited(pieces: Sequence[str], kit: Kit, rng: Random) -> str:
    changed = list(pieces)
    words = len(pieces) // 2
    for number in rng.sample(range(words), round(rng.uniform(0, 2 * STORED_EDIT_SHARE) * words)):
        changed[2 * number + 1] = kit.word(len(pieces[2 * number + 1]), rng)
    return "".join(changed)


def _probe(family: str, number: int, story: Article, sources: frozenset[str], kit: Kit, rng: Random) -> Probe:
    start = opening(whole(story), STORY_CHARS).stripped()
    ways = WAYS[kit.language]
    blocks = ways[number % len(ways)](start, kit, rng)
    return replace(probe_of(family, number, kit.language, blocks, sources=sources), spans=())


def _in_words(block: Block, kit: Kit, rng: Random) -> tuple[Block, ...]:
    return framed(word_edits(rng.uniform(0.05, 0.15))(block, kit, rng), kit, rng)


def _in_part(block: Block, kit: Kit, rng: Random) -> tuple[Block, ...]:
    return (excerpt(0.5)(block, kit, rng),)


def _in_sounds(block: Block, kit: Kit, rng: Random) -> tuple[Block, ...]:
    return (homophones(0.1)(block, kit, rng),)


def _in_looks(block: Block, kit: Kit, rng: Random) -> tuple[Block, ...]:
    return (lookalikes(0.1)(block, kit, rng),)


def _in_host(block: Block, kit: Kit, rng: Random) -> tuple[Block, ...]:
    return embedded(passage(block, EMBEDDED_CHARS, kit.language, rng), kit, rng)


WAYS: Final[dict[Language, tuple[Arrangement, ...]]] = {
    Language.CHINESE: (_in_words, _in_part, _in_sounds, _in_host),
    Language.ENGLISH: (_in_words, _in_part, _in_looks, _in_host),
}
