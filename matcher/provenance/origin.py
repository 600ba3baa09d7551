"""Who told a story first, as far as the clocks tell. Pure."""

from collections.abc import Sequence

from matcher.provenance.direction import direction_between
from matcher.provenance.page_facts import PageFacts


def likely_origin(pages: Sequence[PageFacts]) -> int:
    """The place in `pages` of the one that the others most likely have the story from.

    Each is asked once against the likeliest so far, so the work is linear; where nothing tells, the first seen stays.
    Raises ValueError on no pages.
    """
    if not pages:
        message = "nobody told the story"
        raise ValueError(message)
    order = sorted(range(len(pages)), key=lambda number: (pages[number].first_seen_at, pages[number].url))
    best = order[0]
    for number in order[1:]:
        if not direction_between(pages[best], pages[number]).left_is_source:
            best = number
    return best
