"""What the benchmarks share on the command line."""

import shutil
import signal
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from storage.embedded import server
from zhiwen.config.settings import Settings
from zhiwen.output.terminal import fail
from zhiwen.wiring import settings_of_this_process

SEED: Final = 20260301

EXTRA: Final = ("datasketch", "matplotlib", "opencc", "pypinyin", "simhash", "sklearn")
"""Modules that only the benchmark needs."""


def require_extra() -> None:
    missing = [name for name in EXTRA if find_spec(name) is None]
    if missing:
        fail(f"{', '.join(missing)} missing. Install what the benchmark needs: pip install 'zhiwen[bench]'")


@contextmanager
def scratch() -> Iterator[Settings]:
    """Settings of a store that is gone at the end, also when the work is interrupted or told to end."""
    yours = settings_of_this_process()
    before = {number: signal.signal(number, signal.default_int_handler) for number in (signal.SIGINT, signal.SIGTERM)}
    home = Path(tempfile.mkdtemp(prefix="zhiwen-bench-"))
    try:
        yield replace(yours, home=home, database_url=None, postgres_fsync=False, postgres_grace_s=1.0)
    finally:
        # A second Ctrl-C, out of impatience, must not leave the database and its folder behind.
        for number in before:
            signal.signal(number, signal.SIG_IGN)
        server.delete(home)
        shutil.rmtree(home, ignore_errors=True)
        for number, handler in before.items():
            signal.signal(number, handler)
