"""A child process that feeds one parser: with bounds of its own, so that an input can crash nothing else.

An input that uses too much processor time is ended by the kernel, also inside a library that never handles signals,
after its place was recorded.
"""

import faulthandler
import logging
import multiprocessing
import re
import resource
import signal
import sys
import tempfile
import time
import traceback
import warnings
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Final

from benchmarks.fuzz.model import CPU_S, MEMORY_BYTES, Failure, Kind, Parser
from benchmarks.fuzz.mutations import input_of

ASLEEP_S: Final = 120.0
"""Seconds by the clock without a finished input: only a parser that sleeps forever reaches it."""
_FORK: Final = multiprocessing.get_context("fork")
_ROOT: Final = Path(__file__).resolve().parents[2]
_OWN: Final = ("admin", "crawler", "fingerprint", "matcher", "storage", "zhiwen")
_DUMPED: Final = re.compile(r'File "(?P<file>[^"]+)", line (?P<line>\d+) in (?P<name>\S+)')
_NUMBER, _BYTES, _CPU = 0, 1, 2


@dataclass(eq=False)
class Child:
    """Feeds the inputs `first` to `last`, without the last. `failures`: those reported so far."""

    parser: Parser
    seed: int
    first: int
    last: int
    failures: list[Failure] = field(default_factory=list)
    is_whole: bool = False

    def __post_init__(self) -> None:
        self._reached = _FORK.RawArray("d", [self.first, 0, 0])
        self._dump = tempfile.TemporaryFile()  # noqa: SIM115  # open as long as the child
        self.pipe, theirs = _FORK.Pipe(duplex=False)
        # No daemon: parsers that read in a process of their own could not start it.
        self._process = _FORK.Process(target=self._serve, args=(theirs,), daemon=False)
        self._process.start()
        theirs.close()
        self._heard_at, self._heard_of = time.monotonic(), -1.0

    @property
    def next(self) -> int:
        """The number of the first input that was not read."""
        return self.last if self.is_whole else int(self._reached[_NUMBER]) + 1

    @property
    def bytes(self) -> int:
        return int(self._reached[_BYTES])

    @property
    def cpu_s(self) -> float:
        return float(self._reached[_CPU])

    def heard(self) -> bool:
        """Handles one message; returns whether it was the last."""
        try:
            message = self.pipe.recv()
        except (EOFError, OSError):
            self._buried()
            return True
        if isinstance(message, Failure):
            self.failures.append(message)
            return False
        self.is_whole = True
        self._buried()
        return True

    def is_asleep(self) -> bool:
        if self._reached[_NUMBER] != self._heard_of:
            self._heard_at, self._heard_of = time.monotonic(), self._reached[_NUMBER]
        return time.monotonic() - self._heard_at > ASLEEP_S

    def end(self) -> None:
        """Ends the child; its end is reported later."""
        self._process.kill()

    def _buried(self) -> None:
        self.pipe.close()
        self._process.join()
        if not self.is_whole:
            self.failures.append(self._death())
        self._dump.close()

    def _death(self) -> Failure:
        self._dump.seek(0)
        dump = self._dump.read().decode("utf-8", "replace")
        code = self._process.exitcode or 0
        is_slow = code in (-signal.SIGPROF, -signal.SIGKILL)
        kind = Kind.HANG if is_slow else Kind.DIED
        where = _place(dump) if is_slow else f"signal {-code}" if code < 0 else f"exit code {code}"
        return Failure(self.parser.name, int(self._reached[_NUMBER]), kind, where, dump)

    def _serve(self, pipe: Connection) -> None:
        """Runs in the child."""
        _bounded(self._dump)
        for number in range(self.first, self.last):
            self._reached[_NUMBER] = number
            made = input_of(self.parser, self.seed, number)
            before = time.process_time()
            signal.setitimer(signal.ITIMER_PROF, CPU_S)
            try:
                self.parser.read(made)
            except self.parser.refusals:
                pass
            except Exception as error:  # any exception that is not declared
                pipe.send(_failure(self.parser.name, number, error))
            finally:
                signal.setitimer(signal.ITIMER_PROF, 0)
            self._reached[_CPU] += time.process_time() - before
            self._reached[_BYTES] += len(made)
        pipe.send(None)


def _bounded(dump: IO[bytes]) -> None:
    # On Ctrl-C the parent ends this process.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGPROF, signal.SIG_DFL)
    faulthandler.enable(dump, all_threads=False)
    faulthandler.register(signal.SIGPROF, dump, all_threads=False, chain=True)
    logging.disable(logging.CRITICAL)
    warnings.simplefilter("ignore")
    # macOS has the call and does not keep to it.
    if sys.platform == "linux":
        has = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
        # The hard limit stays: a parser's own process has a bound of its own, and sets it.
        _, hard = resource.getrlimit(resource.RLIMIT_AS)
        resource.setrlimit(resource.RLIMIT_AS, (has + MEMORY_BYTES, hard))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _failure(parser: str, number: int, error: Exception) -> Failure:
    kind = Kind.MEMORY if isinstance(error, MemoryError) else Kind.TRACEBACK
    dump = "".join(traceback.format_exception(error, limit=-30))
    return Failure(parser, number, kind, f"{type(error).__name__} in {_raised_in(error.__traceback__)}", dump[-8_000:])


def _raised_in(where: TracebackType | None) -> str:
    """The innermost place in our code, else in any."""
    frames = list(traceback.extract_tb(where))
    own = [frame for frame in frames if _own_file(frame.filename)]
    frame = (own or frames)[-1]
    return f"{_own_file(frame.filename) or Path(frame.filename).name}:{frame.name}"


def _place(dump: str) -> str:
    """The place from a dumped traceback, innermost first."""
    frames: list[Any] = list(_DUMPED.finditer(dump))
    own = [found for found in frames if _own_file(found["file"])]
    if not frames:
        return "nobody knows where"
    found = (own or frames)[0]
    return f"{_own_file(found['file']) or Path(found['file']).name}:{found['name']}"


def _own_file(file: str) -> str:
    """Its path in the project; empty where it is none of ours."""
    path = Path(file)
    if not path.is_relative_to(_ROOT):
        return ""
    inside = path.relative_to(_ROOT)
    return str(inside) if inside.parts[0] in _OWN else ""
