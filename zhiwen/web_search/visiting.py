"""One visit of an article: some phrases of it, what services return for them, and what of that is worth a fetch."""

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import TYPE_CHECKING, Final

from crawler.urls.canonical import host_of, identity_of
from crawler.web_search.budget import Limit, visits_passed
from crawler.web_search.keywords import MOST_CHARS, key_words
from crawler.web_search.phrases import PHRASES, Phrase, choose_phrases, phrase_count
from crawler.web_search.ranking import (
    ArticleGrams,
    HostRecord,
    Known,
    LeftOut,
    Ranked,
    left_out_of,
    merge,
    rank,
)
from crawler.web_search.scripts import in_both_scripts
from crawler.web_search.service import SearchAnswer, SearchResult, ServiceFailed
from fingerprint.compute import Analysis, analyse
from fingerprint.winnowing import DEFAULT_SEEDS
from storage.engine import transaction
from storage.fingerprints import boilerplate
from storage.pages import pages
from storage.records.web_search import ArticleToAsk, NewFind
from storage.types import FindState
from storage.web_search import articles, finds
from zhiwen.web_search.publication import NoAnswer

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

    from zhiwen.web_search.asking import Asker, Unasked

HOLDERS: Final = 10
"""Other texts with the same seed that are read to see whether a phrase stands there, too."""
TEXTS_ELSEWHERE: Final = 200

IsPublished = Callable[[str], bool]
"""Whether a page answers to anybody: fetched as a stranger, without a login. Raises NoAnswer."""


@dataclass(slots=True)
class Visited:
    """What came of a visit. `is_done`: all phrases were answered; otherwise the next run goes on with the others."""

    url: str
    is_published: bool = True
    is_unknown: bool = False
    """Its server did not answer: nothing is sent, and the visit stays due."""
    is_done: bool = False
    phrases: tuple[Phrase, ...] = ()
    words: str = ""
    """Of the query without quotation marks."""
    queries: int = 0
    results: int = 0
    """Pages that services returned, each once."""
    left_out: Counter[str] = field(default_factory=Counter)
    """By reason."""
    unasked: dict[str, "Unasked"] = field(default_factory=dict)
    faults: dict[str, ServiceFailed] = field(default_factory=dict)
    limits: dict[str, Limit] = field(default_factory=dict)


Beyond = Callable[[ArticleToAsk, str, datetime | None, Visited], bool]
"""Asks about an article with this text, for a visit that became due at a time. Adds to what came of the visit, and
returns whether everything was answered.
"""


@dataclass(frozen=True, slots=True)
class Visitor:
    asker: "Asker"
    is_published: IsPublished
    should_stop: Callable[[], bool] = lambda: False
    """Asked before each query; a visit that was stopped stays due."""
    beyond: "Beyond | None" = None
    """Asks for more than the wording of an article."""

    def visit(self, article: ArticleToAsk) -> Visited:
        """Ask for phrases of an article, and save what was found. Nothing is sent about a page that does not answer."""
        now = self.asker.now()
        rule = self.asker.plan.rule_of(article.site_name)
        passed = visits_passed(article.published_at, now, rule.visits)
        visited = Visited(article.url)
        try:
            visited.is_published = self.is_published(article.url)
        except NoAnswer:
            visited.is_published, visited.is_unknown = False, True
            return visited
        if not visited.is_published:
            self._keep(article, passed)  # rechecked when the next visit is due
            return visited
        with transaction(self.asker.engine) as session:
            body = pages.text_body(session, article.text_id) or ""
            count = phrase_count(len(body), is_dear=article.was_copied or rule.is_dear)
            # Asked for before its next visit, an article has the phrases of the last one: they are not paid twice.
            is_due = passed > article.done
            number = article.done if is_due else max(0, article.done - 1)
            found = wording_of(session, replace(article, done=number), body, count=count)
            visited.phrases, visited.words = found
        due = article.published_at + rule.visits[passed - 1] if is_due else None
        visited.is_done = self._ask_all(article, ArticleGrams(body), due, visited)
        if visited.is_done and self.beyond is not None:
            visited.is_done = self.beyond(article, body, due, visited)
        if visited.is_done:
            self._keep(article, passed)
        return visited

    def _ask_all(self, article: ArticleToAsk, grams: ArticleGrams, due: datetime | None, visited: Visited) -> bool:
        """Return whether every phrase was answered, now or before."""
        answers: list[list[SearchResult]] = []
        is_done = bool(self.asker.plan.services)
        asked_for = [(phrase.text, True) for phrase in visited.phrases]
        asked_for += [(visited.words, False)] if visited.words else []
        for wording, exact in asked_for:
            if self.should_stop():
                return False
            answers.append([])

            def keep(
                session: "Session", answer: SearchAnswer, found: list[SearchResult] = answers[-1], exact: bool = exact
            ) -> None:
                found.extend(answer.results)
                known = known_before(session, article, answers, self.asker.now())
                for_words = () if exact else [one.url for one in found]
                ranked = rank(merge(answers), grams, known, for_words=for_words)
                finds.save_finds(session, article.page_id, [_find(one) for one in ranked])
                visited.results = len(ranked)
                visited.left_out = Counter(one.left_out for one in ranked if one.left_out is not None)

            asked = self.asker.ask(wording, article, due=due, exact=exact, keep=keep)
            visited.queries += asked.queries
            visited.unasked |= asked.unasked
            visited.faults |= asked.faults
            visited.limits |= asked.limits
            is_done &= asked.is_answered
        return is_done

    def _keep(self, article: ArticleToAsk, passed: int) -> None:
        with transaction(self.asker.engine) as session:
            articles.keep_visit(session, article.page_id, done=max(passed, article.done))


