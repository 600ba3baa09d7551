"""Titles and texts of the generated store: of realistic length, some words in many titles, most in few. Pure."""

import random
from collections.abc import Sequence
from itertools import accumulate
from typing import Final

COMMON: Final = ("发展", "市场", "记者", "公司", "城市", "今年", "项目", "学校", "企业", "活动")
"""Words of most titles, most frequent first."""
RARE: Final = "海棠书屋"
"""A word of a few titles only."""
RARE_EVERY: Final = 25_000

_CHARACTERS: Final = (
    "江河湖海山川镇桥路车船风雨云雪春夏秋冬早晚日月时人手口目心力工农商书画诗歌花草树木鸟鱼"
    "田园村庄房屋门窗灯火茶饭米面衣布金石水土新旧高低远近快慢大小多少来去行走看听说写读想问答开关"
)
_WORDS: Final = 3_000
_SENTENCES: Final = 4_000
_SENTENCE_WORDS: Final = (6, 8, 10)
"""A comma after the first half: sentences of 26 to 42 characters with both marks."""
_TITLE_WORDS: Final = 7


class Wording:
    """Draws words by their frequency (Zipf: the n-th word is n times rarer than the first)."""

    def __init__(self, seed: int) -> None:
        chance = random.Random(seed)  # made-up text
        made = {"".join(chance.choices(_CHARACTERS, k=2)) for _ in range(_WORDS)}
        self._words = (*COMMON, *sorted(made - set(COMMON)))
        self._weights = list(accumulate(1 / (rank + 3) for rank in range(len(self._words))))
        self._pool = tuple(self.sentence(chance) for _ in range(_SENTENCES))

    def title(self, number: int) -> str:
        words = self._drawn(random.Random(number), _TITLE_WORDS)  # made-up text
        rare = RARE if number % RARE_EVERY == 0 else ""
        return f"{rare}{''.join(words[:4])}：{''.join(words[4:])}"

    def sentences(self, number: int, count: int) -> list[str]:
        """The text of an article: always the same for its number, and different for every number."""
        chance = random.Random(-number)  # made-up text
        return [f"这是第{number}篇。", *chance.choices(self._pool, k=count)]

    def sentence(self, chance: random.Random) -> str:
        """A new one, with a comma in its middle."""
        length = chance.choice(_SENTENCE_WORDS)
        return f"{''.join(self._drawn(chance, length))}，{''.join(self._drawn(chance, length))}。"

    def _drawn(self, chance: random.Random, count: int) -> Sequence[str]:
        return chance.choices(self._words, cum_weights=self._weights, k=count)
