"""What the benchmarks share on the command line."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from typing import TYPE_CHECKING, Final

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from zhiwen.commands.shell import fail, say

if TYPE_CHECKING:
    from benchmarks.quality.run import Tell

SEED: Final = 20260301

EXTRA: Final = ("datasketch", "matplotlib", "opencc", "pypinyin", "simhash", "sklearn")
"""Modules that only the benchmark needs."""


def require_extra() -> None:
    missing = [name for name in EXTRA if find_spec(name) is None]
    if missing:
        fail(f"{', '.join(missing)} missing. Install what the benchmark needs: pip install 'zhiwen[bench]'")


@contextmanager
def progress() -> Iterator["Tell"]:
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), disable=not sys.stderr.isatty()) as bar:
        tasks = {}

        def tell(what: str, done: int, whole: int) -> None:
            if what not in tasks:
                tasks[what] = bar.add_task(what)
                if not sys.stderr.isatty():
                    say(f"{what}: {whole}")
            bar.update(tasks[what], completed=done, total=whole)

        yield tell
