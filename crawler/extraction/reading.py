"""Reads one page, with the fingerprint of its text and the notices on it: what a reader process does."""

from dataclasses import replace
from typing import Final

from crawler.extraction.article import Article, Page
from crawler.extraction.documents.articles import document_kind
from crawler.extraction.extract import media_type_of, read_page
from crawler.extraction.html.charset import decode
from crawler.extraction.html.page_tree import text_of
from crawler.extraction.html.parsing import parse
from crawler.extraction.html.text_blocks import word_count
from crawler.extraction.metadata.titles import title_of
from crawler.extraction.page_types.barriers import asks_who_is_there
from crawler.extraction.page_types.soft_404 import LONGEST_NOTICE, holds_notice, says_it_is_absent, unlinked_lines
from crawler.extraction.platforms.accounts import says_barred, says_removed
from crawler.extraction.reader_messages import PageTask, ReadPage
from crawler.outcomes.refusals import Refusal
from fingerprint.compute import fingerprint_text

_MAY_BE_NOTICES: Final = frozenset({Refusal.TOO_SHORT, Refusal.NOT_AN_ARTICLE, Refusal.LIST_PAGE})
_MAY_HOLD_NOTICES: Final = _MAY_BE_NOTICES | {Refusal.SITE_PAGE}

fingerprint_text("")  # loads the tables


def read(task: PageTask) -> ReadPage:
    """Return what is on a page. Never raises for a page."""
    try:
        page = read_page(
            task.body,
            url=task.url,
            content_type=task.content_type,
            fetched_at=task.fetched_at,
            time_zone=task.time_zone,
            known=task.known,
        )
        fingerprint = fingerprint_text(page.outcome.text) if isinstance(page.outcome, Article) else None
        return _with_notices(ReadPage(page, fingerprint), task)
    except (RecursionError, MemoryError):
        return ReadPage(Page(Refusal.BROKEN_MARKUP))


def _with_notices(read: ReadPage, task: PageTask) -> ReadPage:
    """The result with the notices on a page that is no article; a long article is not checked."""
    outcome = read.page.outcome
    is_none = len(outcome.text) > LONGEST_NOTICE if isinstance(outcome, Article) else outcome not in _MAY_HOLD_NOTICES
    if is_none or document_kind(task.body, media_type_of(task.content_type)) is not None:
        return read
    decoded = decode(task.body, content_type=task.content_type)
    root = None if decoded is None else parse(decoded.text)
    if root is None:
        return read
    title = title_of(root)
    by_platform = _notice_of_platform(read, task.url, f"{title}\n{text_of(root)}")
    if by_platform is not None:
        return by_platform
    if isinstance(outcome, Article):
        # What is around an article is not about it.
        says_so, is_barred = holds_notice(title, outcome.text.splitlines()), asks_who_is_there(outcome.text)
        return replace(read, is_absent=says_so and says_it_is_absent(root), is_barred=not says_so and is_barred)
    text = text_of(root)
    says_so = holds_notice(title, unlinked_lines(root))
    is_barred = not says_so and word_count(text) <= LONGEST_NOTICE and asks_who_is_there(f"{title}\n{text}")
    is_absent = not is_barred and outcome in _MAY_BE_NOTICES and says_it_is_absent(root)
    return replace(read, is_absent=is_absent, is_barred=is_barred, holds_notice=says_so or is_absent)


def _notice_of_platform(read: ReadPage, url: str, shown: str) -> ReadPage | None:
    """The result with what the platform of many authors says instead of an article, None if it says nothing."""
    if says_removed(shown, url):
        return replace(read, is_absent=True, holds_notice=True)
    return replace(read, is_barred=True) if says_barred(shown, url) else None
