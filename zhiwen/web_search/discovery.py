"""Searches the web for copies of articles of ours: visits what is due, fetches what was found, within the budgets.

It can be killed at any moment: queries are booked before they are sent, finds wait until they are settled, and a visit
is done when all its phrases were answered. The next run goes on.
"""

import time
from collections.abc import Callable, Collection, Iterator
from datetime import datetime
from typing import TYPE_CHECKING, Final
from zoneinfo import ZoneInfo

from crawler.urls.canonical import canonical_url
from storage.engine import transaction
from storage.errors import NotKnown
from storage.sites import sites
from storage.types import SiteRole
from storage.web_search import articles as stored
from storage.web_search import finds, progress, queries
from storage.web_search.article_lock import held_article
from zhiwen.config.settings import SettingsError
from zhiwen.web_search.abroad import Abroad
from zhiwen.web_search.asking import Asker, Unasked
from zhiwen.web_search.counts import DiscoveryCounts, Fetches
from zhiwen.web_search.fetching import FETCHED_A_VISIT, TRIED_AGAIN
from zhiwen.web_search.visiting import Visited, Visitor

if TYPE_CHECKING:
    from sqlalchemy import Engine

    from storage.records.sites import SiteRecord
    from storage.records.web_search import ArticleToAsk
    from zhiwen.web_search.fetching import FindFetcher
    from zhiwen.web_search.plan import SearchPlan

SPARE: Final = 50
"""Articles beyond those asked for that are looked at, since some do not answer."""
SILENT_AFTER: Final = 3
"""Pages of a site without an answer in a row after which the site is left to the next run."""
PROPOSALS: Final = 1_000
_GOES_ON: Final = frozenset({Unasked.ASKED_ALREADY, Unasked.NOT_ENDED})
"""Reasons that hold for a phrase, and not for the service."""

Progress = Callable[[DiscoveryCounts], None]


def discover(
    engine: "Engine",
    plan: "SearchPlan",
    fetcher: "FindFetcher",
    *,
    site: str | None = None,
    url: str | None = None,
    articles: int,
    should_stop: Callable[[], bool],
    progress: Progress = lambda _: None,
    pause_s: float = 0.0,
) -> DiscoveryCounts:
    """Ask about up to `articles` articles that are due: of a site, of all of ours, or the one at `url`, due or not.

    What waits from earlier runs is fetched first. `pause_s`: between two articles. Without services, nothing is sent
    and nothing is fetched. Raises NotKnown for a site or an address that is none of ours, and SettingsError for an
    address on a site whose rule forbids it.
    """
    run = _Run(engine, plan, fetcher, should_stop, progress, pause_s)
    if plan.services:
        run.asker.end_interrupted()
        if url is not None:
            run.visit_url(url)
        else:
            run.visit_sites(site, articles)
    run.sum_up()
    return run.counts


