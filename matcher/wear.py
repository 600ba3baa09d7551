"""What copying has left on a text: words broken by replaced characters, sentences cut off at its ends."""

from collections.abc import Sequence
from typing import Final

from fingerprint.normalize import canonicalize
from fingerprint.tokens import count_words
from matcher.direction import Wear
from matcher.judge import Judgement
from storage.records import Passage

EDGE: Final = 2
"""Characters between a passage and the end of its text that are no words: a quotation mark, a space."""
GOES_ON: Final = 12
"""Characters that the other text must have beyond the passage, for it to go on."""
SENTENCE_ENDS: Final = frozenset("。！？!?….\n”’」』》）)】]:：;；")
SHORTEST_PASSAGE: Final = 60
"""Characters: a shorter passage begins and ends anywhere."""


def wear_of(judgement: Judgement, left: str, right: str) -> Wear:
    """How many characters were replaced by ones that sound or look alike, how many words each side falls into, and
    whether a text begins or ends in the middle of a sentence that the other one has whole.
    """
    passages = judgement.passages
    replaced = sum(item.differences.homophone + item.differences.lookalike for item in passages)
    return Wear(
        replaced=replaced,
        left_words=sum(_words(left[item.left_start : item.left_end]) for item in passages) if replaced else 0,
        right_words=sum(_words(right[item.right_start : item.right_end]) for item in passages) if replaced else 0,
        left_cut=_is_cut(passages, left, right),
        right_cut=_is_cut([item.swapped() for item in passages], right, left),
    )


def _words(text: str) -> int:
    return count_words(canonicalize(text).text)


def _is_cut(passages: Sequence[Passage], left: str, right: str) -> bool:
    """Whether the left text begins or ends inside a sentence that goes on in the right one."""
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
