"""Two short texts compared as a whole: a few sentences have no order, so particulars and similarity decide.

The particulars count over the whole texts, and sentences with the same wording take part: most of a short text that was
rewritten may be left as it was.
"""

from math import inf
from typing import Final

import numpy as np

from matcher.meaning.encoded_text import EncodedText
from matcher.meaning.encoders.encoder import Vectors
from matcher.meaning.evidence import ShortEvidence
from matcher.meaning.numbers.figures import is_figure
from matcher.meaning.particulars import Contrast
from matcher.meaning.sentences import length

LONGEST: Final = 450.0
"""Han characters of a short text. The texts of the fit have 44 to 446."""
MOST_RATIO: Final = 3.0
"""Greatest ratio of lengths: beyond it one text is no version of the other as a whole."""
COUNTED: Final = 0.5
"""Share of the greatest rarity from which a particular counts."""


def are_short(left: EncodedText, right: EncodedText) -> bool:
    """Return whether both texts are short and about as long as each other."""
    return max(_length(left), _length(right)) <= LONGEST and _ratio(left, right) <= MOST_RATIO


def short_evidence(left: EncodedText, right: EncodedText, contrast: Contrast) -> ShortEvidence:
    """Return the evidence that one short text retells the other. Both have a sentence at least."""
    one, other = _whole(left), _whole(right)
    gain = 2 * float(one @ other) - float(left.ambient.mean() + right.ambient.mean())
    mine, theirs = (frozenset().union(*text.particulars) for text in (left, right))
    shared = _rarity(mine & theirs, contrast)
    poorer = min(_rarity(mine, contrast), _rarity(theirs, contrast))
    figures = [{key for key in keys if is_figure(key)} for keys in (mine, theirs)]
    return ShortEvidence(
        gain,
        shared,
        min(1.0, shared / poorer) if poorer else 0.0,
        (len(figures[0] & figures[1]), min(map(len, figures))),
        _ratio(left, right),
    )


def _whole(text: EncodedText) -> Vectors:
    """Return the vector of a text: the sum of those of its sentences, each as long as the sentence."""
    lengths = np.array([end - start for start, end in text.sentences], dtype=np.float32)
    total: Vectors = lengths @ text.vectors
    return total / max(float(np.linalg.norm(total)), 1e-9)


def _rarity(particulars: frozenset[str], contrast: Contrast) -> float:
    least = COUNTED * contrast.rarest
    return sum(rarity for rarity in map(contrast.rarity, sorted(particulars)) if rarity > least)


def _ratio(left: EncodedText, right: EncodedText) -> float:
    lengths = sorted((_length(left), _length(right)))
    return lengths[1] / lengths[0] if lengths[0] else inf


def _length(text: EncodedText) -> float:
    # A long text is known to be long without measuring all of it.
    return length(text.text[: int(4 * LONGEST)])
