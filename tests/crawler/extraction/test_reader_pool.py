"""Pages are read in other processes, isolated from this one."""

import multiprocessing
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime

from crawler.extraction.article import Article
from crawler.extraction.reader_messages import PageTask
from crawler.extraction.reader_pool import ReaderPool
from crawler.outcomes.refusals import Refusal
from tests.fake_web.pages import article


@contextmanager
def readers(*, deadline_s: float = 30, size: int = 1, at_once: bool = False) -> Iterator[ReaderPool]:
    pool = ReaderPool(size=size, deadline_s=deadline_s, at_once=at_once)
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


def test_readers_forked_at_once_read_and_are_replaced() -> None:
    with readers(size=2, at_once=True) as pool:
        forked = {reader.pid for reader in multiprocessing.active_children()}
        assert len(forked) == 2
        assert isinstance(pool.read(task(1)).page.outcome, Article)
        assert {reader.pid for reader in multiprocessing.active_children()} == forked
        for reader in multiprocessing.active_children():
            reader.kill()
            reader.join()

        assert pool.read(task(2)).page.outcome is Refusal.PARSER_DIED
        assert isinstance(pool.read(task(3)).page.outcome, Article)


ORPHANED = """
import multiprocessing, os, signal
from crawler.extraction.reader_pool import ReaderPool
pool = ReaderPool(size=3, at_once=True)
print(*(reader.pid for reader in multiprocessing.active_children()), flush=True)
os.kill(os.getpid(), signal.SIGKILL)
"""


def test_readers_forked_at_once_end_with_the_process_that_forked_them() -> None:
    with subprocess.Popen([sys.executable, "-c", ORPHANED], stdout=subprocess.PIPE, text=True) as killed:
        assert killed.stdout is not None
        # They hold the pipe, too: its end is theirs.
        assert len(killed.stdout.read().split()) == 3
        assert killed.wait() == -signal.SIGKILL
