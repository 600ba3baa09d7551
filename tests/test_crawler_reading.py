"""Pages are read elsewhere, and nothing they do reaches us."""

import multiprocessing
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime

from crawler.extract import Article
from crawler.reading import PageTask, ReaderPool
from crawler.refusals import Refusal
from tests.fake_web.pages import article


@contextmanager
def readers(*, deadline_s: float = 30) -> Iterator[ReaderPool]:
    pool = ReaderPool(size=1, deadline_s=deadline_s)
    try:
        yield pool
    finally:
        pool.close()


def task(number: int) -> PageTask:
    now = datetime(2026, 11, 21, tzinfo=UTC)
    return PageTask(article(number).encode(), "http://news.example/a", "text/html", now, "Asia/Shanghai")


def test_a_page_comes_back_with_its_fingerprint() -> None:
    with readers() as pool:
        read = pool.read(task(1))

    assert isinstance(read.page.outcome, Article)
    assert read.fingerprint is not None
    assert not read.fingerprint.too_short


def test_a_page_that_takes_too_long_is_left_and_its_reader_ended() -> None:
    with readers(deadline_s=0) as pool:
        assert pool.read(task(1)).page.outcome is Refusal.PARSE_DEADLINE
        assert multiprocessing.active_children() == []


def test_a_reader_that_dies_takes_one_page_with_it() -> None:
    with readers() as pool:
        pool.read(task(1))
        for reader in multiprocessing.active_children():
            reader.kill()
            reader.join()

        assert pool.read(task(2)).page.outcome is Refusal.PARSER_DIED
        assert isinstance(pool.read(task(3)).page.outcome, Article)
