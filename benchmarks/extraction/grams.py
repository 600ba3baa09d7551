"""Texts compared by 4-grams of word characters, each as often as it stands there. Pure."""

from collections import Counter
from dataclasses import dataclass
from typing import Final

GRAM: Final = 4


@dataclass(frozen=True, slots=True)
class Score:
    """`extra`: of the text found, the share that is neither gold nor in what the gold leaves out (code, tables)."""

    precision: float
    recall: float
    extra: float

    @property
    def f1(self) -> float:
        both = self.precision + self.recall
        return 2 * self.precision * self.recall / both if both else 0.0


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
    want = Counter[str]()
    for line in gold.splitlines():
        want += grams(line)
    return (grams(found) & want).total() / want.total() if want else 1.0


def grams(text: str) -> Counter[str]:
    letters = "".join(filter(str.isalnum, text.lower()))
    return Counter(letters[start : start + GRAM] for start in range(len(letters) - GRAM + 1))
