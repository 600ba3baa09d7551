"""Group commit: what several pages have to write at about the same time is one transaction.

A transaction costs much the same for one page as for ten: round trips, a commit, and the switch to a thread and back.
"""

import asyncio
from collections.abc import Callable, Sequence
from typing import Final, Generic, TypeVar

from scrapy.utils.asyncio import run_in_thread

from storage.postgres.timeouts import is_unavailable

LINGER_S: Final = 0.05
"""How long the first value of a group waits for others. A crawl of eighty pages a second has four in that time."""

MOST_AT_ONCE: Final = 8
"""Little enough to repeat after a crash. Sixteen at once would save a tenth of a millisecond a page."""

T = TypeVar("T")
R = TypeVar("R")


class GroupCommit(Generic[T, R]):
    """Collects values and hands them to `work` in a thread, one group after the other.

    `work` is a transaction: it returns a result for each value, in order, or raises and has written nothing. If it
    raises, each value is worked off by itself, so that one that cannot be written takes no other along; not if the
    database is away, since that would wait for it once a value.
    """

    def __init__(self, work: Callable[[Sequence[T]], Sequence[R]], *, linger_s: float = LINGER_S) -> None:
        self._work = work
        self._linger_s = linger_s
        self._waiting: list[tuple[T, asyncio.Future[R]]] = []
        self._task: asyncio.Task[None] | None = None

    async def put(self, value: T) -> R:
        """The result for the value once its group is committed. Raises what `work` raised for it."""
        done: asyncio.Future[R] = asyncio.get_running_loop().create_future()
        self._waiting.append((value, done))
        if self._task is None:
            self._task = asyncio.ensure_future(self._work_off())
        return await done

    async def _work_off(self) -> None:
        while self._waiting:
            await asyncio.sleep(self._linger_s)
            group, self._waiting = self._waiting[:MOST_AT_ONCE], self._waiting[MOST_AT_ONCE:]
            try:
                outcomes = await run_in_thread(self._outcomes, [value for value, _ in group])
            except Exception as error:  # no thread any more: who waits must not wait for ever
                outcomes = [error] * len(group)
            for (_, done), outcome in zip(group, outcomes, strict=True):
                _tell(done, outcome)
        self._task = None

    def _outcomes(self, values: Sequence[T]) -> list[R | Exception]:
        """For each value its result, or the error that kept it from being written. Blocks."""
        try:
            return list(self._work(values))
        except Exception as error:  # whatever it is: it belongs to those that wait for it
            if len(values) == 1 or is_unavailable(error.__cause__):
                return [error] * len(values)
        return [outcome for value in values for outcome in self._outcomes([value])]


def _tell(done: "asyncio.Future[R]", outcome: R | Exception) -> None:
    if done.done():
        return  # who waited for it was cancelled
    if isinstance(outcome, Exception):
        done.set_exception(outcome)
    else:
        done.set_result(outcome)
