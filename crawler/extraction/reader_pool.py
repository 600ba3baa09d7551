"""A pool of reader processes: a page that takes forever, or kills its reader, harms nothing else."""

import contextlib
import importlib
import multiprocessing
import os
import queue
import resource
import signal
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from multiprocessing.connection import Connection
from typing import TYPE_CHECKING, Any, Final, TypeVar, cast

from crawler.extraction.article import Page
from crawler.extraction.reader_messages import PageTask, ReadPage
from crawler.outcomes.refusals import Refusal
from crawler.processes import fork_server
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

READING: Final = "crawler.extraction.reading"
"""The module that reads, which readers alone load."""

_CHILDREN: Final = fork_server.children(__name__, READING, "crawler.processes.preload_tables")


@dataclass(frozen=True, slots=True)
class _Answer:
    """The result of a function in the other process."""

    value: object


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
        answer = self._ask(partial(_fingerprint, text), self._deadline_s)
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
    importlib.import_module(READING)
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
    importlib.import_module(READING)
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
    from crawler.extraction.reading import read  # noqa: PLC0415

    return read(task)


def _fingerprint(text: str) -> Fingerprint:
    from fingerprint.compute import fingerprint_text  # noqa: PLC0415

    return fingerprint_text(text)


def _bound_memory() -> None:
    # macOS has the call and does not keep to it.
    if sys.platform == "linux":
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
