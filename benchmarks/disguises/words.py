"""Disguises by words: replaced, deleted, inserted, or exchanged for synonyms."""

from collections.abc import Iterator
from random import Random
from typing import Final

from benchmarks.corpus.model import Language
from benchmarks.corpus.word_lists import alternatives
from benchmarks.disguises.blocks import Block, Edit, edited
from benchmarks.disguises.kit import Disguise, Kit
from benchmarks.disguises.segmentation import word_places

REPLACED, DELETED, INSERTED = "replaced", "deleted", "inserted"
KINDS: Final = {REPLACED: 60, DELETED: 20, INSERTED: 20}
"""Of a hundred edits."""
CLUSTERED_SHARE: Final = 0.5
"""Share of edits that are adjacent, as when somebody rewrites a phrase."""
CLUSTER_WORDS: Final = (2, 5)


def word_edits(share: float) -> Disguise:
    """Edits this share of all words."""

    def disguise(block: Block, kit: Kit, rng: Random) -> Block:
        places = word_places(block.text, kit.language)
        chosen = edited_words(len(places), round(share * len(places)), rng)
        return edited(block, (_edit(block.text, places[number], kit, rng) for number in chosen))

    return disguise


def edited_words(count: int, wanted: int, rng: Random) -> list[int]:
    """Indexes of the words to edit, ascending; exactly `wanted` of `count`, partly adjacent."""
    clustered: dict[int, None] = {}
    while len(clustered) < round(CLUSTERED_SHARE * wanted):
        start = rng.randrange(count)
        clustered |= dict.fromkeys(range(start, min(count, start + rng.randint(*CLUSTER_WORDS))))
    together = list(clustered)[:wanted]
    alone = [number for number in range(count) if number not in clustered]
    missing = min(wanted - len(together), len(alone))
    return sorted([*together, *rng.sample(alone, missing)])


def _edit(text: str, place: tuple[int, int], kit: Kit, rng: Random) -> Edit:
    start, end = place
    [kind] = rng.choices(list(KINDS), list(KINDS.values()))
    spaced = kit.language is Language.ENGLISH
    if kind == DELETED:
        return start, end + (spaced and text[end : end + 1] == " "), ""
    new = kit.word(end - start, rng)
    if kind == INSERTED:
        return start, start, new + " " * spaced
    return start, end, new


def synonyms(share: float) -> Disguise:
    """Replaces this share of the words that have a synonym in the list."""

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
