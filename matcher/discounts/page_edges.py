"""Page edges: units at the same edge of both texts, the place of mastheads, credits and notices.

Two issues of one journal share their masthead, two posts of one author the lines about the author, two translations of
one group the names of the translators. All of that is above or below the article, at the same edge in both. A copied
passage is seldom at the same edge of both texts, and if it is, it extends further in.
"""

from typing import Final

from matcher.alignment.align import Indices, Mask

EDGE_UNITS: Final = 150
"""Units from either end. Mastheads, credit lines and lines about the author are shorter."""
EDGE_SHARE: Final = 0.1
"""Share of the text: a short text has short edges, so that its content is not taken for a masthead."""


def edge_length(units: int) -> int:
    """Return how many units at either end of a text of `units` units are its edge."""
    return min(EDGE_UNITS, int(EDGE_SHARE * units))


def at_same_edge(left: Indices, right: Indices, left_units: int, right_units: int) -> Mask:
    """Return which of the pairs of units are in the upper edge of both texts, or in the lower edge of both."""
    left_edge, right_edge = edge_length(left_units), edge_length(right_units)
    upper = (left < left_edge) & (right < right_edge)
    lower = (left >= left_units - left_edge) & (right >= right_units - right_edge)
    mask: Mask = upper | lower
    return mask
