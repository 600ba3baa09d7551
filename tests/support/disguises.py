"""Disguised copies of Chinese texts, by the disguises of the benchmarks. The same seed makes the same copy."""

from random import Random

from benchmarks.disguises import order
from benchmarks.disguises.characters import homophones, traditional
from benchmarks.disguises.texts import of_block, of_page


def swap_homophones(text: str, *, share: float, seed: int) -> str:
    return of_block(homophones(share))(text, Random(seed))  # noqa: S311  # repeatable, nothing secret


def to_traditional(text: str) -> str:
    return of_block(traditional)(text, Random(0))  # noqa: S311  # no chance in it


def shuffle_paragraphs(text: str, *, seed: int) -> str:
    return of_page(order.shuffle_paragraphs)(text, Random(seed))  # noqa: S311  # repeatable, nothing secret
