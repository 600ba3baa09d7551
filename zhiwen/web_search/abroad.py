"""One query in the other language for articles worth more: their names and figures, which a translation keeps."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING, Final

from crawler.urls.canonical import host_of
from crawler.web_search.names import FEWEST, names_in, together
from crawler.web_search.ranking import LeftOut, left_out_of, merge
from matcher.meaning.encoders.encoder import EncoderUnavailable
from storage.engine import transaction
from storage.records.web_search import NewFind
from storage.types import FindState
from storage.web_search import finds
from zhiwen.web_search.visiting import Visited, known_before

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

    from crawler.web_search.ranking import Known, Merged
    from crawler.web_search.service import SearchAnswer
    from matcher.retellings.check_by_meaning import OpenSearch
    from storage.records.web_search import ArticleToAsk
    from zhiwen.web_search.asking import Asker

CHINESE: Final = "zh"
MOST_FINDS: Final = 3
"""Of a query that wait to be fetched: nothing of their wording can be compared before."""


@dataclass(frozen=True, slots=True)
class Abroad:
    """Asks for translations. `open_search`: opens the search by meaning, without which none would be recognised."""

    asker: "Asker"
    open_search: "OpenSearch"

    def __call__(self, article: "ArticleToAsk", body: str, due: datetime | None, visited: Visited) -> bool:
        """Ask about an article that was copied before or is dear. Returns whether it was answered, or need not be."""
        is_worth_it = article.was_copied or self.asker.plan.rule_of(article.site_name).is_dear
        names = names_in(body) if is_worth_it else ()
        if not names or not self._can_recognise():
            return True

        def keep(session: "Session", answer: "SearchAnswer") -> None:
            known = known_before(session, article, [answer.results], self.asker.now())
            found = list(finds_abroad(merge([answer.results]), names, known))
            before = {one.url for one in finds.finds_of(session, article.page_id)}
            finds.save_finds(session, article.page_id, [one for one in found if one.url not in before])
            visited.results += len(found)
            visited.left_out.update(one.reason for one in found if one.reason is not None)

        asked = self.asker.ask(together(names), replace(article, language=_other(article.language)), due=due, keep=keep)
        visited.queries += asked.queries
        visited.unasked |= asked.unasked
        visited.faults |= asked.faults
        visited.limits |= asked.limits
        return asked.is_answered

    def _can_recognise(self) -> bool:
        try:
            with transaction(self.asker.engine) as session:
                self.open_search(session)
        except EncoderUnavailable:
            return False
        return True


def finds_abroad(results: "Iterable[Merged]", names: tuple[str, ...], known: "Known") -> Iterable[NewFind]:
    """Rank results by the names in title and snippet. Their scores are below those of pages with a phrase.

    The first MOST_FINDS with FEWEST names or more wait; one without a snippet may have them all.
    """
    scored = [(_score(one, names), one) for one in results]
    waiting = 0
    for score, one in sorted(scored, key=lambda found: -found[0]):
        reason = left_out_of(one.url, known)
        if reason is None and (score * len(names) < FEWEST or waiting == MOST_FINDS):
            reason = LeftOut.UNLIKE
        waiting += reason is None
        state = FindState.WAITING if reason is None else FindState.LEFT_OUT
        host, why = host_of(one.url), None if reason is None else str(reason)
        yield NewFind(one.url, host, one.title, one.snippet, one.services, round(score, 4), state, why)


def _score(result: "Merged", names: tuple[str, ...]) -> float:
    """The share of names that title and snippet show, 0…1."""
    shown = f"{result.title}\n{result.snippet}".casefold()
    return sum(name.casefold() in shown for name in names) / len(names) if result.snippet else 1.0


def _other(language: str) -> str:
    return "en" if language.startswith(CHINESE) else "zh-Hans"
