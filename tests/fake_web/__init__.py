"""A small web on loopback, served by a child process: readable pages, and every trap a crawler can step into."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def served() -> Iterator[str]:
    """The address of the fake web, `http://127.0.0.1:PORT`, while the block lasts."""
    command = [sys.executable, "-m", "tests.fake_web.server"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None
        try:
            yield child.stdout.readline().strip()
        finally:
            child.kill()
