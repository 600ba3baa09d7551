"""The state of one run of a site. In memory only: decisions read and write it without I/O."""

from collections import Counter
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from typing import Final

from crawler.extraction.site_knowledge import SiteKnowledge
from crawler.extraction.site_rule import ExtractionRule
from crawler.outcomes.errors import UnusableUrl
from crawler.outcomes.refusals import Refusal, RefusalLog
from crawler.spider.budget import Budget
from crawler.spider.link_filter import LinkFilter, Traps, entry
from crawler.spider.site_learning import Lessons
from crawler.urls.canonical import web_url
from crawler.urls.scope import Scope
from storage.records.crawl import Claim, FoundUrl, Politeness, UrlKind
from storage.records.sites import SiteRecord
from storage.time_zones import zone_named

DEFAULT_PAGE_BUDGET: Final = 200_000
"""Pages of one run if the site sets no bound: a bound against traps, above any news site's yearly output."""


class RunState:
    """Raises BadScope, BadRule for settings of the site that cannot be used."""

    def __init__(self, site: SiteRecord, *, max_pages: int | None = None) -> None:
        chosen = site.settings
        self.site = site
        self.zone = zone_named(chosen.time_zone)
        self.scope = Scope.of(chosen.hosts, allow=chosen.allow, deny=chosen.deny)
        self.budget = Budget(min(chosen.page_budget or DEFAULT_PAGE_BUDGET, max_pages or DEFAULT_PAGE_BUDGET))
        self.politeness = Politeness()
        self.refusals = RefusalLog()
        self.links = LinkFilter(self.scope, self.refusals)
        self.traps = Traps()
        self.lessons = Lessons()
        self.started_at = self.retry_at = datetime.now(UTC)
        """`retry_at`: until when the run waits for a host that asked for a pause."""
        self.is_stopping = False
        """Pages still being read or fetched are given back, and visited again by the next run."""
        self._rule = ExtractionRule.of(chosen.extraction_rule or {})
        self._counts: Counter[str] = Counter()

    @property
    def known(self) -> SiteKnowledge:
        """The knowledge of the site with which its next page is read."""
        return SiteKnowledge(self._rule, self.lessons.repeats.elsewhere)

    @property
    def counters(self) -> Mapping[str, int]:
        return {**self._counts, **self.refusals.counters}

    def count(self, name: str, by: int = 1) -> None:
        self._counts[name] += by

    def links_on(self, links: Iterable[str], claim: Claim) -> list[FoundUrl]:
        """Links of the page of `claim` that are worth a visit; the others are counted as refused."""
        return self.links.worth_a_visit(links, link_depth=claim.link_depth + 1, traps=self.traps)

    def entry(self, url: str, kind: UrlKind) -> FoundUrl | None:
        """An address from the site's settings or robots.txt; None, counted as refused, if it cannot be crawled."""
        try:
            return entry(web_url(url), kind)
        except UnusableUrl:
            self.refusals.add(Refusal.UNUSABLE_URL, url)
            return None
