"""Pages that people saved, as browsers and programs write them."""

import email.mime.multipart
import email.mime.text
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawler.importers.files import read_articles
from crawler.importers.model import ImportedArticle
from crawler.importers.saved_pages import MAX_SAVED_BYTES, SavedPage, is_mhtml, read_saved_page
from crawler.outcomes.refusals import Refusal
from tests.fake_web.pages import article

URL = "https://a.example/渡口?a=1&b=2"
NOW = datetime(2026, 11, 21, tzinfo=UTC)


def mhtml(*, stated: str | None = "https://a.example/1", charset: str = "utf-8") -> bytes:
    """As a browser writes it: the page among its parts, not always the first."""
    message = email.mime.multipart.MIMEMultipart("related", type="text/html")
    if stated:
        message["Snapshot-Content-Location"] = stated
    frame = email.mime.text.MIMEText("<p>a frame of an advertiser</p>", "html", "utf-8")
    frame["Content-Location"] = "https://ads.example/frame"
    page = email.mime.text.MIMEText(article(1, charset=charset), "html", charset)
    page["Content-Location"] = "https://a.example/1"
    for part in (frame, page):
        message.attach(part)
    return b"From: <Saved by a browser>\r\n" + message.as_bytes()


@pytest.mark.parametrize("charset", ["utf-8", "gb18030"])
def test_the_page_is_found_among_the_parts(charset: str) -> None:
    saved = read_saved_page(mhtml(charset=charset))

    assert isinstance(saved, SavedPage)
    assert (saved.url, saved.content_type) == ("https://a.example/1", f"text/html; charset={charset}")
    assert saved.body.decode(charset) == article(1, charset=charset)


def test_without_a_stated_address_the_first_page_is_it() -> None:
    saved = read_saved_page(mhtml(stated=None))

    assert isinstance(saved, SavedPage)
    assert saved.url == "https://ads.example/frame"


def test_a_page_says_where_it_was_saved_from() -> None:
    single = (
        f"<!DOCTYPE html> <html><!--\n Page saved with SingleFile \n url: {URL} \n saved date: Sat Nov 21 2026\n-->"
    )
    browser = f"<!DOCTYPE html>\n<!-- saved from url=(0031){URL.replace('&', '&amp;')} -->\n<html>"

    for head in (single, browser):
        saved = read_saved_page((head + article(1)).encode())
        assert isinstance(saved, SavedPage)
        assert saved.url == URL
    assert read_saved_page(article(1).encode()) == SavedPage(article(1).encode(), "text/html", None)


def test_a_stated_address_that_is_none_is_not_believed() -> None:
    saved = read_saved_page(b"<!-- saved from url=(0031)javascript:alert(1) --><p>")

    assert isinstance(saved, SavedPage)
    assert saved.url is None


def test_saved_pages_are_imported_with_their_addresses(tmp_path: Path) -> None:
    (tmp_path / "a.mhtml").write_bytes(mhtml())
    (tmp_path / "b.html").write_text(f"<!-- saved from url=(0031)https://b.example/1 -->{article(2)}", encoding="utf-8")

    first, second = read_articles([tmp_path], now=NOW)

    assert isinstance(first, ImportedArticle)
    assert isinstance(second, ImportedArticle)
    assert [one.article.url for one in (first, second)] == ["https://a.example/1", "https://b.example/1"]
    assert first.article.title == "渡口札记之1"


HEAD = b"MIME-Version: 1.0\r\nContent-Type: multipart/related; boundary=x\r\n\r\n"
HOSTILE = {
    "no boundary at all": b"MIME-Version: 1.0\r\nContent-Type: multipart/related\r\n\r\n<p>x",
    "a boundary that never comes": HEAD + b"--y\r\nContent-Type: text/html\r\n\r\n<p>x",
    "no page among the parts": HEAD + b"--x\r\nContent-Type: image/png\r\n\r\nPNG\r\n--x--",
    "an empty page": HEAD + b"--x\r\nContent-Type: text/html\r\n\r\n\r\n--x--",
    "nested without end": b"".join(
        b"Content-Type: multipart/mixed; boundary=b%d\r\n\r\n--b%d\r\n" % (n, n) for n in range(5_000)
    ),
    "a hundred thousand parts": HEAD + b"--x\r\nContent-Type: image/png\r\n\r\n.\r\n" * 100_000,
}


@pytest.mark.parametrize("what", HOSTILE)
def test_a_broken_file_is_refused(what: str) -> None:
    assert read_saved_page(HOSTILE[what]) in (Refusal.WRONG_TYPE, Refusal.BROKEN_MARKUP)


NOT_QUITE = {
    "the end is missing": HEAD + b"--x\r\nContent-Type: text/html; charset=nosuch\r\n\r\n<p>page",
    "broken base64": HEAD
    + b"--x\r\nContent-Type: text/html\r\nContent-Transfer-Encoding: base64\r\n\r\nPHA+eA!!\r\n--x--",
    "broken quoting": HEAD
    + b"--x\r\nContent-Type: text/html\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n<p>=ZZ=\r\n--x--",
}


@pytest.mark.parametrize("what", NOT_QUITE)
def test_a_file_with_small_damage_is_read(what: str) -> None:
    saved = read_saved_page(NOT_QUITE[what])

    assert isinstance(saved, SavedPage)
    assert saved.body.startswith(b"<p>")


def test_a_file_too_large_is_refused() -> None:
    assert read_saved_page(bytes(MAX_SAVED_BYTES + 1)) is Refusal.TOO_LARGE


@given(st.binary(max_size=500))
def test_no_bytes_raise(junk: bytes) -> None:
    for data in (junk, HEAD + junk, HEAD + b"--x\r\n" + junk, b"Content-Type: multipart/" + junk):
        found = read_saved_page(data)
        assert isinstance(found, SavedPage | Refusal)


def test_a_page_that_begins_like_headers_is_a_page() -> None:
    assert not is_mhtml(b"Note: this is a text\nwith several lines\n\nand no parts")
    assert not is_mhtml(article(1).encode())
