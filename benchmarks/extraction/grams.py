"""Comparison of texts by multisets of 4-grams of word characters. Pure."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

GRAM: Final = 4


@dataclass(frozen=True, slots=True)
class Score:
    """`extra`: share of the extracted text that is neither gold nor left out of the gold (code, tables)."""

    precision: float
    recall: float
    extra: float

    @property
    def f1(self) -> float:
        both = self.precision + self.recall
        return 2 * self.precision * self.recall / both if both else 0.0


@dataclass(frozen=True, slots=True)
class Missing:
    """Shares of the gold that were not found, by their place; they add up to 1 - recall.

    `lines` are the article's own, `furniture` those of its theme, `seams` runs over the end of a line: no page
    holds them where code was cut out of gold. `unread` is the gold of which nothing was found.
    """

    lines: float = 0.0
    furniture: float = 0.0
    seams: float = 0.0
    unread: float = 0.0


def score(found: str, gold: str, *, left_out: str = "") -> Score:
    have, want = grams(found), grams(gold)
    shared = (have & want).total()
    beyond = have - want - grams(left_out)
    return Score(
        shared / have.total() if have else 0.0,
        shared / want.total() if want else 1.0,
        beyond.total() / have.total() if have else 0.0,
    )


def recall_within_lines(found: str, gold: str) -> float:
    """As a score's recall, without the grams that run over the end of a line.

    Gold from which code and tables were cut has grams at each seam that no page holds.
    """
    return recall_taken((found,), gold)


def recall_taken(taken: Iterable[str], gold: str) -> float:
    """As `recall_within_lines`, of the extracted text, title, author and credits together."""
    want, have = _within_lines(gold), sum(map(grams, taken), Counter[str]())
    return (have & want).total() / want.total() if want else 1.0


def missing(found: str, gold: str, *, article: str) -> Missing:
    """`article`: the gold without furniture."""
    have, want = grams(found), grams(gold)
    if not have or not want:
        return Missing(unread=1.0 if want else 0.0)
    lost = want - have
    in_article = lost & (_within_lines(article) - have)
    in_lines = (lost - in_article) & _within_lines(gold)
    seams = lost.total() - in_article.total() - in_lines.total()
    return Missing(in_article.total() / want.total(), in_lines.total() / want.total(), seams / want.total())


def _within_lines(text: str) -> Counter[str]:
    found = Counter[str]()
    for line in text.splitlines():
        found += grams(line)
    return found


def grams(text: str) -> Counter[str]:
    letters = "".join(filter(str.isalnum, text.lower()))
    return Counter(letters[start : start + GRAM] for start in range(len(letters) - GRAM + 1))
