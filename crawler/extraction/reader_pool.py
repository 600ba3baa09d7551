"""A pool of reader processes: a page that takes forever, or kills its reader, harms nothing else."""

import contextlib
import multiprocessing
import os
import queue
import resource
import signal
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import partial
from multiprocessing.connection import Connection
from typing import TYPE_CHECKING, Any, Final, TypeVar, cast

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
from crawler.extraction.site_knowledge import SiteKnowledge
from crawler.outcomes.refusals import Refusal
from crawler.processes import fork_server
from fingerprint.compute import fingerprint_text
from fingerprint.model import Fingerprint

if TYPE_CHECKING:
    from multiprocessing.context import ForkContext, ForkServerContext

DEADLINE_S: Final = 30.0
"""For one page. The slowest of 3,100 real pages, of a million characters, takes under 5 s; a trap takes for ever."""

LIST_SHARE: Final = 2.0
"""Times that deadline for a feed or sitemap, which may name 50,000 pages."""

START_DEADLINE_S: Final = 60.0
"""For a new process to load its tables."""

MEMORY_BYTES: Final = 3_000_000_000
"""Address space of a reader. Tables and libraries take 600 MB of it, a page of 10 MB another 700."""

MOST_READERS: Final = 4

T = TypeVar("T")

_CHILDREN: Final = fork_server.children(__name__, "crawler.processes.preload_tables")

_MAY_BE_NOTICES: Final = frozenset({Refusal.TOO_SHORT, Refusal.NOT_AN_ARTICLE, Refusal.LIST_PAGE})
_MAY_HOLD_NOTICES: Final = _MAY_BE_NOTICES | {Refusal.SITE_PAGE}


@dataclass(frozen=True, slots=True)
class PageTask:
    body: bytes
    url: str
    content_type: str
    fetched_at: datetime
    time_zone: str
    known: SiteKnowledge = field(default_factory=SiteKnowledge)


@dataclass(frozen=True, slots=True)
class _Answer:
    """The result of a function in the other process."""

    value: object


@dataclass(frozen=True, slots=True)
class ReadPage:
    """A page that was read; with the fingerprint of its text if it is an article."""

    page: Page
    fingerprint: Fingerprint | None = None
    is_absent: bool = False
    """Whether it says that the requested page does not exist."""
    is_barred: bool = False
    """Whether it asks for a captcha or a log-in, or says that it is busy: it says nothing about the requested page."""
    holds_notice: bool = False
    """Whether it holds no article, and a line that says that the requested page does not exist."""


class ReaderPool:
    """Some processes that read pages. `read` blocks: call it from a thread.

    Each starts when it is needed. `at_once`: all start here and now as forks of this process, which costs next to
    nothing, but is only for a process that has no threads, connections or reactor yet.
    """

    def __init__(self, *, size: int | None = None, deadline_s: float = DEADLINE_S, at_once: bool = False) -> None:
        count = size or max(1, min(MOST_READERS, os.cpu_count() or 1))
        self._deadline_s = deadline_s
        # Last in, first out: a second process starts only when two pages are to be read at once.
        self._slots: queue.LifoQueue[_Reader | None] = queue.LifoQueue()
        for reader in _forks(count) if at_once else [None] * count:
            self._slots.put(reader)
        self._size = count
        self._at_work: set[_Reader] = set()
        self._is_abandoned = False

    def read(self, task: PageTask) -> ReadPage:
        """The page, or a refusal that says that it took too long or killed its reader. Never raises for a page."""
        answer = self._ask(partial(_read, task), self._deadline_s)
        return ReadPage(Page(answer)) if isinstance(answer, Refusal) else answer

    def fingerprint(self, text: str) -> Fingerprint | None:
        """The fingerprint of a text that was read already: an article of several pages. None if it took too long."""
        answer = self._ask(partial(fingerprint_text, text), self._deadline_s)
        return None if isinstance(answer, Refusal) else answer

    def call(self, work: "partial[T]") -> T | Refusal:
        """What `work` returns in a reader: a function of a module, on values. A refusal if it took too long, raised, or
        killed its reader. Never raises.
        """
        return self._ask(partial(_called, work), LIST_SHARE * self._deadline_s)

    def _ask(self, work: "partial[T]", deadline_s: float) -> T | Refusal:
        if self._is_abandoned:
            return Refusal.PARSER_DIED
        with self._reader() as reader:
            answer = reader.ask(work, deadline_s=deadline_s)
        return answer if isinstance(answer, Refusal) else cast("T | Refusal", answer.value)

    def abandon(self) -> None:
        """Stops reading: pages being read, and later ones, are returned as if their reader had died."""
        self._is_abandoned = True
        for reader in tuple(self._at_work):
            reader.kill()

    def close(self) -> None:
        """Ends all readers; waits for those at work."""
        for _ in range(self._size):
            reader = self._slots.get()
            if reader is not None:
                reader.stop()

    @contextlib.contextmanager
    def _reader(self) -> Iterator["_Reader"]:
        reader = self._slots.get()
        try:
            # If none can be started, the place must not be lost: `close` waits for all of them.
            reader = reader or _Reader(_CHILDREN)
            self._at_work.add(reader)
            yield reader
        finally:
            self._at_work.discard(reader)
            self._slots.put(reader if reader and reader.is_alive else None)


