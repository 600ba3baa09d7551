"""Sentences that say the same, side by side: what both name is marked in either, in whatever form it is written."""

from admin.passages.alike_sentences import Piece, alike_texts
from tests.support.meaning.retellings import alike


def marked(pieces: tuple[Piece, ...]) -> list[str]:
    return [piece.text for piece in pieces if piece.is_marked]


def test_figures_are_marked_as_each_text_writes_them() -> None:
    copy, source = "3月5日，三千万人用上了Linux，多了三成。", "On March 5, 30 million people had LINUX, 30% more."

    (row,) = alike_texts(copy, source, alike(copy, source, (copy, source, ("3月5日", "三千万", "Linux", "三成")))).rows

    assert marked(row.left) == ["3月5日", "三千万", "Linux", "三成"]
    assert marked(row.right) == ["March 5", "30 million", "LINUX", "30%"]


def test_a_term_is_marked_in_both_languages() -> None:
    copy, source = "李明修改了内核。", "Li Ming changed the Kernel."

    (row,) = alike_texts(copy, source, alike(copy, source, (copy, source, ("内核 = Kernel", "李明 = Li Ming")))).rows

    assert marked(row.left) == ["李明", "内核"]
    assert marked(row.right) == ["Li Ming", "Kernel"]
