"""The likely origin of a story among its pages. Pure."""

from collections.abc import Sequence

from matcher.provenance.direction import direction_between
from matcher.provenance.page_facts import PageFacts


def likely_origin(pages: Sequence[PageFacts]) -> int:
    """Returns the index in `pages` of the likely source of the others.

    Each page is compared once with the likeliest so far, so the work is linear; without evidence the first seen stays.
    Raises ValueError if there are no pages.
    """
    if not pages:
        message = "no pages: a story has at least one"
        raise ValueError(message)
    order = sorted(range(len(pages)), key=lambda number: (pages[number].first_seen_at, pages[number].url))
    best = order[0]
    for number in order[1:]:
        if not direction_between(pages[best], pages[number]).left_is_source:
            best = number
    return best
