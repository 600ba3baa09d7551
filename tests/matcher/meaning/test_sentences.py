import pytest
from hypothesis import given
from hypothesis import strategies as st

from matcher.meaning.sentences import LONGEST, MOST_SENTENCES, length, sentences_of

HOSTILE = [
    "",
    " \n\t ",
    "\0" * 50,
    "\ud800" * 40,
    "x" * 10**6,
    "汉" * 10**6,
    "。" * 10**5,
    "，" * 10**5,
    "\u202e" + "שלום " * 999,
]


@given(st.text(alphabet='汉字。！，ab .\n"”“1{}\ud800', max_size=400))
def test_sentences_are_in_order_apart_and_not_too_long(text: str) -> None:
    end = 0
    for sentence in sentences_of(text):
        assert end <= sentence.start < sentence.end <= len(text)
        assert length(text[sentence.start : sentence.end]) <= LONGEST + 1
        end = sentence.end


@pytest.mark.parametrize("text", HOSTILE, ids=lambda text: repr(text[:8]))
def test_hostile_texts_are_cut_within_bounds(text: str) -> None:
    assert len(sentences_of(text)) <= MOST_SENTENCES


def test_short_sentences_join_and_long_ones_are_cut_at_a_pause() -> None:
    text = "好。真好。" + "这一句话很长，" * 20 + "完。"
    parts = [text[start:end] for start, end in sentences_of(text)]
    assert "".join(parts) == text
    assert parts[0].startswith("好。真好。")
    assert all(part.endswith(("，", "。")) for part in parts)


def test_quotation_marks_stay_with_their_sentence() -> None:
    text = "他写道：“阳台的短处是地方小，长处是离人近。”这句话写在账本的第一页上，谁来都能看见。"
    parts = [text[start:end] for start, end in sentences_of(text)]
    assert parts[0].endswith("。”")


def test_source_code_and_lines_of_signs_are_left_out() -> None:
    lines = (
        "下面是一段程序，它把两个数加起来再打印。",
        "for (i = 0; i < n; i++) { a[i] = b[i] + c[i]; }",
        "----====----",
        "结果如下。",
    )
    text = "\n".join(lines)
    assert not any("for (" in text[start:end] or "====" in text[start:end] for start, end in sentences_of(text))
