"""Reads single pages outside of a crawl: in processes of their own, as a crawl does."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime

from crawler.extraction.article import Outcome, PageReader
from crawler.extraction.reader_messages import PageTask, ReadPage
from crawler.extraction.reader_pool import ReaderPool
from crawler.extraction.site_knowledge import SiteKnowledge
from crawler.outcomes.refusals import Refusal


@contextmanager
def page_reader(
    time_zone: str, *, size: int = 1, is_article: bool = False, asks_presence: bool = False
) -> Iterator[PageReader]:
    """A reader of pages in processes of its own, started on first use: no page can crash its caller.

    Up to `size` threads can use it at once. `is_article`: a person confirms that each page is an article.
    `asks_presence`: a page that says it does not exist is refused as GONE, one that asks for a captcha or a login as
    BARRED.
    """
    pool, known = ReaderPool(size=size), SiteKnowledge(is_article=is_article)

    def read(body: bytes, url: str, content_type: str, at: datetime) -> Outcome:
        page = pool.read(PageTask(body, url, content_type, at, time_zone, known))
        return _with_presence(page) if asks_presence else page.page.outcome

    try:
        yield read
    finally:
        pool.close()


def _with_presence(read: ReadPage) -> Outcome:
    if read.is_barred:
        return Refusal.BARRED
    return Refusal.GONE if read.is_absent or read.holds_notice else read.page.outcome
