"""Who was first, as a document may say it: by what can be shown to others. Pure.

That our site is registered as an original publisher is a setting of ours. It helps to sort cases at the desk; to
anybody else it shows nothing. So documents neither name it nor let it count.
"""

import math
from dataclasses import dataclass
from typing import Final

from admin.hits.direction_text import code_and_facts
from matcher.provenance.direction import ROLE, STRONGEST_CONFIDENCE
from storage.matches.direction_reasons import Reason, ReasonCode
from storage.records.matches import HitRecord

EVEN: Final = 0.5


@dataclass(frozen=True, slots=True)
class Precedence:
    """`source_first`: the confidence, 0…1, that the source of the hit was first, with the reasons for it."""

    source_first: float
    reasons: tuple[str, ...]


def documented(hit: HitRecord) -> Precedence:
    """The direction of a hit without our own setting: its weight is taken out of the confidence again."""
    votes = [_vote_of_setting(reason, hit) for reason in hit.reasons]
    if not any(votes):
        return Precedence(hit.confidence, hit.reasons)
    reasons = tuple(reason for reason, vote in zip(hit.reasons, votes, strict=True) if not vote)
    if not reasons:
        return Precedence(EVEN, (Reason(ReasonCode.NOTHING),))
    confidence = min(hit.confidence, STRONGEST_CONFIDENCE)
    log_odds = math.log(confidence / (1 - confidence)) - sum(votes)
    return Precedence(1 / (1 + math.exp(-log_odds)), reasons)


def _vote_of_setting(reason: str, hit: HitRecord) -> float:
    """What a reason added for the source (negative: for the copy) where it is our own setting; 0 for any other."""
    known = code_and_facts(reason)
    if known is None or known[0] is not ReasonCode.ORIGINAL_SITE:
        return 0.0
    return ROLE if known[1].get("page") == hit.source.url else -ROLE
