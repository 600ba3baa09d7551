"""What was changed on the way, in figures."""

from admin.passages.changes import changes_of
from storage.records.differences import Differences
from storage.records.matches import Passage

KEPT = "老桥修好了，来往的人又多了起来。"
LEFT_OUT = "县里说明年还要修一座新桥，钱已经有了。"
ADDED = "编者按：这是我们记者在现场看到的情景。"


def test_paragraphs_that_only_one_text_has_are_counted() -> None:
    source, copy = f"{KEPT}\n{LEFT_OUT}\n（完）", f"{ADDED}\n{KEPT}"
    start = copy.index(KEPT)
    passage = Passage(start, start + len(KEPT), 0, len(KEPT), 1.0, Differences(homophone=2, edited=5))

    changes = changes_of(copy, source, [passage])

    assert (changes.left_out, changes.added) == (1, 1), "a short line is no paragraph"
    assert changes.characters == (("edited", 5), ("homophone", 2))
    assert changes.moved == 0


def test_boilerplate_is_neither_a_change_nor_left_out() -> None:
    passage = Passage(0, len(KEPT), 0, len(KEPT), 1.0, Differences(edited=9), is_boilerplate=True)

    changes = changes_of(KEPT, KEPT, [passage])

    assert not changes.is_any


def test_moved_passages_are_counted_and_not_their_characters() -> None:
    moved = Passage(0, 5, 9, 14, 1.0, Differences(moved=5))

    assert changes_of("一二三四五", "六" * 20, [moved, moved]).moved == 2


def test_texts_without_a_passage_are_all_changed() -> None:
    assert (changes_of(ADDED, LEFT_OUT, []).left_out, changes_of(ADDED, LEFT_OUT, []).added) == (1, 1)
    assert not changes_of("", "", []).is_any