def wording_of(session: "Session", article: ArticleToAsk, body: str, *, count: int) -> tuple[tuple[Phrase, ...], str]:
    """Choose the phrases of this visit, none from boilerplate or from what stands in other stored texts; and the words
    of the query without quotation marks, in both Chinese scripts.
    """
    analysis = analyse(body)
    seeds = set(analysis.fingerprint.seeds)
    held = boilerplate.holders(session, seeds, bound=HOLDERS)
    others = sorted({one.text_id for some in held.values() for one in some} - {article.text_id})
    elsewhere = articles.bodies_elsewhere(session, article.text_id, others[:TEXTS_ELSEWHERE])
    avoid, salt = _boilerplate(session, article, analysis), f"{article.text_id}:{article.done}"
    first = choose_phrases(body, count=min(count, PHRASES), salt=salt, avoid=avoid, elsewhere=elsewhere)
    # Those for dear and for long articles come on top: an article that turns out to be copied has the same first ones.
    taken = [*avoid, *((one.start, one.end) for one in first)]
    more = choose_phrases(body, count=count - PHRASES, salt=salt, avoid=taken, elsewhere=elsewhere)
    words = in_both_scripts(key_words(body, first, avoid=avoid), most=MOST_CHARS)
    return tuple(sorted((*first, *more), key=lambda one: one.start)), words


def known_before(
    session: "Session", article: ArticleToAsk, answers: Iterable[Iterable[SearchResult]], now: datetime
) -> Known:
    """Collect what is known about the results of some answers before any is fetched."""
    urls = {one.url for results in answers for one in results}
    stored = finds.known_addresses(session, {spelling for url in urls for spelling in spellings(url)})
    tried = (one.url for one in finds.finds_of(session, article.page_id) if one.fetched_at is not None)
    figures = finds.host_figures(session, {host_of(url) for url in urls})
    return Known(
        pages=frozenset(map(identity_of, stored)),
        tried=frozenset(map(identity_of, tried)),
        own_hosts=articles.own_hosts(session),
        licensed_hosts=articles.licensed_hosts(session, article, now=now),
        ignored_hosts=finds.ignored_hosts(session),
        hosts={host: HostRecord(one.fetched, one.copies) for host, one in figures.items()},
    )


def left_out_now(session: "Session", article: ArticleToAsk, url: str, now: datetime) -> LeftOut | None:
    """Return why a page to which a redirect led is not judged; None if it is."""
    return left_out_of(url, known_before(session, article, [[SearchResult(url, "", "", "")]], now))


def spellings(url: str) -> set[str]:
    """Return the addresses under which the page of a result is stored most likely: with and without TLS, www. and a
    slash at the end.
    """
    _, _, rest = url.partition("://")
    bare = rest.removeprefix("www.").rstrip("/")
    return {f"{scheme}://{www}{bare}{end}" for scheme in ("http", "https") for www in ("", "www.") for end in ("", "/")}


def _boilerplate(session: "Session", article: ArticleToAsk, analysis: Analysis) -> list[tuple[int, int]]:
    """The stretches of an article whose seeds prove nothing, everywhere or on its site."""
    known = boilerplate.known_runs(session, set(analysis.asked_seeds.hashes.tolist()))
    seeds = {run.seed for run in known if run.proves_nothing and run.site_id in (None, article.site_id)}
    last = len(analysis.initials) - 1
    found = zip(analysis.asked_seeds.hashes.tolist(), analysis.asked_seeds.positions.tolist(), strict=True)
    return [
        analysis.initials.source_span(first, min(first + DEFAULT_SEEDS.k - 1, last))
        for seed, first in found
        if seed in seeds
    ]


def _find(ranked: Ranked) -> NewFind:
    found = ranked.result
    state = FindState.WAITING if ranked.left_out is None else FindState.LEFT_OUT
    reason = None if ranked.left_out is None else str(ranked.left_out)
    host = host_of(found.url)
    return NewFind(found.url, host, found.title, found.snippet, found.services, ranked.score, state, reason)
