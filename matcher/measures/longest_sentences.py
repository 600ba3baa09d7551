"""Top-k longest sentences: copies of whole paragraphs keep the longest sentences.

Named in the published notes on text fingerprints (top-k 最长句子签名), which leave out how it is done; this is the
plain form.
"""

import re
from collections.abc import Iterator
from heapq import nlargest
from typing import Final

from matcher.measures.model import Measured, Side, no_value

SENTENCES: Final = 8
SHORTEST: Final = 8
"""Letters and digits: what is shorter is a heading or an exclamation that any two texts may share."""

# A sentence ends at a Chinese stop, at a line's end, and at a Latin stop before a space (so not in 3.14 or a.b.com).
_SENTENCE_END: Final = re.compile(r"[。！？!?；;…\r\n]|\.(?=\s)")
_NOT_A_LETTER: Final = re.compile(r"[\W_]+")


def shared_longest_sentences(left: Side, right: Side) -> Measured:
    """Of the 8 longest different sentences of each text, the share that are the same: 0…1, symmetric. Time O(n).

    Spaces and marks inside a sentence do not count. A text of fewer sentences is compared by those it has: 1 is reached
    only where both have the same number.
    """
    one, other = longest_sentences(left.text), longest_sentences(right.text)
    if not one or not other:
        return no_value(f"a text without a sentence of {SHORTEST} letters has no longest sentences")
    shared = len(one & other)
    return Measured(
        shared / max(len(one), len(other)), figures={"shared": shared, "left": len(one), "right": len(other)}
    )


def longest_sentences(text: str, count: int = SENTENCES) -> frozenset[str]:
    """The longest different sentences, letters and digits only; equally long ones by the order of their characters."""
    return frozenset(nlargest(count, set(_sentences(text)), key=lambda sentence: (len(sentence), sentence)))


def _sentences(text: str) -> Iterator[str]:
    for piece in _SENTENCE_END.split(text):
        sentence = _NOT_A_LETTER.sub("", piece)
        if len(sentence) >= SHORTEST:
            yield sentence
