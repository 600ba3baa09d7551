"""Texts and articles from where the command line names them: a file, a URL, standard input."""

import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Final

from crawler.importers.files import ImportProblem, Limits, read_articles
from crawler.outcomes.errors import CrawlerError
from crawler.outcomes.refusal_words import in_words
from storage.records.pages import NewArticle
from storage.types import FoundBy
from zhiwen.output.terminal import fail
from zhiwen.wiring import settings_of_this_process

if TYPE_CHECKING:
    from zhiwen.config.settings import Settings

STANDARD_INPUT: Final = "-"
LONGEST_INPUT: Final = 20_000_000
"""Bytes of standard input: more is not an article."""

# A text to check may be as short as it likes (the answer is then that it cannot be judged) and needs no address.
_TO_CHECK: Final = Limits(shortest_article=0, needs_url=False)


def articles_to_check(source: str, settings: "Settings") -> Iterator[tuple[str, NewArticle | str]]:
    """Each article of `source` with its id, or in its place a sentence that says why it cannot be read."""
    if source == STANDARD_INPUT:
        yield STANDARD_INPUT, _article(_standard_input(), url="-")
        return
    if _is_url(source):
        yield source, _fetched(source, settings)
        return
    try:
        outcomes = read_articles(
            [Path(source)], found_by=FoundBy.HAND, now=datetime.now(UTC), time_zone=settings.time_zone, limits=_TO_CHECK
        )
        for outcome in outcomes:
            if isinstance(outcome, ImportProblem):
                yield outcome.id or str(outcome.line or ""), str(outcome)
            else:
                yield outcome.id, outcome.article
    except CrawlerError as error:
        fail(str(error))


def text_at(source: str) -> str:
    """The text of one file, URL or standard input; fails with a message where there is none."""
    if source == STANDARD_INPUT:
        return _standard_input()
    found = [item for _, item in articles_to_check(source, settings_of_this_process())]
    if len(found) != 1:
        fail(f"{source} holds {len(found)} texts; give a file with one.")
    if isinstance(found[0], str):
        fail(found[0])
    return found[0].text


def _standard_input() -> str:
    raw = sys.stdin.buffer.read(LONGEST_INPUT + 1)
    if len(raw) > LONGEST_INPUT:
        fail(f"Standard input is longer than {LONGEST_INPUT:,} bytes. Give a shorter text, or import it as a file.")
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError as error:
        fail(f"Standard input is not UTF-8 (byte {error.start}). Convert it first, or give it as a file.")


def _article(text: str, *, url: str) -> NewArticle:
    return NewArticle(url=url, text=text, found_by=FoundBy.HAND, fetched_at=datetime.now(UTC))


def _is_url(source: str) -> bool:
    return source.lower().startswith(("http://", "https://"))


def _fetched(url: str, settings: "Settings") -> NewArticle | str:
    from crawler.extraction.extract import Article, extract  # noqa: PLC0415  # the web is loaded only by those who fetch
    from crawler.fetch.fetch import fetch  # noqa: PLC0415
    from crawler.outcomes.refusals import Refusal  # noqa: PLC0415

    now = datetime.now(UTC)
    page = fetch(url, allowed_networks=settings.allowed_networks, user_agent=settings.user_agent)
    if isinstance(page, Refusal):
        return f"{url} cannot be fetched: {in_words(page)}."
    found = extract(
        page.body, url=page.url, content_type=page.content_type, fetched_at=now, time_zone=settings.time_zone
    )
    if not isinstance(found, Article):
        return f"{url} cannot be checked: {in_words(found)}."
    return NewArticle(
        url=page.url,
        text=found.text,
        found_by=FoundBy.HAND,
        fetched_at=now,
        title=found.title,
        author=found.author,
        language=found.language,
        declared=found.declared,
        credit_lines=found.credit_lines,
        credit_links=found.credit_links,
        canonical_link=found.canonical_link,
    )
