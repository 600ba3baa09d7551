"""What comes at about the same time is written together; what cannot be written takes nothing else along."""

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy.exc import OperationalError

from crawler.spider.crawl_store import each_once
from crawler.spider.group_commit import MOST_AT_ONCE, GroupCommit
from storage.errors import StoreFailed


class NotWritten(Exception):
    pass


class Book:
    """A store that writes numbers together, and squares them; never one that is refused."""

    def __init__(self, refused: frozenset[int] = frozenset(), error: Exception | None = None) -> None:
        self.groups: list[list[int]] = []
        self._refused = refused
        self._error = error or NotWritten()

    def write(self, numbers: Sequence[int]) -> list[int]:
        self.groups.append(list(numbers))
        if self._refused & set(numbers):
            raise self._error
        return [number * number for number in numbers]


def put_all(work: Callable[[Sequence[int]], list[int]], numbers: Sequence[int]) -> list[int | BaseException]:
    async def put() -> list[int | BaseException]:
        group = GroupCommit(work)
        return await asyncio.gather(*map(group.put, numbers), return_exceptions=True)

    return asyncio.run(put())


def test_values_that_come_together_are_written_together_and_each_gets_its_own_result() -> None:
    book = Book()

    assert put_all(book.write, [3, 1, 2]) == [9, 1, 4]
    assert book.groups == [[3, 1, 2]]


def test_a_group_has_a_bound() -> None:
    book = Book()
    numbers = list(range(2 * MOST_AT_ONCE + 1))

    assert put_all(book.write, numbers) == [number * number for number in numbers]
    assert [len(group) for group in book.groups] == [MOST_AT_ONCE, MOST_AT_ONCE, 1]


def test_one_that_cannot_be_written_takes_no_other_along() -> None:
    book = Book(frozenset({2}))

    first, second, third = put_all(book.write, [1, 2, 3])

    assert (first, third) == (1, 9)
    assert isinstance(second, NotWritten)
    assert book.groups == [[1, 2, 3], [1], [2], [3]]


def test_without_a_database_a_group_is_not_tried_once_more_for_each_of_its_values() -> None:
    error = StoreFailed("no answer")
    error.__cause__ = OperationalError("SELECT", {}, Exception(), connection_invalidated=True)
    book = Book(frozenset({2}), error)

    assert put_all(book.write, [1, 2, 3]) == [error] * 3
    assert len(book.groups) == 1


def test_without_threads_nobody_waits_for_ever() -> None:
    async def put() -> int:
        ended = ThreadPoolExecutor(1)
        ended.shutdown()
        asyncio.get_running_loop().set_default_executor(ended)
        return await GroupCommit(Book().write).put(1)

    with pytest.raises(RuntimeError, match="shutdown"):
        asyncio.run(put())


def test_who_no_longer_waits_stops_nobody_else() -> None:
    book = Book()

    async def put() -> int:
        group = GroupCommit(book.write)
        impatient = asyncio.ensure_future(group.put(1))
        patient = asyncio.ensure_future(group.put(2))
        await asyncio.sleep(0)
        impatient.cancel()
        with pytest.raises(asyncio.CancelledError):
            await impatient
        return await patient

    assert asyncio.run(put()) == 4


def test_what_comes_while_a_group_is_written_is_the_next_group() -> None:
    book = Book()

    async def put() -> list[int]:
        group = GroupCommit(book.write)
        first = await group.put(1)
        return [first, *await asyncio.gather(group.put(2), group.put(3))]

    assert asyncio.run(put()) == [1, 4, 9]
    assert book.groups == [[1], [2, 3]]


@given(st.lists(st.tuples(st.integers(0, 5), st.integers())))
def test_lists_hold_no_key_twice_and_keep_the_order_of_each(values: list[tuple[int, int]]) -> None:
    lists = list(each_once(values, lambda value: value[0]))

    for some in lists:
        assert len({key for key, _ in some}) == len(some)
    together = [value for some in lists for value in some]
    for key in range(6):
        assert [value for value in together if value[0] == key] == [value for value in values if value[0] == key]
    assert len(together) == len(values)
