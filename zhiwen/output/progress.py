"""Progress bars, and signals that end long work in order."""

import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event
from typing import Final, TypeAlias

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from zhiwen.output.terminal import say

SIGNALS: Final = (signal.SIGINT, signal.SIGTERM)

StepProgress: TypeAlias = Callable[[str, int, int], None]
"""A function of the current step, the amount done and the total."""


def stopped_by_signals() -> Event:
    """An event that Ctrl-C and SIGTERM set from now on, instead of ending the process."""
    stop = Event()
    for number in SIGNALS:
        signal.signal(number, lambda *_: stop.set())
    return stop


@contextmanager
def bar(what: str, total: int) -> Iterator[Callable[[int], None]]:
    """A progress bar; yields a function of the amount done. Shown on terminals only, and only if there is work."""
    with _progress(is_shown=total > 0) as shown:
        task = shown.add_task(what, total=total)
        yield lambda done: shown.update(task, completed=min(done, total))


@contextmanager
def steps() -> Iterator[StepProgress]:
    """A progress bar for each step; without a terminal, a line for each."""
    is_terminal = sys.stderr.isatty()
    with _progress(is_shown=True) as shown:
        tasks = {}

        def progress(what: str, done: int, whole: int) -> None:
            if what not in tasks:
                tasks[what] = shown.add_task(what)
                if not is_terminal:
                    say(f"{what}: {whole}")
            shown.update(tasks[what], completed=done, total=whole)

        yield progress


def _progress(*, is_shown: bool) -> Progress:
    times = (TimeElapsedColumn(), TimeRemainingColumn())
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), *times)
    return Progress(*columns, console=Console(stderr=True), disable=not (is_shown and sys.stderr.isatty()))
