"""Pages that a search service returned and that share a passage with ours, no more.

A search for a phrase selects the pages that hold it. Among them, pages that have a sentence from the same third source
(a quotation, documentation, an exercise, the example of a library) are far more frequent than among the pages of a
site, and the sentence, which was asked for, proves little. What else they share decides.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from matcher.comparison.text_units import units_of
from matcher.discounts.source_code import code_units
from matcher.judgement.overlap import passage_mask
from matcher.provenance.page_facts import PageFacts
from storage.records.matches import Passage
from storage.types import FoundBy

LEAST_SHARE: Final = 0.4
"""Share of the characters of either text. On ten real sites copies had .48 and more, pages with a common third source
.28 and less, and what lies between was copied in part (docs/quality.md, Discovery).
"""
LEAST_CHARS: Final = 150
"""Characters of ours with that share: a short page can share half of itself in one sentence."""
MANY_CHARS: Final = 1_000
"""Characters of ours outside code, whatever their share. Pages with a common third source had 513 and less."""
LEAST_PROSE: Final = 150
"""Characters of a text outside code from which their share counts too."""


@dataclass(frozen=True, slots=True)
class _Shared:
    """Of one text. `prose`: characters outside code. `share`: of all characters and of those outside code, the lower
    one: a library's example is no large part of a text that explains it.
    """

    chars: int
    prose: int
    share: float


def shares_a_passage_only(ours: PageFacts, theirs: PageFacts, passages: Sequence[Passage]) -> bool:
    """Return whether theirs was returned by a search, is on no site, and shares too little to be taken for a copy.

    `passages`: ours on the left side. Both pages with their texts.
    """
    if theirs.found_by is not FoundBy.SEARCH or theirs.role is not None:
        return False
    left, right = _shared(ours.text, passages), _shared(theirs.text, [item.swapped() for item in passages])
    is_a_part = max(left.share, right.share) >= LEAST_SHARE and left.chars >= LEAST_CHARS
    return not is_a_part and left.prose < MANY_CHARS


def _shared(text: str, passages: Sequence[Passage]) -> _Shared:
    """Return what of a text is in passages that are not boilerplate; the text is on their left side."""
    units = units_of(text)
    places = units.canonical.starts.take(units.chars_from)
    # Each character counts with the unit before it.
    is_code = np.concatenate(([False], code_units(units)))[np.searchsorted(places, np.arange(len(text)), side="right")]
    mask = passage_mask(passages, len(text))
    chars, prose, all_prose = int(mask.sum()), int((mask & ~is_code).sum()), int((~is_code).sum())
    share = chars / len(text) if text else 0.0
    return _Shared(chars, prose, min(share, prose / all_prose) if all_prose >= LEAST_PROSE else share)
