"""The program as a process that runs beside a test, forked from one that has imported it already.

As one that was started, it has its own session, standard streams, environment and exit code, can be sent signals and
be killed. (Commands that a test only waits for: tests/support/processes/forked_program.py.)
"""

import os
import signal
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Final

from crawler.processes import fork_server
from tests.support.processes.forked_program import end_as, take

CHILDREN: Final = fork_server.children(
    *("zhiwen.cli", "zhiwen.commands.operations.worker", "zhiwen.worker.worker", "zhiwen.worker.jobs"),
    *("zhiwen.commands.articles.import_articles", "zhiwen.imports.run", "zhiwen.imports.batches", "psycopg2"),
)


@dataclass(frozen=True, slots=True)
class Running:
    """What tests ask of a `subprocess.Popen`."""

    process: BaseProcess
    arguments: Sequence[str]

    def poll(self) -> int | None:
        return self.process.exitcode

    def wait(self, timeout_s: float | None = None) -> int:
        self.process.join(timeout_s)
        code = self.process.exitcode
        if code is None:
            raise subprocess.TimeoutExpired(list(self.arguments), timeout_s or 0.0)
        return code

    def send_signal(self, number: signal.Signals) -> None:
        # Asked first: the number of one that has ended may be somebody else's by now.
        if self.poll() is None and self.process.pid is not None:
            os.kill(self.process.pid, number)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)


@contextmanager
def running(
    *arguments: str, environment: Mapping[str, str], stdout: Path | None = None, stderr: Path | None = None
) -> Iterator[Running]:
    """Killed at the end if it still runs. Streams that are not given go nowhere."""
    streams = [str(path or os.devnull) for path in (None, stdout, stderr)]
    process = CHILDREN.Process(target=_become, args=(arguments, dict(environment), streams))
    process.start()
    child = Running(process, arguments)
    try:
        yield child
    finally:
        child.kill()
        child.wait()
        process.close()


def _become(arguments: Sequence[str], environment: Mapping[str, str], streams: Sequence[str]) -> None:
    from zhiwen.cli import main  # noqa: PLC0415  # for the child alone

    os.setsid()
    take(streams, environment)
    end_as(main, arguments)
