"""Processes that do a list of tasks, each with a database engine of its own."""

import signal
import traceback
from collections.abc import Callable, Iterator, Sequence
from multiprocessing.connection import Connection, wait
from types import TracebackType
from typing import TYPE_CHECKING, Final, TypeVar, cast

from crawler.processes import fork_server
from storage.engine import make_engine

if TYPE_CHECKING:
    from multiprocessing.process import BaseProcess

    from sqlalchemy import Engine

# Each of the other methods has processes of its own.
_CHILDREN: Final = fork_server.children(
    __name__, "benchmarks.quality.scenarios.checking", "benchmarks.quality.scenarios.scratch_store", "psycopg2"
)

Item = TypeVar("Item")
Result = TypeVar("Result")


class WorkFailed(Exception):
    """A task raised, or its process died; the message holds the traceback."""


class Workers:
    """Some processes on one database. Leaving the context kills them in any state."""

    def __init__(self, url: str, *, count: int) -> None:
        self._workers: dict[Connection, BaseProcess] = {}
        for _ in range(count):
            ours, theirs = _CHILDREN.Pipe()
            process = _CHILDREN.Process(target=_serve, args=(theirs, url), daemon=True, name="zhiwen-bench")
            process.start()
            theirs.close()
            self._workers[ours] = process

    def __enter__(self) -> "Workers":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for connection, process in self._workers.items():
            process.kill()
            process.join()
            connection.close()

    def map(self, task: "Callable[[Engine, Item], Result]", items: Sequence[Item]) -> Iterator[tuple[int, Result]]:
        """Yields the index of each item with the result of its task, in the order of completion.

        `task` is a function of a module, `items` and results can be pickled. Raises WorkFailed.
        """
        waiting = iter(enumerate(items))
        idle = list(self._workers)
        busy: dict[Connection, int] = {}
        while True:
            for connection, (number, item) in zip(idle, waiting, strict=False):
                connection.send((task, item))
                busy[connection] = number
            if not busy:
                return
            idle = [cast("Connection", ready) for ready in wait(list(busy))]
            for connection in idle:
                yield busy.pop(connection), self._answer(connection)

    def _answer(self, connection: Connection) -> Result:  # type: ignore[type-var]  # the result of the task
        try:
            done, answer = connection.recv()
        except (EOFError, OSError) as error:
            raise WorkFailed("A process of the benchmark died; most likely the machine ran out of memory.") from error
        if not done:
            raise WorkFailed(str(answer))
        return cast("Result", answer)


def _serve(connection: Connection, url: str) -> None:
    """The other process: runs the tasks that it is sent until the connection ends."""
    # Ctrl-C reaches every process of the terminal; the parent decides when we stop.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    engine = make_engine(url, pool_size=1)
    while True:
        try:
            task, item = connection.recv()
        except EOFError:
            return
        try:
            answer = (True, task(engine, item))
        except Exception:  # sent to the parent, which raises it
            answer = (False, traceback.format_exc())
        connection.send(answer)
