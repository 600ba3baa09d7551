"""Whom a comment mentions: names of any characters, the longest that stands there."""

import pytest

from admin.handling.mentions import mentioned
from storage.records.cases import Actor

PEOPLE = [Actor(1, "lin"), Actor(2, "linda"), Actor(3, "李明"), Actor(4, "李明亮"), Actor(5, "王 编辑"), Actor(6, "")]


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("", []),
        ("nobody", []),
        ("@lin please look", [1]),
        ("@Linda, and @LIN", [2, 1]),
        ("@linus is somebody else", []),
        ("请@李明看一下", [3]),
        ("请＠李明亮看一下", [4]),
        ("@王 编辑：如何？", [5]),
        ("@lin @lin @李明@lin", [1, 3]),
        ("write to info@lin.example", []),
        ("@", []),
        ("@@lin", [1]),
        ("@" * 2_000, []),
        ("\ud800@lin\u202e", [1]),
    ],
)
def test_whom_words_mention(words: str, expected: list[int]) -> None:
    assert [person.account_id for person in mentioned(words, PEOPLE)] == expected
