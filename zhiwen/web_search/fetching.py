"""Fetches what waits for an article, judges it, and stores what is a copy, with its evidence, as any page.

A search result waits until it is settled in the transaction that stores its page. Killed before, it is fetched again.
"""

import logging
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Final

from crawler.extraction.article import Article
from crawler.extraction.metadata.rights import with_rights
from crawler.importers.model import Limits
from crawler.importers.records import RecordReader
from crawler.outcomes.refusals import Refusal
from crawler.urls.canonical import host_of
from fingerprint.compute import fingerprint_text
from matcher.cases.case_rule import DEFAULT_RULE, CaseRule
from matcher.worker.backlog import work_on
from storage.engine import transaction
from storage.pages import pages, saving
from storage.postgres.retry import is_of_server
from storage.records.pages import FingerprintedArticle, NewArticle
from storage.sites import sites
from storage.types import FindState, FoundBy
from storage.web_search import finds
from zhiwen.web_search.counts import Fetches
from zhiwen.web_search.judging import Verdict, judge
from zhiwen.web_search.publication import NoAnswer, is_published
from zhiwen.web_search.turns import HostTurns
from zhiwen.web_search.visiting import left_out_now

if TYPE_CHECKING:
    from sqlalchemy import Engine

    from crawler.evidence.page_capture import Capturer, Look
    from matcher.retellings.check_by_meaning import OpenSearch
    from storage.records.sites import SiteRecord
    from storage.records.web_search import ArticleToAsk, FindRecord

FETCHED_A_VISIT: Final = 8
LOOKED_AHEAD: Final = 50
"""Finds that are read at once: those of hosts that asked for a pause are passed over."""
GIVEN_UP_AFTER: Final = timedelta(days=7)
"""A host that never lets us in for so long."""
TRIED_AGAIN: Final = frozenset(
    {
        Refusal.HOST_HELD,
        Refusal.UNREACHABLE,
        Refusal.TIMEOUT,
        Refusal.BAD_STATUS,
        Refusal.BROKEN_RESPONSE,
        Refusal.PARSER_DIED,
        Refusal.PARSE_DEADLINE,
        Refusal.BARRED,
    }
)
"""May pass: such finds are fetched once more after each visit of their article."""

