"""Values of several pages that are written together, none of them twice in one statement. Pure."""

from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

T = TypeVar("T")


def each_once(values: Sequence[T], key: Callable[[T], object]) -> Iterator[list[T]]:
    """The values in lists that hold no key twice; those of one key stay in their order."""
    rounds: list[dict[object, T]] = []
    for value in values:
        named = key(value)
        free = next((one for one in rounds if named not in one), None)
        if free is None:
            rounds.append(free := {})
        free[named] = value
    return map(list, (one.values() for one in rounds))
