"""Nothing in crawled text stays hidden, and only plain web addresses become links."""

import html

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markupsafe import escape

from admin.web.rendering.invisible_characters import Piece, fitting, indented, marked, pieces, shortened
from admin.web.rendering.safe_links import is_linkable, local_path


def test_readable_text_is_one_piece() -> None:
    assert list(pieces("老桥修好了。\n\tOK é 😀")) == [Piece("老桥修好了。\n\tOK é 😀")]


@pytest.mark.parametrize(
    "character",
    [
        *("\0", "\x1b", "\x7f", "\u00ad", "\u200b", "\u200d", "\u200e", "\u2028", "\u202e", "\u2066", "\ufeff"),
        *("\u3164", "\u2800", "\ufffe", "\ud800", "\U000e0041"),
    ],
)
def test_a_hidden_character_gets_its_code_point_as_name(character: str) -> None:
    name = f"U+{ord(character):04X}"

    assert list(pieces(f"a{character}b")) == [Piece("a"), Piece(character, name), Piece("b")]
    assert marked(f"a{character}b") == f"a⟪{name}⟫b"


def test_a_run_of_one_hidden_character_is_one_piece_with_its_count() -> None:
    assert list(pieces("\u200b" * 1_000_000)) == [Piece("\u200b" * 1_000_000, "U+200B", 1_000_000)]
    assert marked("\u200b\u200b") == "⟪U+200B ×2⟫"


def test_a_piece_tells_what_the_character_does() -> None:
    assert next(pieces("\u202e")).meaning == "U+202E RIGHT-TO-LEFT OVERRIDE"
    assert next(pieces("\0")).meaning == "U+0000"


def test_each_paragraph_but_the_first_is_indented_unless_it_has_its_own_indent() -> None:
    shown = indented("一\n二\n\u3000\u3000三\n<b>四")

    assert shown == '一\n<span class="indent"></span>二\n\u3000\u3000三\n<span class="indent"></span>&lt;b&gt;四'


@given(st.text())
def test_an_indented_text_is_escaped_and_copied_as_it_is(text: str) -> None:
    shown = indented(text).replace('<span class="indent"></span>', "")

    assert "<" not in shown
    assert html.unescape(shown) == html.unescape(str(escape(text)))


@given(st.text())
def test_the_pieces_joined_are_the_text(text: str) -> None:
    assert "".join(piece.text for piece in pieces(text)) == text


@given(st.text())
def test_marked_text_has_nothing_left_to_mark(text: str) -> None:
    assert marked(marked(text)) == marked(text)


def test_a_shortened_text_never_exceeds_its_limit() -> None:
    assert shortened("abcdef", 4) == "abc…"
    assert shortened("abcd", 4) == "abcd"


@pytest.mark.parametrize("url", ["https://a.example/", "http://127.0.0.1:8000/x?y=1#z", "HTTP://A.EXAMPLE/%E6%A1%A5"])
def test_a_plain_web_address_becomes_a_link(url: str) -> None:
    assert is_linkable(url)


@pytest.mark.parametrize(
    "url",
    [
        *("javascript:alert(1)", "JaVaScRiPt:alert(1)", " javascript:alert(1)", "java\nscript:alert(1)"),
        *("file:///etc/passwd", "data:text/html,<script>", "vbscript:x", "ftp://a.example/", "//a.example/"),
        *("https://user:secret@a.example/", "https://a.example\\@b.example/", "https://a.example/\u202egnp.exe"),
        *("https://\u0430.example/", "https:///nohost", "https://[::1", "http://a.example/ b", "", "/relative"),
    ],
)
def test_anything_else_stays_text(url: str) -> None:
    assert not is_linkable(url)


@pytest.mark.parametrize("target", ["/", "/hits", "/hits?site=%E6%8A%A5&page=2", "/hits/3#c1"])
def test_a_path_of_this_site_may_follow_a_log_in(target: str) -> None:
    assert local_path(target, otherwise="/home") == target


@pytest.mark.parametrize(
    "target",
    [
        *("https://evil.example/", "//evil.example", "/\\evil.example", "\\\\evil.example", "///evil.example"),
        *(
            "javascript:alert(1)",
            "hits",
            "",
            "/\t/evil.example",
            "/\n//evil.example",
            "http:evil.example",
            "/\u202ehits",
        ),
    ],
)
def test_a_way_out_of_this_site_is_not_taken(target: str) -> None:
    assert local_path(target, otherwise="/home") == "/home"


def test_no_target_leads_home() -> None:
    assert local_path(None, otherwise="/home") == "/home"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        *(("", ""), ("县报", "县报"), ("县报社甲", "县报社甲"), ("county.e", "county.e")),
        *(("县报社甲乙", "县报社…"), ("county.example", "county.…"), ("县x报y社z", "县x报y…")),
    ],
)
def test_names_fit_a_width_in_which_a_chinese_character_counts_twice(text: str, shown: str) -> None:
    assert fitting(text, 8) == shown


@given(st.text(max_size=40), st.integers(1, 40))
def test_what_fits_is_the_beginning_and_never_longer(text: str, columns: int) -> None:
    found = fitting(text, columns)

    assert found == text or (text.startswith(found[:-1]) and found.endswith("…") and len(found) <= columns + 1)
