"""Reordering: judges pairs that share slices but few runs by their characters, ignoring the order."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from fingerprint.compute import Analysis
from fingerprint.dna import sliced_units
from fingerprint.model import Initials
from matcher.alignment.align import Grams
from matcher.boilerplate.classifier import covered
from matcher.judgement.gates import Gate, GateKind
from matcher.judgement.judge import Judgement
from matcher.judgement.scrambled import Stretch, scrambled_stretches
from storage.records.differences import Differences
from storage.records.matches import Passage

NEEDED: Final = 120
"""Least units kept and not aligned run by run. Four windows in a row are the least that is searched."""
IN_ORDER: Final = 0.5
"""If this share is aligned run by run, the alignment is complete: weather reports of two days, for example."""
NEARLY_ALL: Final = 0.9
"""Share kept from which reordering explains a stretch better than passages that are mostly gaps: characters moved by
a place or two leave a run here and there, and the alignment makes a heavily edited passage of these. Of 400 pairs of
articles on one subject and 96 republished notes, none has such a stretch whose runs are not most of it.
"""
WHOLE: Final = 0.98
"""If this share of one text is aligned, hardly anything is left to search."""


def reconsider(judgement: Judgement, left: Analysis, right: Initials, *, boilerplate: Grams) -> Judgement:
    """Return the judgement with one more gate, and with reordered passages where these explain more."""
    aligned = max(judgement.left_share, judgement.right_share)
    if (judgement.is_match and aligned >= WHOLE) or not left.fingerprint.slices:
        return judgement
    # All stretches together are at most this long.
    if judgement.matched_units >= IN_ORDER * len(sliced_units(left.initials)):
        return judgement
    stretches = _without_boilerplate(
        scrambled_stretches(left.initials, left.asked_slices, right), left.initials, boilerplate
    )
    if not stretches:
        return judgement
    total = sum(stretch.compared for stretch in stretches)
    kept = sum(stretch.compared * stretch.kept for stretch in stretches)
    is_in_order = judgement.matched_units >= IN_ORDER * total or (aligned >= IN_ORDER and kept < NEARLY_ALL * total)
    gate = Gate(GateKind.REORDERED, 0.0 if is_in_order else kept - judgement.matched_units, NEEDED)
    if not gate.passed:
        return replace(judgement, gates=(*judgement.gates, gate))
    passages = tuple(_passage(stretch, left.initials, right) for stretch in stretches)
    return Judgement(
        passages=passages,
        left_share=_share([(item.left, item.left_end) for item in stretches], len(left.initials)),
        right_share=_share([(item.right, item.right_end) for item in stretches], len(right)),
        longest=max(item.left_end - item.left_start for item in passages),
        matched_units=round(kept),
        boilerplate_units=0,
        proof=kept,
        gates=(*judgement.gates, gate),
        is_scrambled=True,
    )


def _without_boilerplate(found: Sequence[Stretch], left: Initials, boilerplate: Grams) -> list[Stretch]:
    if not found:
        return []
    # An abstract in English between keywords and a notice is not searched: it does not reduce the notice's share.
    of_left = sliced_units(left)
    ignored = covered(left.codes, boilerplate)[of_left]
    return [
        stretch
        for stretch in found
        if ignored[(of_left >= stretch.left) & (of_left < stretch.left_end)].mean() < IN_ORDER
    ]


def _share(spans: list[tuple[int, int]], units: int) -> float:
    mask = np.zeros(units, dtype=np.bool_)
    for start, end in spans:
        mask[start:end] = True
    return float(mask.mean())


def _passage(stretch: Stretch, left: Initials, right: Initials) -> Passage:
    """Return a passage of moved characters; those that only one side has count as inserted or deleted."""
    left_start, left_end = left.source_span(stretch.left, stretch.left_end - 1)
    right_start, right_end = right.source_span(stretch.right, stretch.right_end - 1)
    kept = round(stretch.kept * min(left_end - left_start, right_end - right_start))
    return Passage(
        left_start=left_start,
        left_end=left_end,
        right_start=right_start,
        right_end=right_end,
        similarity=round(stretch.kept, 4),
        differences=Differences(
            moved=kept, inserted=left_end - left_start - kept, deleted=right_end - right_start - kept
        ),
    )
