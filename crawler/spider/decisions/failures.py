"""Decisions about a request that failed."""

from typing import Final

from crawler.network.failures import HostHeld, refusal_of_failure
from crawler.outcomes.refusals import Refusal
from crawler.spider.decisions.model import Duplicate, Gone, Refuse
from storage.records.crawl import Claim

NOT_FETCHED: Final = frozenset({Refusal.ROBOTS, Refusal.OUT_OF_SCOPE, Refusal.DENIED, Refusal.WRONG_TYPE})
"""Refusals before the request was sent: they cost nothing of the budget."""


def decide_failure(claim: Claim, url: str, error: BaseException) -> Refuse | Gone | Duplicate:
    """The decisions about the address of a request that failed."""
    refusal = refusal_of_failure(error)
    if refusal is Refusal.GONE:
        return Gone(claim, url, reason="redirected to the home page or a list")
    if refusal is Refusal.DUPLICATE:
        return Duplicate(claim, url)
    return Refuse(claim, refusal, url, wait_s=error.wait_s if isinstance(error, HostHeld) else None)
