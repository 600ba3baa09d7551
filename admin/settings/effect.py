"""The measured effect of other thresholds for cases, on the newest hits and cases of this store. Read-only."""

from dataclasses import dataclass

from admin.web.db_session import database
from matcher.cases.case_rule import CaseRule
from matcher.judgement.overlap import chars_shared
from storage.analytics import threshold_preview
from storage.analytics.threshold_preview import CASES_READ, HITS_READ, MOST_NAMED, Rule, Verdicts


@dataclass(frozen=True, slots=True)
class Effect:
    """`closing` of `waiting` cases would not be opened; `opening` hits without a case would make one."""

    rule: CaseRule
    waiting: int
    closing: int
    opening: int
    is_opening_cut: bool
    """Whether more would open than were counted."""
    verdicts: Verdicts
    cases_read: int = CASES_READ
    hits_read: int = HITS_READ
    """Most cases and hits that are looked at, the newest first."""


def effect_of(rule: CaseRule) -> Effect:
    asked = Rule(min_chars=rule.min_chars, min_share=rule.min_share)
    closing = threshold_preview.closing(database(), asked)
    opening = threshold_preview.opening(database(), asked, chars_shared)
    return Effect(
        rule=rule,
        waiting=closing.read,
        closing=len(closing.numbers),
        opening=len(opening),
        is_opening_cut=len(opening) == MOST_NAMED,
        verdicts=threshold_preview.verdicts_under(database(), asked),
    )
