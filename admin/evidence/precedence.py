"""Who was first, as far as documents may claim it: by what can be shown to others. Pure.

The registration of our site as an original publisher is a setting of ours. It helps to sort cases at the desk, but
proves nothing to others, so documents neither name nor count it.
"""

import math
from dataclasses import dataclass
from typing import Final

from admin.hits.direction_text import code_and_facts
from matcher.provenance.direction import ROLE, STRONGEST_CONFIDENCE
from storage.matches.direction_reasons import Reason, ReasonCode
from storage.records.matches import HitRecord
from storage.records.retellings import RetellingRecord

EVEN: Final = 0.5


@dataclass(frozen=True, slots=True)
class Precedence:
    """`source_first`: confidence that the source of the hit was first, 0…1, with its reasons."""

    source_first: float
    reasons: tuple[str, ...]


def documented(hit: HitRecord | RetellingRecord) -> Precedence:
    """The direction without the vote of our own setting, which is subtracted from the confidence."""
    return documented_reasons(hit.confidence, hit.reasons, source_url=hit.source.url)


def documented_reasons(stored: float, stored_reasons: tuple[str, ...], *, source_url: str) -> Precedence:
    """As `documented`, of a stored confidence that the page at `source_url` was first, with its decoded reasons."""
    votes = [_vote_of_setting(reason, source_url) for reason in stored_reasons]
    if not any(votes):
        return Precedence(stored, stored_reasons)
    reasons = tuple(reason for reason, vote in zip(stored_reasons, votes, strict=True) if not vote)
    if not reasons:
        return Precedence(EVEN, (Reason(ReasonCode.NOTHING),))
    confidence = min(stored, STRONGEST_CONFIDENCE)
    log_odds = math.log(confidence / (1 - confidence)) - sum(votes)
    return Precedence(1 / (1 + math.exp(-log_odds)), reasons)


def _vote_of_setting(reason: str, source_url: str) -> float:
    """Log-odds that a reason added for the source (negative: for the copy) if it is our own setting; 0 otherwise."""
    known = code_and_facts(reason)
    if known is None or known[0] is not ReasonCode.ORIGINAL_SITE:
        return 0.0
    return ROLE if known[1].get("page") == source_url else -ROLE
