"""L14: a damaged document is called damaged, whatever its library raises for it."""

import io
import re
import zipfile
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from crawler.importers.document_process import read_in_child
from crawler.importers.documents import Document, Unread, read_document
from tests.crawler.importers.test_documents import a_pdf, a_word_file
from tests.support.factories import story

PDF = a_pdf("The old bridge is mended, they say.", title="Bridge")
CORE = 'core-properties" Target="docProps/core.xml"'
_WORDS_OF_PDF = (b"1e999", b"-1", b"null", b"[", b"<<", b"2 0 R", b"4 0 R", b"true", b"(x)", b"/Name", b"9" * 20, b"<")


def no_operand() -> bytes:
    """A reference where the page's drawing has numbers: AssertionError of pypdf."""
    return PDF.replace(b"20 200 Td", b"4 0 R Td")


def far_start() -> bytes:
    """A table of contents beyond any file: OverflowError."""
    return re.sub(rb"startxref\n\d+", b"startxref\n99999999999999999999", PDF)


def circle() -> bytes:
    """A Word file whose properties are its own text: RecursionError of python-docx."""
    source, made = zipfile.ZipFile(io.BytesIO(a_word_file("一段文字"))), io.BytesIO()
    with source, zipfile.ZipFile(made, "w") as package:
        for part in source.namelist():
            data = source.read(part)
            if part == "_rels/.rels":
                assert CORE.encode() in data
                data = data.replace(CORE.encode(), b'core-properties" Target="word/document.xml"')
            package.writestr(part, data)
    return made.getvalue()


@pytest.mark.parametrize("made", [no_operand, far_start, circle])
def test_l14_a_damaged_document_is_called_damaged(made: Callable[[], bytes]) -> None:
    assert read_document(made()) is Unread.BROKEN
    assert read_in_child(made()) is Unread.BROKEN


@given(st.lists(st.tuples(st.integers(0, 199), st.sampled_from(_WORDS_OF_PDF)), min_size=1, max_size=4))
@settings(max_examples=150)
def test_l14_no_exchanged_word_of_a_pdf_raises(changes: list[tuple[int, bytes]]) -> None:
    data = PDF
    for at, word in changes:
        places = list(re.finditer(rb"[-\d.]+|/\w+|<<|>>|\[|\]", data))
        place = places[at % len(places)]
        data = data[: place.start()] + word + data[place.end() :]

    assert isinstance(read_document(data), Document | Unread)


@pytest.mark.parametrize("address", ["http://[", "https://a]b.example/1", "javascript:1", "cid:1@x"])
def test_a_saved_page_of_an_impossible_address_is_read(address: str) -> None:
    """Fuzzing found it: the address was taken as it stood, and the search for further parts of the article raised."""
    page = f"<html><body><article><p>{story()}</p></article></body></html>"
    head = f"MIME-Version: 1.0\r\nContent-Type: multipart/related; boundary=b\r\nContent-Location: {address}\r\n\r\n"
    part = f"--b\r\nContent-Type: text/html; charset=utf-8\r\nContent-Location: {address}\r\n\r\n{page}\r\n--b--\r\n"

    found = read_document((head + part).encode())

    assert isinstance(found, Document)
    assert story()[:40] in found.text
