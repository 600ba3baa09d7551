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


@pytest.mark.parametrize(
    ("language", "sentences"),
    {
        "Japanese": [
            "昨夜、川の水位が二メートル上がり、三つの村の住民が避難した。",
            "「水は朝まで引かなかった」と村長は話した。",
        ],
        "Korean": [
            "어젯밤 강물이 2미터 불어나 세 마을 주민들이 집을 떠났다.",
            "이장은 물이 아침까지 빠지지 않았다고 말했다.",
        ],
        "Russian": [
            "Прошлой ночью вода в реке поднялась на два метра, и жители трёх деревень покинули дома.",
            "Староста сказал, что вода не уходила до самого утра следующего дня.",
        ],
        "Arabic": [
            "ارتفع منسوب النهر الليلة الماضية مترين، وغادر سكان ثلاث قرى منازلهم؟",
            "قال العمدة إن المياه لم تنحسر حتى صباح اليوم التالي في القرى الثلاث؟",
        ],
        "Urdu": [
            "گزشتہ رات دریا کا پانی دو میٹر بڑھ گیا اور تین دیہات کے لوگوں نے گھر چھوڑ دیے۔",
            "گاؤں کے سربراہ نے کہا کہ پانی اگلی صبح تک نہیں اترا۔",
        ],
        "Hindi": [
            "कल रात नदी का पानी दो मीटर बढ़ गया और तीन गाँवों के लोगों ने घर छोड़ दिए।",
            "मुखिया ने कहा कि पानी अगली सुबह तक नहीं उतरा।",
        ],
    }.items(),
)
def test_sentences_of_other_languages_end_at_their_own_signs(language: str, sentences: list[str]) -> None:
    text = " ".join(sentences)
    assert [text[start:end] for start, end in sentences_of(text)] == sentences, language


def test_thai_without_sentence_ends_is_cut_at_its_spaces() -> None:
    clauses = ["เมื่อคืนน้ำในแม่น้ำสูงขึ้นสองเมตร", "ชาวบ้านสามหมู่บ้านริมฝั่งต้องออกจากบ้าน", "ผู้ใหญ่บ้านกล่าวว่าน้ำไม่ลดจนถึงเช้า"] * 8
    text = " ".join(clauses)
    parts = [text[start:end] for start, end in sentences_of(text)]
    assert " ".join(parts) == text
    assert len(parts) > 4
    assert all(length(part) <= LONGEST for part in parts)


def test_a_script_of_letters_without_any_pause_is_cut_by_its_length() -> None:
    thai = "เมื่อคืนน้ำในแม่น้ำสูงขึ้นสองเมตรและชาวบ้านสามหมู่บ้านต้องออกจากบ้าน" * 100
    assert len(sentences_of(thai)) == pytest.approx(0.35 * len(thai) / LONGEST, rel=0.1)
