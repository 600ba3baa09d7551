"""What a search for copies did: counters by reason, for people and programs."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from storage.records.web_search import SpentRecord

if TYPE_CHECKING:
    from zhiwen.web_search.visiting import Visited


@dataclass(slots=True)
class Fetches:
    """What was fetched for one article, or for several."""

    fetched: int = 0
    refused: Counter[str] = field(default_factory=Counter)
    """By reason: not fetched to the end, or no article."""
    left_out: Counter[str] = field(default_factory=Counter)
    """By reason: what a redirect led to, such as a page that is stored already."""
    copies: int = 0
    passages: int = 0
    """Pages that share a passage only: a person looks first."""
    no_copies: int = 0
    retold: int = 0
    """Of these no copies, those that say the same in other words or in another language."""
    failures: Counter[str] = field(default_factory=Counter)
    """Of those refused, by type of error, what could not be judged or stored: see the log."""
    page_ids: set[int] = field(default_factory=set)
    """Pages that were stored."""

    def add(self, other: "Fetches") -> None:
        for name in ("fetched", "copies", "passages", "no_copies", "retold"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.refused.update(other.refused)
        self.failures.update(other.failures)
        self.left_out.update(other.left_out)
        self.page_ids |= other.page_ids


@dataclass(slots=True)
class VisitCounts:
    """Of one article. `found`: copies."""

    url: str
    queries: int
    results: int
    fetched: int
    suspects: int
    """Pages that were stored: copies, what shares a passage, and what retells the article."""
    found: int
    is_published: bool
    is_done: bool


@dataclass(slots=True)
class DiscoveryCounts:
    """Of one run. `unasked`: phrases that a service was not asked for, by reason. `faults`: by service and kind.
    `is_dry`: it ended since no service could be asked any more.
    """

    articles: int = 0
    visits_done: int = 0
    not_published: int = 0
    no_answer: int = 0
    """Articles whose own server did not answer: nothing was asked, and they stay due."""
    queries: int = 0
    results: int = 0
    left_out: Counter[str] = field(default_factory=Counter)
    fetches: Fetches = field(default_factory=Fetches)
    cases: int = 0
    unasked: Counter[str] = field(default_factory=Counter)
    faults: dict[str, Counter[str]] = field(default_factory=dict)
    problems: dict[str, str] = field(default_factory=dict)
    """By service, its last failure in words."""
    spent: Mapping[str, SpentRecord] = field(default_factory=dict)
    proposed_hosts: int = 0
    is_dry: bool = False
    visits: list[VisitCounts] = field(default_factory=list)

    def add(self, visited: "Visited", fetches: Fetches) -> None:
        self.articles += 1
        self.visits_done += visited.is_done
        self.not_published += not visited.is_published
        self.queries += visited.queries
        self.results += visited.results
        self.left_out.update(visited.left_out)
        self.unasked.update(map(str, visited.unasked.values()))
        for service, failure in visited.faults.items():
            self.faults.setdefault(service, Counter())[str(failure.fault)] += 1
            self.problems[service] = str(failure)
        self.add_fetches(fetches)
        self.visits.append(
            VisitCounts(
                visited.url,
                visited.queries,
                visited.results,
                fetches.fetched,
                len(fetches.page_ids),
                fetches.copies,
                visited.is_published,
                visited.is_done,
            )
        )

    def add_fetches(self, fetches: Fetches) -> None:
        self.fetches.add(fetches)
        self.left_out.update(fetches.left_out)

    def as_object(self) -> dict[str, Any]:
        """The output of `--json`. Programs rely on its keys: add some, remove none."""
        done = self.fetches
        return {
            "articles": self.articles,
            "visits_done": self.visits_done,
            "not_published": self.not_published,
            "no_answer": self.no_answer,
            "queries": self.queries,
            "results": self.results,
            "left_out": dict(self.left_out),
            "fetched": done.fetched,
            "refused": dict(done.refused),
            "copies": done.copies,
            "passages": done.passages,
            "no_copies": done.no_copies,
            "retold": done.retold,
            "failed": done.failures.total(),
            "failures": dict(done.failures),
            "cases": self.cases,
            "unasked": dict(self.unasked),
            "faults": {service: dict(found) for service, found in self.faults.items()},
            "spent": {name: _spent(one) for name, one in self.spent.items()},
            "proposed_hosts": self.proposed_hosts,
            "is_dry": self.is_dry,
            "visits": [_visit(one) for one in self.visits],
        }


def _spent(one: SpentRecord) -> dict[str, float]:
    return {
        "queries_today": one.queries_today,
        "queries_this_month": one.queries_this_month,
        "money_this_month": round(one.money_this_month, 6),
    }


def _visit(one: VisitCounts) -> dict[str, Any]:
    names = ("url", "queries", "results", "fetched", "suspects", "found", "is_published", "is_done")
    return {name: getattr(one, name) for name in names}
