"""Runs several commands as child processes with one log; restarts those that die, and stops all together."""

import contextlib
import subprocess
import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from time import monotonic
from typing import IO, Final

POLL_S: Final = 0.2
STOP_WITHIN_S: Final = 13.0
"""A worker needs ten seconds at most; children that still run then are killed."""

FIRST_WAIT_S: Final = 1.0
LONGEST_WAIT_S: Final = 60.0
STEADY_S: Final = 120.0
"""A child that ran at least so long is restarted without a longer delay."""


@dataclass(slots=True)
class Child:
    """One command. `wait_s`: delay before its last restart; it doubles with each early death."""

    name: str
    command: Sequence[str]
    process: "subprocess.Popen[str] | None" = None
    started: float = 0.0
    begins: float = 0.0
    wait_s: float = FIRST_WAIT_S
    reader: threading.Thread | None = field(default=None, repr=False)


class ProcessTree:
    """Runs children until stopped. `on_line` gets each line of their output, prefixed with the child's name."""

    def __init__(self, commands: Mapping[str, Sequence[str]], *, on_line: Callable[[str], None]) -> None:
        self._children = [Child(name, command) for name, command in commands.items()]
        self._on_line = on_line

    def run(self, stop: threading.Event) -> None:
        """Blocks until `stop` is set and all children have ended."""
        try:
            while True:
                for child in self._children:
                    self._look_after(child)
                if stop.wait(POLL_S):
                    return
        finally:
            self._stop_all()

    def _look_after(self, child: Child) -> None:
        now = monotonic()
        if child.process is None:
            if now >= child.begins:
                self._start(child, now)
            return
        code = child.process.poll()
        if code is None:
            return
        _close(child)
        child.wait_s = FIRST_WAIT_S if now - child.started > STEADY_S else min(LONGEST_WAIT_S, child.wait_s * 2)
        child.begins = now + child.wait_s
        self._on_line(f"{child.name} ended (exit code {code}); it is restarted in {child.wait_s:.0f} s")

    def _start(self, child: Child, now: float) -> None:
        child.process = subprocess.Popen(  # noqa: S603  # commands of our own
            [sys.executable, "-P", "-m", "zhiwen.child", *child.command],
            # The child stops when this end is closed.
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            encoding="utf-8",
            errors="replace",
            # Ctrl-C reaches only this process, which stops the children.
            start_new_session=True,
        )
        child.started = now
        assert child.process.stdout is not None  # noqa: S101  # asked for above
        child.reader = threading.Thread(target=self._pass_on, args=(child.name, child.process.stdout), daemon=True)
        child.reader.start()

    def _pass_on(self, name: str, lines: "IO[str]") -> None:
        for line in lines:
            said = line.rstrip()
            # A JSON line contains the name already.
            self._on_line(said if said.startswith("{") else f"{name:>6} | {said}")

    def _stop_all(self) -> None:
        for child in self._children:
            if child.process is not None:
                child.process.terminate()
        until = monotonic() + STOP_WITHIN_S
        for child in self._children:
            self._await_end(child, until)

    def _await_end(self, child: Child, until: float) -> None:
        if child.process is None:
            return
        try:
            child.process.wait(max(0.1, until - monotonic()))
        except subprocess.TimeoutExpired:
            self._on_line(f"{child.name} does not stop and is killed")
            child.process.kill()
            child.process.wait()
        _close(child)


def _close(child: Child) -> None:
    """Reads the rest of its output and closes its pipes."""
    process, child.process = child.process, None
    if process is None:
        return
    if child.reader is not None:
        child.reader.join(1.0)
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            with contextlib.suppress(OSError):
                pipe.close()
