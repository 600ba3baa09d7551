"""Characters swapped for look-alikes, and words for others of the same meaning, by lists of our own."""

from collections.abc import Iterator
from random import Random
from typing import Final

from benchmarks.quality.corpus.model import Language
from benchmarks.quality.corpus.word_lists import alternatives
from benchmarks.quality.disguises.blocks import Block, Edit, edited
from benchmarks.quality.disguises.kit import Disguise, Kit
from benchmarks.quality.disguises.sentences import word_places

CHARACTER_LISTS: Final = {
    Language.CHINESE: ("lookalikes-zh.txt", "lookalikes-en.txt"),
    Language.ENGLISH: ("lookalikes-en.txt",),
}


def lookalikes(share: float) -> Disguise:
    """Makes this share of all letters and Han characters one that looks alike, as far as the lists know any."""

    def disguise(block: Block, kit: Kit, rng: Random) -> Block:
        known = {char: others for name in CHARACTER_LISTS[kit.language] for char, others in alternatives(name).items()}
        places = [place for place, char in enumerate(block.text) if char in known]
        wanted = round(share * sum(map(str.isalpha, block.text)))
        chosen = sorted(rng.sample(places, min(wanted, len(places))))
        return edited(block, ((place, place + 1, rng.choice(known[block.text[place]])) for place in chosen))

    return disguise


def synonyms(share: float) -> Disguise:
    """Swaps this share of the words for which the list knows another of the same meaning."""

    def disguise(block: Block, kit: Kit, rng: Random) -> Block:
        return edited(block, _synonyms(block.text, share, kit, rng))

    return disguise


def _synonyms(text: str, share: float, kit: Kit, rng: Random) -> Iterator[Edit]:
    known = alternatives(f"synonyms-{kit.language}.txt")
    for start, end in word_places(text, kit.language):
        word = text[start:end]
        others = known.get(word.lower(), ())
        if others and rng.random() < share:
            new = rng.choice(others)
            yield start, end, new.capitalize() if word[0].isupper() else new