class _Run:
    def __init__(
        self,
        engine: "Engine",
        plan: "SearchPlan",
        fetcher: "FindFetcher",
        should_stop: Callable[[], bool],
        progress: Progress,
        pause_s: float,
    ) -> None:
        self._engine, self._plan, self._fetcher = engine, plan, fetcher
        self._should_stop, self._progress, self._pause_s = should_stop, progress, pause_s
        self.asker = Asker(engine, plan, ZoneInfo(fetcher.time_zone))
        beyond = None if fetcher.open_search is None else Abroad(self.asker, fetcher.open_search)
        self._visitor = Visitor(self.asker, fetcher.is_published, should_stop, beyond)
        self.counts = DiscoveryCounts()

    def visit_url(self, url: str) -> None:
        article = self._article_at(canonical_url(url))
        if article is None:
            raise NotKnown("article of yours", url, "Articles of your sites are listed by: zhiwen pages --site NAME")
        if not self._plan.rule_of(article.site_name).visits:
            message = (
                f"Nothing is asked about articles of {article.site_name}: “days” is empty in the rule of this site."
            )
            raise SettingsError(message)
        self._visit(article, most=FETCHED_A_VISIT)

    def visit_sites(self, name: str | None, most: int) -> None:
        chosen = self._sites(name)
        for url in self._with_finds(chosen if name is not None else [], most):
            article = None if self._should_stop() else self._article_at(url)
            if article is not None:
                self._finish(article)
        silent: dict[int, int] = {}
        dry: set[int] = set()
        for article in self._due(chosen, most):
            if self._should_stop() or self.counts.is_dry or self.counts.articles >= most:
                return
            if article.site_id in dry or silent.get(article.site_id, 0) >= SILENT_AFTER:
                continue
            visited = self._visit(article)
            if visited is None:
                continue
            silent[article.site_id] = silent.get(article.site_id, 0) + 1 if visited.is_unknown else 0
            self.counts.is_dry = self._is_dry(visited, goes_on=_GOES_ON | {Unasked.SITE_BUDGET})
            if self._is_dry(visited, goes_on=_GOES_ON):
                dry.add(article.site_id)
            if self._pause_s and not self._should_stop():
                time.sleep(self._pause_s)

    def sum_up(self) -> None:
        now = self.asker.now()
        counts, (day, month) = self.counts, began(now.astimezone(self.asker.zone))
        with transaction(self._engine) as session:
            counts.cases = progress.cases_of_pages(session, counts.fetches.page_ids)
            counts.spent = queries.spent_by_service(session, day=day, month=month)
            counts.proposed_hosts = len(finds.proposed_hosts(session, limit=PROPOSALS))

    def _visit(self, article: "ArticleToAsk", *, most: int | None = None) -> Visited | None:
        """Ask about an article, and fetch what was found; None if another process is at work on it."""
        with held_article(self._engine, article.page_id) as is_ours:
            if not is_ours:
                return None
            visited = self._visitor.visit(article)
            if visited.is_done:
                with transaction(self._engine) as session:
                    finds.wait_again(session, article.page_id, sorted(TRIED_AGAIN))
            fetches = self._fetch(article, most) if visited.is_published else Fetches()
        if visited.is_unknown:
            self.counts.no_answer += 1
        else:
            self.counts.add(visited, fetches)
        self._progress(self.counts)
        return visited

    def _finish(self, article: "ArticleToAsk") -> None:
        """Fetch what an earlier run found and left."""
        with held_article(self._engine, article.page_id) as is_ours:
            if is_ours:
                self.counts.add_fetches(self._fetch(article, None))
        self._progress(self.counts)

    def _fetch(self, article: "ArticleToAsk", most: int | None) -> Fetches:
        if most is None:
            with transaction(self._engine) as session:
                most = FETCHED_A_VISIT - progress.fetched_since_visit(session, article.page_id)
        return self._fetcher.fetch_waiting(article, most=most, should_stop=self._should_stop)

    def _is_dry(self, visited: Visited, *, goes_on: Collection[Unasked]) -> bool:
        """Whether no service can be asked any more: each failed, or was not asked for another reason than these."""
        if visited.is_done or not visited.is_published:
            return False
        why = [visited.unasked.get(one.name) for one in self._plan.services if one.name not in visited.faults]
        return all(reason is not None and reason not in goes_on for reason in why)

    def _sites(self, name: str | None) -> "list[SiteRecord]":
        with transaction(self._engine) as session:
            found = sites.list_sites(session) if name is None else [sites.get_site(session, name)]
        ours = [one for one in found if one.settings.role is SiteRole.ORIGINAL]
        if name is not None and not ours:
            raise NotKnown("site of yours", name, "Only articles of sites with the role original are asked about")
        return ours

    def _with_finds(self, chosen: "list[SiteRecord]", most: int) -> list[str]:
        """Addresses of articles of which finds wait; of all sites if none is chosen."""
        with transaction(self._engine) as session:
            ids: list[int | None] = [one.id for one in chosen]
            return [
                url
                for site_id in ids or [None]
                for url in progress.articles_with_finds(session, least=FETCHED_A_VISIT, site_id=site_id, limit=most)
            ]

    def _due(self, chosen: "list[SiteRecord]", most: int) -> "Iterator[ArticleToAsk]":
        """The articles that are due: those copied before first, then the newest."""
        now, found = self.asker.now(), []
        with transaction(self._engine) as session:
            for one in chosen:
                visits = self._plan.rule_of(one.name).visits
                found += stored.articles_of_site(session, one.id, now=now, visits=visits, limit=most + SPARE)
        yield from sorted(found, key=lambda one: (one.was_copied, one.published_at, one.page_id), reverse=True)

    def _article_at(self, url: str) -> "ArticleToAsk | None":
        with transaction(self._engine) as session:
            return stored.article_at(session, url, now=self.asker.now())


def began(now: datetime) -> tuple[datetime, datetime]:
    """Return when the day and the month of a local time began."""
    day = now.replace(hour=0, minute=0, second=0, microsecond=0)
    return day, day.replace(day=1)
