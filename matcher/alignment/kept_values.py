"""Values that take long to compute, kept for those who ask next: a text is a candidate of many others."""

from collections import OrderedDict
from collections.abc import Callable
from functools import wraps
from threading import Lock
from typing import Final, Generic, ParamSpec, TypeVar

K = TypeVar("K")
V = TypeVar("V")
P = ParamSpec("P")
R = TypeVar("R")


class KeptValues(Generic[K, V]):
    """Values by key, those asked for last, up to `most` of their sizes together and at least the last one. Threads may
    share it.
    """

    def __init__(self, most: int) -> None:
        self._most: Final = most
        self._values: OrderedDict[K, tuple[V, int]] = OrderedDict()
        self._size = 0
        self._lock = Lock()

    def get(self, key: K) -> V | None:
        with self._lock:
            if (kept := self._values.get(key)) is None:
                return None
            self._values.move_to_end(key)
            return kept[0]

    def keep(self, key: K, value: V, *, size: int) -> V:
        """Keep a value and return it, or that which another thread has kept meanwhile."""
        with self._lock:
            if (kept := self._values.get(key)) is not None:
                return kept[0]
            self._values[key] = value, size
            self._size += size
            while self._size > self._most and len(self._values) > 1:
                self._size -= self._values.popitem(last=False)[1][1]
            return value


def kept(most: int, size: Callable[..., int]) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Return a decorator that keeps what a function of positional arguments returns, up to `most` of their sizes
    together.
    """

    def decorate(compute: Callable[P, R]) -> Callable[P, R]:
        values = KeptValues[object, R](most)

        @wraps(compute)
        def found(*args: P.args, **named: P.kwargs) -> R:
            known = values.get(args)
            return values.keep(args, compute(*args, **named), size=size(*args)) if known is None else known

        return found

    return decorate
