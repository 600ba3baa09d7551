"""Edit distance: how many characters must be put in, taken out or replaced to make one text of the other.

V. I. Levenshtein: Binary codes capable of correcting deletions, insertions and reversals. Soviet Physics Doklady
10, 1966.
"""

from typing import Final

from rapidfuzz.distance import Levenshtein

from matcher.measures.model import Measured, Side, empty_side, heads

LONGEST: Final = 50_000
"""Characters of each text. Time grows with the product of the lengths: two texts of this length take .2 s."""


def edit_similarity(left: Side, right: Side) -> Measured:
    """1 less the edit distance divided by the length of the longer text: 0…1, symmetric.

    Time O(n·m / 64). A paragraph moved elsewhere counts as taken out and put in.
    """
    if (answer := empty_side(left, right)) is not None:
        return answer
    one, other, note = heads(left, right, LONGEST)
    distance = Levenshtein.distance(one, other)
    longer = max(len(one), len(other))
    return Measured(1 - distance / longer, note, {"distance": distance, "characters": longer})