_ANY_LENGTH: Final = Limits(shortest_article=1)
log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class FindFetcher:
    """Fetches finds with the networks, name and evidence of `capturer`. `time_zone`: of dates without one.
    `open_search`: the search by meaning; None: only the wording is compared.
    """

    engine: "Engine"
    capturer: "Capturer"
    time_zone: str
    turns: HostTurns
    rule: CaseRule = DEFAULT_RULE
    open_search: "OpenSearch | None" = None

    def fetch_waiting(
        self, article: "ArticleToAsk", *, most: int = FETCHED_A_VISIT, should_stop: Callable[[], bool]
    ) -> Fetches:
        """Fetch what waits for an article, likeliest copies first, at most `most` of them; compare what was stored."""
        done, held = Fetches(), set[str]()
        with transaction(self.engine) as session:
            waiting = finds.waiting(session, article.page_id, limit=LOOKED_AHEAD)
        for find in waiting:
            if should_stop() or done.fetched >= most:
                break
            if find.host not in held and not self._fetch(find, article, done, should_stop):
                held.add(find.host)
        return done

    def is_published(self, url: str) -> bool:
        """Return whether a page of ours shows its article to a stranger now. Raises NoAnswer."""
        with transaction(self.engine) as session:
            page = pages.get_page(session, url)
            body = None if page is None else pages.text_body(session, page.text_id)
        if not body:
            return False
        if not self.turns.wait(host_of(url), lambda: False):
            raise NoAnswer(url)
        look = self.capturer.look_at(url)
        self.turns.answered(look)
        return is_published(url, look, body)

    def _fetch(
        self, find: "FindRecord", article: "ArticleToAsk", done: Fetches, should_stop: Callable[[], bool]
    ) -> bool:
        """Return whether it is settled; False if its host wants a pause."""
        if not self.turns.wait(find.host, should_stop):
            return not should_stop() and self._is_given_up(find, done)
        look = self.capturer.look_at(find.url)
        if self.turns.answered(look):
            return self._is_given_up(find, done)
        done.fetched += 1
        refusal = look if isinstance(look, Refusal) else look.outcome
        if isinstance(look, Refusal) or isinstance(refusal, Refusal):
            self._settle(find, FindState.REFUSED, str(refusal))
            done.refused[str(refusal)] += 1
            return True
        try:
            self._judge(find, article, look, done)
        except Exception as error:
            if isinstance(error, OSError) or is_of_server(error):
                raise  # no fault of this page, which waits: with the disk or the server, the next one would fail too
            # Whatever a page makes an encoder, numpy or a constraint raise: it must not stop the others, nor be fetched
            # again in every run. The fault is named, and the page is fetched once more after the next visit.
            log.exception("%s could not be judged or stored", find.url)
            self._settle(find, FindState.REFUSED, str(Refusal.PARSER_DIED))
            done.refused[str(Refusal.PARSER_DIED)] += 1
            done.failures[type(error).__name__] += 1
        return True

    def _judge(self, find: "FindRecord", article: "ArticleToAsk", look: "Look", done: Fetches) -> None:
        url = look.last.page.url
        with transaction(self.engine) as session:
            site = sites.site_for_host(session, host_of(url))
            reason = None if url == find.url else left_out_now(session, article, url, datetime.now(UTC))
            new = self._article(look, find, site)
            verdict = Verdict()
            if reason is None:
                verdict = judge(session, new, site, open_search=self.open_search)
            if reason is not None:
                finds.settle(session, find.id, FindState.LEFT_OUT, reason=str(reason))
                done.left_out[str(reason)] += 1
            elif not verdict.is_worth_storing:
                finds.settle(session, find.id, FindState.NO_COPY)
                done.no_copies += 1
        if verdict.is_worth_storing:
            self._store(find, look, new, verdict, done)

    def _article(self, look: "Look", find: "FindRecord", site: "SiteRecord | None") -> NewArticle:
        assert isinstance(look.outcome, Article)  # noqa: S101  # the caller has looked
        whom = ", ".join(find.services)
        records = RecordReader(
            look.last.response.at, self.time_zone, FoundBy.SEARCH, whom=whom or None, limits=_ANY_LENGTH
        )
        new = records.new(look.outcome, look.last.page.url)
        return with_rights(replace(new, site_id=None if site is None else site.id), site)

    def _store(self, find: "FindRecord", look: "Look", new: NewArticle, verdict: Verdict, done: Fetches) -> None:
        """The evidence first, as always; then the page with the end of its find; then what it is a copy of."""
        fingerprint = fingerprint_text(new.text)
        self.capturer.keep_look(look, why=f"found by search: {', '.join(find.services)}")
        with transaction(self.engine) as session:
            saved = saving.save_pages(session, [FingerprintedArticle(new, fingerprint)])[0]
            reason = None if verdict.retelling is None else str(verdict.retelling)
            finds.settle(session, find.id, verdict.state, reason=reason, their_page_id=saved.page_id)
        done.page_ids.add(saved.page_id)
        done.copies += verdict.state is FindState.COPY
        done.passages += verdict.state is FindState.PASSAGE
        done.no_copies += verdict.state is FindState.NO_COPY
        done.retold += verdict.retelling is not None
        # Whoever is killed here leaves the page in the backlog, where any worker takes it.
        work_on(self.engine, should_stop=lambda: False, rule=self.rule, among={saved.version_id})

    def _settle(self, find: "FindRecord", state: FindState, reason: str) -> None:
        with transaction(self.engine) as session:
            finds.settle(session, find.id, state, reason=reason)

    def _is_given_up(self, find: "FindRecord", done: Fetches) -> bool:
        """Settle a search result whose host has wanted a pause for a week. Returns whether it did."""
        if datetime.now(UTC) - find.found_at < GIVEN_UP_AFTER:
            return False
        self._settle(find, FindState.REFUSED, str(Refusal.HOST_HELD))
        done.refused[str(Refusal.HOST_HELD)] += 1
        return True
