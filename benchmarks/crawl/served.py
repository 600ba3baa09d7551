"""The generated site, served by a process of its own."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def served(pages: int) -> Iterator[str]:
    """Its address; at the end the process is gone."""
    command = [sys.executable, "-m", "benchmarks.crawl.server", str(pages)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as child:  # noqa: S603  # ours
        assert child.stdout is not None
        try:
            yield child.stdout.readline().strip()
        finally:
            child.kill()
