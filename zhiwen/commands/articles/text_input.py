"""Texts and articles from the sources that the command line accepts: a file, a URL, standard input."""

import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Final

from crawler.importers.files import ImportProblem, Limits, read_articles
from crawler.outcomes.refusal_words import in_words
from storage.records.pages import NewArticle
from storage.types import FoundBy
from zhiwen.output.terminal import fail
from zhiwen.wiring import fetch_page, settings_of_this_process

if TYPE_CHECKING:
    from zhiwen.config.settings import Settings

STANDARD_INPUT: Final = "-"
LONGEST_INPUT: Final = 20_000_000
"""Bytes of standard input: more is not an article."""

# A text to check needs no address and no minimum length: a short one is answered by “cannot be judged”.
_TO_CHECK: Final = Limits(shortest_article=0, needs_url=False)


def articles_to_check(source: str, settings: "Settings") -> Iterator[tuple[str, NewArticle | str]]:
    """Yields the id and the article of each record in `source`, or in place of the article why it cannot be read."""
    if source == STANDARD_INPUT:
        yield STANDARD_INPUT, _article(_standard_input(), url="-")
        return
    if source.lower().startswith(("http://", "https://")):
        yield source, _fetched(source, settings)
        return
    outcomes = read_articles(
        [Path(source)], found_by=FoundBy.HAND, now=datetime.now(UTC), time_zone=settings.time_zone, limits=_TO_CHECK
    )
    for outcome in outcomes:
        if isinstance(outcome, ImportProblem):
            yield outcome.id or str(outcome.line or ""), str(outcome)
        else:
            yield outcome.id, outcome.article


def text_at(source: str) -> str:
    """The text of one file, URL or standard input. Fails with a message if there is none."""
    if source == STANDARD_INPUT:
        return _standard_input()
    found = [item for _, item in articles_to_check(source, settings_of_this_process())]
    if len(found) != 1:
        fail(f"{source} contains {len(found)} texts. Give a file with one text.")
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
        fail(f"Standard input is not UTF-8 (byte {error.start}). Convert it, or give it as a file.")


def _article(text: str, *, url: str) -> NewArticle:
    return NewArticle(url=url, text=text, found_by=FoundBy.HAND, fetched_at=datetime.now(UTC))


def _fetched(url: str, settings: "Settings") -> NewArticle | str:
    from crawler.extraction.article import Article  # noqa: PLC0415  # loads all that reads pages
    from crawler.extraction.extract import extract  # noqa: PLC0415
    from crawler.importers.records import RecordReader  # noqa: PLC0415
    from crawler.outcomes.refusals import Refusal  # noqa: PLC0415

    now = datetime.now(UTC)
    page = fetch_page(settings, url)
    if isinstance(page, Refusal):
        return f"{url} cannot be fetched: {in_words(page)}."
    found = extract(
        page.body, url=page.url, content_type=page.content_type, fetched_at=now, time_zone=settings.time_zone
    )
    if not isinstance(found, Article):
        return f"{url} cannot be checked: {in_words(found)}."
    return RecordReader(now, settings.time_zone, FoundBy.HAND).new(found, page.url)
