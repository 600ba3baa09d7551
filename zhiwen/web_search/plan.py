"""What an installation may ask: its services with their prices and budgets, and the rule of each site of ours."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta

from crawler.web_search.budget import UNLIMITED, VISITS, Budget
from crawler.web_search.service import SearchService


@dataclass(frozen=True, slots=True)
class PlannedService:
    """`price`: of one query, in its currency. `gap_s`: least seconds between two queries of a process."""

    service: SearchService
    price: float = 0.0
    budget: Budget = UNLIMITED
    gap_s: float = 0.0

    @property
    def name(self) -> str:
        return self.service.name


@dataclass(frozen=True, slots=True)
class SiteRule:
    """`visits`: how long after publication an article is asked about; none: not at all. `is_dear`: two more phrases."""

    visits: tuple[timedelta, ...] = VISITS
    budget: Budget = UNLIMITED
    is_dear: bool = False


@dataclass(frozen=True, slots=True)
class SearchPlan:
    """Without services, nothing is asked. `asks_all`: every service is asked for each phrase; otherwise the first that
    can answer, in this order.
    """

    services: Sequence[PlannedService] = ()
    asks_all: bool = False
    rule: SiteRule = SiteRule()
    """Of sites without a rule of their own."""
    rules: Mapping[str, SiteRule] = field(default_factory=dict)

    def rule_of(self, site: str) -> SiteRule:
        return self.rules.get(site, self.rule)
