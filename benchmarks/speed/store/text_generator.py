"""Generated articles: words as frequent as in the language, and stock phrases that many texts share. Pure."""

import random
from collections.abc import Sequence
from functools import cache
from itertools import accumulate
from typing import Final

STOCK_PHRASES: Final = 2_000
_STOCK_SHARE: Final = 0.04
"""Of the clauses of an article that are stock phrases; of real articles, a few in a hundred stand elsewhere too."""
_CLAUSE: Final = (3, 9)
"""Words."""
_SIGNS: Final = ("，", "，", "，", "。", "。", "；", "。\n")


@cache
def words() -> tuple[tuple[str, ...], tuple[int, ...]]:
    """Words of two and more Han characters with single ones between, and how often: those of jieba's dictionary."""
    import jieba  # noqa: PLC0415  # of the bench extra

    with jieba.dt.get_dict_file() as lines:
        rows = [line.decode("utf-8").split(" ") for line in lines]
    known = [(row[0], int(row[1])) for row in rows if row[0].isalpha() and not row[0].isascii()]
    return tuple(word for word, _ in known), tuple(accumulate(times for _, times in known))


class Wording:
    """Draws articles: the same seed and number give the same text."""

    def __init__(self, seed: int) -> None:
        chance = random.Random(seed)  # made-up text
        self._seed = seed
        self._phrases = tuple(self._clause(chance) for _ in range(STOCK_PHRASES))
        self._weights = tuple(accumulate(1 / (rank + 10) for rank in range(STOCK_PHRASES)))

    def article(self, number: int, chars: int) -> str:
        """An article of exactly `chars` characters."""
        chance = random.Random(f"{self._seed}/{number}")  # made-up text
        parts: list[str] = []
        length = 0
        while length < chars:
            is_stock = chance.random() < _STOCK_SHARE
            clause = chance.choices(self._phrases, cum_weights=self._weights)[0] if is_stock else self._clause(chance)
            parts.append(clause + chance.choice(_SIGNS))
            length += len(parts[-1])
        return "".join(parts)[: chars - 1] + "。"

    def _clause(self, chance: random.Random) -> str:
        known, weights = words()
        return "".join(chance.choices(known, cum_weights=weights, k=chance.randint(*_CLAUSE)))


def articles(seed: int, count: int, chars: int) -> Sequence[str]:
    wording = Wording(seed)
    return [wording.article(number, chars) for number in range(count)]
