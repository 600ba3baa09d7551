"""Pages that a search service returned and that share a passage with ours, no more.

A search for a phrase selects the pages that hold it. Among them, pages that have a sentence from the same third source
(a quotation, documentation, an exercise, the example of a library) are far more frequent than among the pages of a
site, and the sentence, which was asked for, proves little. What else they share decides.
"""

from collections.abc import Sequence
from typing import Final

import numpy as np

from matcher.comparison.text_units import units_of
from matcher.discounts.source_code import code_units
from matcher.judgement.overlap import Overlap, passage_mask
from matcher.provenance.page_facts import PageFacts
from storage.records.matches import Passage
from storage.types import FoundBy

LEAST_SHARE: Final = 0.4
"""Share of either text. On ten real sites copies had .48 and more, pages with a common third source, most of them with
the statement of one exercise, .37 and less (docs/quality.md, Discovery).
"""
LEAST_CHARS: Final = 150
"""Characters of ours with that share: a short page can share half of itself in one sentence."""
MANY_CHARS: Final = 1_000
"""Characters of ours outside code, whatever their share. Pages with a common third source had 513 and less."""
LEAST_PROSE: Final = 150
"""Characters of a text outside code from which their share counts too."""


def shares_a_passage_only(ours: PageFacts, theirs: PageFacts, overlap: Overlap, passages: Sequence[Passage]) -> bool:
    """Return whether theirs was returned by a search, is on no site, and shares too little to be taken for a copy.

    `overlap`: counted in ours. `passages`: ours on the left side. Both pages with their texts.
    """
    if theirs.found_by is not FoundBy.SEARCH or theirs.role is not None:
        return False
    chars, our_share = _outside_code(ours.text, passages)
    _, their_share = _outside_code(theirs.text, [item.swapped() for item in passages])
    share = max(min(overlap.our_share, our_share), min(overlap.their_share, their_share))
    is_a_part = share >= LEAST_SHARE and overlap.chars >= LEAST_CHARS
    return not is_a_part and chars < MANY_CHARS


def _outside_code(text: str, passages: Sequence[Passage]) -> tuple[int, float]:
    """Return the characters of a text in passages and outside code, and their share of those outside code. The share
    is 1 where nearly all is code, so that it decides nothing.
    """
    units = units_of(text)
    places = units.canonical.starts.take(units.chars_from)
    # Each character counts with the unit before it.
    is_code = np.concatenate(([False], code_units(units)))[np.searchsorted(places, np.arange(len(text)), side="right")]
    shared = int((passage_mask(passages, len(text)) & ~is_code).sum())
    prose = len(text) - int(is_code.sum())
    return shared, shared / prose if prose >= LEAST_PROSE else 1.0