class _Reader:
    def __init__(
        self, context: "ForkServerContext | ForkContext", *, beside: Sequence["_Reader"] | None = None
    ) -> None:
        """`beside`: of a fork of ourselves, those forked before."""
        self.connection, other_end = context.Pipe()
        # A fork inherits our ends of the pipes: if it kept one, no reader would notice our death.
        not_its = () if beside is None else (self.connection, *(reader.connection for reader in beside))
        self._process = context.Process(target=_serve, args=(other_end, not_its), daemon=True, name="zhiwen-reader")
        self._process.start()
        other_end.close()
        self._is_ready = False

    @property
    def is_alive(self) -> bool:
        return self._process.is_alive()

    def ask(self, work: "partial[Any]", *, deadline_s: float) -> _Answer | Refusal:
        """What `work` returns in the other process; a refusal if it took too long or died."""
        try:
            if not self._is_ready:
                self._is_ready = self._answer(START_DEADLINE_S) is not None
            self.connection.send(work)
            answer = self._answer(deadline_s)
        except (EOFError, OSError):
            self.stop()
            return Refusal.PARSER_DIED
        if not isinstance(answer, _Answer):
            self.stop()
            return Refusal.PARSE_DEADLINE
        return answer

    def kill(self) -> None:
        """Callers waiting for an answer see the end of the connection."""
        self._process.kill()

    def stop(self) -> None:
        self.kill()
        self._process.join()
        self.connection.close()

    def _answer(self, deadline_s: float) -> object:
        return self.connection.recv() if self.connection.poll(deadline_s) else None


def _forks(count: int) -> Iterator[_Reader]:
    context = multiprocessing.get_context("fork")
    readers: list[_Reader] = []
    for _ in range(count):
        readers.append(_Reader(context, beside=readers))
    yield from readers


def _serve(connection: Connection, not_ours: Sequence[Connection]) -> None:
    """The other process: reads what it is sent until the connection ends."""
    for other in not_ours:
        other.close()
    # Ctrl-C reaches every process of the terminal; the crawl decides when its readers stop.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _bound_memory()
    fingerprint_text("")  # loads the tables
    with contextlib.suppress(EOFError, OSError):
        connection.send("ready")
        while True:
            work: partial[Any] = connection.recv()
            connection.send(_Answer(work()))


def _called(work: "partial[T]") -> T | Refusal:
    try:
        return work()
    except Exception:  # what parsers of hostile bytes raise has nothing in common
        return Refusal.BROKEN_MARKUP


def _read(task: PageTask) -> ReadPage:
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


def _bound_memory() -> None:
    # macOS has the call and does not keep to it.
    if sys.platform == "linux":
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
