"""Runs work in parallel and yields its results in order."""

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import Generic, TypeAlias, TypeVar

T = TypeVar("T")

Work: TypeAlias = Callable[[], T]


@dataclass(frozen=True, slots=True)
class Ready(Generic[T]):
    """A result that is there already."""

    value: T

    def __call__(self) -> T:
        return self.value

    result = __call__


def in_order(works: Iterable[Work[T]], *, at_once: int) -> Iterator[T]:
    """The result of each work, in the order of the works. With `at_once` 1 each is done when it is asked for.

    The works are taken from their source in this thread, only a few ahead of the results: what is read from a file
    stays bounded. Closing the iterator early waits for works that have begun.
    """
    if at_once <= 1:
        yield from (work() for work in works)
        return
    at_hand: deque[Future[T] | Ready[T]] = deque()
    with ThreadPoolExecutor(at_once) as side_by_side:
        try:
            for work in works:
                at_hand.append(work if isinstance(work, Ready) else side_by_side.submit(work))
                if len(at_hand) > 2 * at_once:
                    yield at_hand.popleft().result()
            while at_hand:
                yield at_hand.popleft().result()
        finally:
            for one in at_hand:
                if isinstance(one, Future):
                    one.cancel()
