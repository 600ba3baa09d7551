"""H2: no declaration hides a page that a browser shows."""

import codecs
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawler.extraction.article import Article
from crawler.extraction.extract import extract
from crawler.extraction.html.charset import decode
from crawler.extraction.html.encoding_labels import _CODECS, codec_of
from crawler.importers.files import read_articles
from crawler.importers.model import ImportedArticle
from tests.fake_web.pages import article

PYTHONS = (
    "base64",
    "bz2",
    "hex",
    "idna",
    "punycode",
    "quopri",
    "rot13",
    "uu",
    "undefined",
    "zlib",
    "raw_unicode_escape",
)
"""Codecs that Python knows: no encodings of pages, or without a way to replace what they do not know."""
OTHERS = ("windows-1251", "iso-8859-5", "iso-8859-15", "koi8-r", "iso-8859-7", "x-mac-cyrillic")
"""Nearly every byte is a letter to them."""
GBK = "text/html; charset=gbk"


def page(declaration: str) -> str:
    return article(1).replace('<meta charset="utf-8">', declaration)


@pytest.mark.parametrize("name", PYTHONS)
@pytest.mark.parametrize(
    "form", ['<meta name="x-charset={}">', "<meta charset={}>", "<?xml version='1.0' encoding='{}'?>"]
)
@pytest.mark.parametrize("content_type", [GBK, "", "text/html; charset={}"])
def test_h2a_no_codec_of_python_is_believed(name: str, form: str, content_type: str) -> None:
    text = page(form.format(name))

    decoded = decode(text.encode("gbk"), content_type=content_type.format(name))

    assert decoded is not None
    assert decoded.text == text


@pytest.mark.parametrize("name", PYTHONS)
def test_h2a_such_a_page_is_read_and_imported(name: str, tmp_path: Path) -> None:
    body = page(f'<meta name="x-charset={name}">').encode("gbk")
    now = datetime.now(UTC)
    found = extract(body, url="http://a.example/1", content_type=GBK, fetched_at=now, time_zone="UTC")
    assert isinstance(found, Article)
    assert "这是第1篇报道里的记录" in found.text

    (tmp_path / "a.html").write_bytes(body)
    (imported,) = read_articles([tmp_path / "a.html"], now=now)
    assert isinstance(imported, ImportedArticle)
    assert imported.article.text == found.text


@pytest.mark.parametrize("name", [*OTHERS, "big5", "shift_jis", "euc-kr", "utf-16", "x-user-defined", "replacement"])
def test_h2b_the_header_stands_above_what_the_page_says(name: str) -> None:
    text = page(f"<meta charset={name}>")

    decoded = decode(text.encode("gbk"), content_type=GBK)

    assert decoded is not None
    assert decoded.text == text


@pytest.mark.parametrize("name", OTHERS)
@pytest.mark.parametrize(
    "decoy",
    [
        "<!-- <meta charset={0}> -->",
        '<body title="<meta charset={0}>">',
        '<meta name="description" content="charset={0}">',
        '<meta content="text/html; charset={0}">',
        '<meta data-charset="{0}">',
        "<? <meta charset={0} ?>",
        '<!doctype html "<meta charset={0}">',
        "<!--><meta charset=gbk>--><meta charset={0}>",
        '<meta charset="gbk" charset="{0}">',
        "<meta charset=nonsense><meta http-equiv=Content-Type content='text/html;charset=gbk'><meta charset={0}>",
    ],
)
def test_h2b_what_no_browser_takes_for_a_declaration_is_none(name: str, decoy: str) -> None:
    text = page(decoy.format(name) + "<meta charset=gbk>")

    decoded = decode(text.encode("gbk"))

    assert decoded is not None
    assert decoded.text == text


@pytest.mark.parametrize("content_type", [GBK, ""])
def test_h2_padding_does_not_make_a_page_one_of_wide_characters(content_type: str) -> None:
    head = "<!--" + "\x00a" * 3_000 + "-->"

    decoded = decode((head + page("<meta charset=gbk>")).encode("gbk"), content_type=content_type)

    assert decoded is not None
    assert "这是第1篇报道里的记录" in decoded.text


def test_h2_a_mark_that_is_none_of_the_standard_hides_nothing() -> None:
    body = codecs.BOM_UTF32_LE + page("").encode("utf-16-le")

    decoded = decode(body, content_type=GBK)

    assert decoded is not None
    assert decoded.text == page("")


def test_h2_every_label_has_a_codec_that_reads_whatever_bytes() -> None:
    assert len(_CODECS) == 222
    for label, codec in _CODECS.items():
        assert label == label.lower()
        assert codecs.lookup(codec)._is_text_encoding
        assert bytes(range(256)).decode(codec, "replace")
    assert [codec_of(label) for label in ("GB2312", " Latin1\n", "rot13", "replacement", "")] == [
        *("gb18030", "cp1252"),
        *(None, None, None),
    ]


@given(
    st.binary(max_size=300), st.sampled_from([*_CODECS, *PYTHONS]), st.sampled_from([*_CODECS, *PYTHONS]), st.booleans()
)
def test_h2_nothing_raises_whatever_is_declared(body: bytes, header: str, meta: str, is_high: bool) -> None:
    data = f"<meta charset={meta}>".encode() + (bytes(byte | 0x80 for byte in body) if is_high else body)

    decoded = decode(data, content_type=f"text/html; charset={header}")

    assert decoded is None or "\x00" not in decoded.text


@given(st.binary(max_size=600))
def test_h2_no_markup_holds_the_search_for_declarations_up(body: bytes) -> None:
    decode(b"<meta " + body)
    decode(b"<!--" + body + b"<" * 600)
