"""Charsets: what is declared, and what the bytes say."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawler.extraction.html.charset import decode

SIMPLIFIED = "这是一个关于编码的测试文章，我们希望它能够被正确地识别出来。" * 3
TRADITIONAL = "這是一個關於編碼的測試文章，我們希望它能夠被正確地識別出來。" * 3
DECLARATIONS = ("", "utf-8", "gb2312", "gbk", "big5", "iso-8859-1", "nonsense")


@pytest.mark.parametrize("declared", DECLARATIONS)
@pytest.mark.parametrize(
    ("encoding", "text"),
    [
        ("utf-8", SIMPLIFIED),
        ("gb18030", SIMPLIFIED),
        ("big5hkscs", TRADITIONAL),
        ("gb18030", TRADITIONAL),
        ("utf-8", TRADITIONAL),
    ],
)
def test_chinese_is_read_whatever_is_declared(encoding: str, text: str, declared: str) -> None:
    decoded = decode(text.encode(encoding), content_type=f"text/html; charset={declared}" if declared else "")
    assert decoded is not None
    assert decoded.text == text


def test_four_byte_characters_of_gb18030_survive() -> None:
    text = SIMPLIFIED + "𠮷㐀"
    decoded = decode(text.encode("gb18030"), content_type="text/html; charset=gb2312")
    assert decoded is not None
    assert decoded.text == text


@pytest.mark.parametrize("declared", DECLARATIONS)
def test_a_text_of_nothing_but_rare_characters_survives_in_gb18030(declared: str) -> None:
    text = "㐀㐁㐂𠀀𠀁𠮷𡃁䶮" * 6
    decoded = decode(text.encode("gb18030"), content_type=f"text/html; charset={declared}")
    assert decoded is not None
    assert decoded.text == text


@pytest.mark.parametrize("declared", ["", "big5", "utf-8", "gb2312", "iso-8859-1"])
def test_cantonese_survives_in_big5_with_the_hong_kong_supplement(declared: str) -> None:
    text = "我哋今日喺屋企食咗飯，之後就去咗睇戲。佢話嗰套戲好好睇，啲人行嚟行去，嘈到死。"
    decoded = decode(text.encode("big5hkscs"), content_type=f"text/html; charset={declared}")
    assert decoded is not None
    assert decoded.text == text


@pytest.mark.parametrize("encoding", ["utf-8", "gb18030", "big5hkscs"])
@pytest.mark.parametrize("in_header", ["utf-8", "gbk", "big5", "iso-8859-1"])
@pytest.mark.parametrize("in_page", ["utf-8", "gb2312", "big5"])
def test_the_bytes_decide_where_header_and_page_disagree(encoding: str, in_header: str, in_page: str) -> None:
    page = f'<meta charset="{in_page}"><p>{TRADITIONAL}</p>'
    decoded = decode(page.encode(encoding), content_type=f"text/html; charset={in_header}")
    assert decoded is not None
    assert decoded.text == page


def test_a_few_characters_are_what_one_declaration_says_if_they_can_be() -> None:
    decoded = decode('<meta charset="utf-8"><p>香港嘅嘢</p>'.encode(), content_type="text/html; charset=gb2312")
    assert decoded is not None
    assert decoded.text.endswith("<p>香港嘅嘢</p>")


def test_a_text_far_down_the_page_is_judged() -> None:
    page = "<script>var a;</script>" * 4_000 + SIMPLIFIED
    decoded = decode(page.encode("gb18030"))
    assert decoded is not None
    assert decoded.text == page


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_wide_characters_are_known_without_a_mark(encoding: str) -> None:
    page = f"<html><body><p>{SIMPLIFIED}</p></body></html>"
    decoded = decode(page.encode(encoding), content_type="text/html; charset=utf-16")
    assert decoded is not None
    assert decoded.text == page


def test_the_declaration_in_the_page_counts() -> None:
    body = '<meta http-equiv="Content-Type" content="text/html; charset=shift_jis">これは日本語です。'.encode("cp932")
    decoded = decode(body)
    assert decoded is not None
    assert decoded.text.endswith("これは日本語です。")


def test_accents_between_ascii_letters_are_latin() -> None:
    decoded = decode("Café déjà vu à la carte".encode("cp1252"))
    assert decoded is not None
    assert decoded.text == "Café déjà vu à la carte"


def test_a_character_cut_at_the_end_does_no_harm() -> None:
    decoded = decode(SIMPLIFIED.encode()[:-1])
    assert decoded is not None
    assert decoded.text.startswith(SIMPLIFIED[:-1])


def test_a_byte_order_mark_wins() -> None:
    decoded = decode(SIMPLIFIED.encode("utf-16"), content_type="text/html; charset=gbk")
    assert decoded is not None
    assert decoded.text == SIMPLIFIED


def test_a_picture_is_no_text() -> None:
    assert decode(b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 20) is None


@given(st.binary(max_size=400), st.sampled_from(DECLARATIONS))
def test_nothing_raises_and_no_nul_is_left(body: bytes, declared: str) -> None:
    decoded = decode(body, content_type=f"text/html; charset={declared}")
    assert decoded is None or "\x00" not in decoded.text


@pytest.mark.parametrize(
    ("declared", "text"),
    [
        ("windows-1250", "Wczoraj łódź płynęła rzeką, a później wróciła do portu. Żółw śpi."),
        ("windows-1254", "Dün gemi ırmakta ilerledi, sonra limana döndü. Şehir güzeldi, ağaç yeşildi."),
    ],
)
def test_a_declared_table_of_single_bytes_is_believed(declared: str, text: str) -> None:
    body = f"<html><head><meta charset='{declared}'></head><body><p>{text}</p></body></html>".encode(declared)
    found = decode(body)
    assert found is not None
    assert text in found.text


def test_a_few_accented_letters_without_a_declaration_are_no_chinese() -> None:
    text = "Für Bäcker und Müller: größer, schöner, später. Äpfel, Öl und Übermut, natürlich auch Käse und Kräuter."
    found = decode(f"<html><body><p>{text}</p></body></html>".encode("latin-1"))
    assert found is not None
    assert text in found.text
