"""Copy damage: words broken by replaced characters, and sentences cut off at the ends of a text."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from fingerprint.characters.tables import code_points
from fingerprint.normalize import canonicalize
from fingerprint.tokens import count_words
from matcher.alignment.diff import span_table
from matcher.alignment.diff_loops import HOMOPHONE, LOOKALIKE
from matcher.alignment.kept_values import kept
from matcher.judgement.judge import Judgement
from matcher.provenance.writing_slips import slips_between
from storage.records.differences import DifferenceType
from storage.records.matches import Passage

FEW_REPLACED: Final = 3
"""Least number of homophones or look-alikes; fewer may be typing errors."""


@dataclass(frozen=True, slots=True)
class CopyDamage:
    """The copy damage of both sides: words broken by replaced characters inside the shared passages, and whether a
    text begins or ends in the middle of a sentence that the other has whole.
    """

    replaced: int = 0
    left_words: int = 0
    right_words: int = 0
    left_cut: bool = False
    right_cut: bool = False


_REPLACED: Final = (DifferenceType.HOMOPHONE, DifferenceType.LOOKALIKE)
_REPLACED_TYPES: Final = (HOMOPHONE, LOOKALIKE)
EDGE: Final = 2
"""Characters between a passage and the end of its text that belong to no word: a quotation mark, a space."""
GOES_ON: Final = 12
"""Least characters of the other text beyond the passage for the sentence to continue there."""
SENTENCE_ENDS: Final = frozenset("。！？!?….\n”’」』》）)】]:：;；")
KEPT_CHARS: Final = 1_000_000
"""Characters of the pairs whose words are kept: a match is judged twice, with its notices and without them."""
SHORTEST_PASSAGE: Final = 60
"""Least characters of a passage: a shorter one begins and ends anywhere."""


def copy_damage_of(judgement: Judgement, left: str, right: str) -> CopyDamage:
    """Return how many characters were replaced by ones that sound or look alike, into how many words each side divides,
    and whether a text begins or ends in the middle of a sentence that the other one has whole. Writing slips do not
    count.
    """
    passages = judgement.passages
    replaced, left_words, right_words = 0, 0, 0
    if sum(map(_replaced_in, passages)) >= FEW_REPLACED:
        replaced, left_words, right_words = map(
            sum, zip(*(_words_apart(item, left, right) for item in passages), strict=True)
        )
    return CopyDamage(
        replaced=replaced,
        left_words=left_words,
        right_words=right_words,
        left_cut=_is_cut(passages, left, right),
        right_cut=_is_cut([item.swapped() for item in passages], right, left),
    )


@dataclass(frozen=True, slots=True)
class _Pieces:
    """Both sides of a passage, and the number of characters replaced in it."""

    left: str
    right: str
    replaced: int = 0


def _words_apart(item: Passage, left: str, right: str) -> tuple[int, int, int]:
    """Return how many characters were replaced in a passage, and into how many words each side divides."""
    known = _known_words(left, right)
    if item not in known:
        pieces = _without_slips(item, left, right)
        known[item] = pieces.replaced, _words(pieces.left), _words(pieces.right)
    return known[item]


@kept(KEPT_CHARS, size=lambda left, right: len(left) + len(right))
def _known_words(_left: str, _right: str) -> dict[Passage, tuple[int, int, int]]:
    return {}


def _without_slips(item: Passage, left: str, right: str) -> _Pieces:
    """Return the passage without writing slips: where both sides differ by a slip, they get one character."""
    one, other = left[item.left_start : item.left_end], right[item.right_start : item.right_end]
    if not _replaced_in(item):
        return _Pieces(one, other)
    spans = span_table(one, other)
    starts, ends, right_starts, right_ends, _ = spans[np.isin(spans[:, 4], _REPLACED_TYPES)].T
    lengths, right_lengths = ends - starts, right_ends - right_starts
    both = np.minimum(lengths, right_lengths)
    within = np.arange(int(both.sum())) - np.repeat(np.cumsum(both) - both, both)
    at, other_at = np.repeat(starts, both) + within, np.repeat(right_starts, both) + within
    points, other_points = code_points(one).copy(), code_points(other).copy()
    common = slips_between(points[at], other_points[other_at])
    is_slip = common > 0
    points[at[is_slip]] = other_points[other_at[is_slip]] = common[is_slip]
    replaced = int(np.abs(lengths - right_lengths).sum()) + int(np.count_nonzero(~is_slip))
    return _Pieces(_text(points), _text(other_points), replaced)


def _text(points: npt.NDArray[np.uint32]) -> str:
    return points.astype("<u4", copy=False).tobytes().decode("utf-32-le", "surrogatepass")


def _replaced_in(item: Passage) -> int:
    return sum(getattr(item.differences, kind) for kind in _REPLACED)


def _words(text: str) -> int:
    return count_words(canonicalize(text).text)


def _is_cut(passages: Sequence[Passage], left: str, right: str) -> bool:
    """Return whether the left text begins or ends inside a sentence that continues in the right one."""
    return any(
        _ends_in_the_middle(item, left, right) or _begins_in_the_middle(item, left, right)
        for item in passages
        if item.left_end - item.left_start >= SHORTEST_PASSAGE
    )


def _ends_in_the_middle(item: Passage, left: str, right: str) -> bool:
    rest = left[item.left_end :].strip()
    beyond = right[item.right_end : item.right_end + GOES_ON]
    is_at_end = len(rest) <= EDGE and not SENTENCE_ENDS.intersection(left[item.left_end - 1 :].strip())
    return is_at_end and len(beyond) == GOES_ON and SENTENCE_ENDS.isdisjoint(beyond[:1])


def _begins_in_the_middle(item: Passage, left: str, right: str) -> bool:
    before = right[max(0, item.right_start - GOES_ON) : item.right_start]
    is_at_start = len(left[: item.left_start].strip()) <= EDGE
    return (
        is_at_start and len(before) == GOES_ON and SENTENCE_ENDS.isdisjoint(before[-1:]) and before[-1:].strip() != ""
    )
