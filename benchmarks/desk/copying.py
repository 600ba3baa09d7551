"""The texts of copies, with the passages that they share with their sources. Pure."""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from benchmarks.common.made_up_texts import Wording
from benchmarks.desk.world import Copy
from storage.records.matches import Passage
from storage.types import MatchKind

SENTENCES: Final = 24
"""Sentences of an article that was copied: some 900 characters."""
FEW_SENTENCES: Final = 7
"""Sentences of every other article: no measured page shows their texts, which would only fill the disk."""
_RUNS: Final = {
    MatchKind.IDENTICAL: 1,
    MatchKind.NEAR: 3,
    MatchKind.EMBEDDED: 1,
    MatchKind.EXCERPT: 1,
    MatchKind.MOSAIC: 2,
    MatchKind.SCRAMBLED: 5,
}
_TAKEN: Final = {
    MatchKind.IDENTICAL: 1.0,
    MatchKind.NEAR: 0.9,
    MatchKind.EMBEDDED: 0.8,
    MatchKind.EXCERPT: 0.4,
    MatchKind.MOSAIC: 0.3,
    MatchKind.SCRAMBLED: 0.8,
}
"""Approximate share of the source's sentences in the copy."""


@dataclass(frozen=True, slots=True)
class Made:
    """The text of a copy with its passages; left is the source."""

    text: str
    passages: tuple[Passage, ...]
    source_chars: int

    @property
    def shared(self) -> int:
        return sum(passage.left_end - passage.left_start for passage in self.passages)

    @property
    def source_share(self) -> float:
        return self.shared / self.source_chars

    @property
    def copy_share(self) -> float:
        return self.shared / len(self.text)


def made_copy(wording: Wording, copy: Copy) -> Made:
    source = wording.sentences(copy.ours, SENTENCES)
    if copy.kind is MatchKind.IDENTICAL:
        text = "".join(source)
        return Made(text, (Passage(0, len(text), 0, len(text), 1.0),), len(text))
    chance = random.Random(copy.theirs)  # made-up text
    own = wording.sentences(copy.theirs, FEW_SENTENCES)
    runs = _runs(len(source), copy.kind, chance)
    if copy.kind is MatchKind.SCRAMBLED:
        chance.shuffle(runs)
    parts, passages, at = [own[0]], [], len(own[0])
    for number, (first, last) in enumerate(runs):
        between = own[1 + number % FEW_SENTENCES]
        taken = "".join(source[first:last])
        start = len("".join(source[:first]))
        at += len(between)
        passages.append(Passage(start, start + len(taken), at, at + len(taken), 1.0))
        at += len(taken)
        parts += [between, taken]
    return Made("".join(parts), tuple(passages), len("".join(source)))


def _runs(count: int, kind: MatchKind, chance: random.Random) -> list[tuple[int, int]]:
    """Ranges of sentences of the source, with at least one sentence between two."""
    wanted = _RUNS[kind]
    whole = max(wanted, int(count * _TAKEN[kind]) - wanted)
    spare = count - whole - (wanted - 1)
    at, runs = chance.randint(0, max(0, spare)), []
    for length in _parts(whole, wanted):
        runs.append((at, min(count, at + length)))
        at += length + 1
    return [(first, last) for first, last in runs if first < last]


def _parts(whole: int, count: int) -> Sequence[int]:
    return [whole // count + (number < whole % count) for number in range(count)]
