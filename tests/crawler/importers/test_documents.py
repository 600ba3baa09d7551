"""Uploaded documents: their text, and the reasons of refusals."""

import io
import zipfile
from collections.abc import Callable, Iterator

import docx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pypdf import PdfReader, PdfWriter
from pypdf.generic import DecodedStreamObject, DictionaryObject, NameObject

from crawler.extraction.documents.packages import MOST_PARTS, MOST_UNPACKED_BYTES
from crawler.importers.document_process import read_in_child
from crawler.importers.documents import (
    MAX_DOCUMENT_BYTES,
    MAX_TEXT_CHARS,
    Document,
    Unread,
    read_document,
)
from tests.support.factories import story

CHINESE = "老桥修好了，来往的人又多了起来，河边的茶馆也开了门。"


def text_of(found: Document | Unread) -> str:
    assert isinstance(found, Document), found
    return found.text


def a_word_file(*lines: str, title: str = "", table: tuple[str, ...] = ()) -> bytes:
    document = docx.Document()
    document.core_properties.title, document.core_properties.author = title, "王记者"
    for line in lines:
        document.add_paragraph(line)
    if table:
        row = document.add_table(1, len(table)).rows[0]
        for cell, words in zip(row.cells, table, strict=True):
            cell.text = words
    file = io.BytesIO()
    document.save(file)
    return file.getvalue()


def a_pdf(*pages: str, password: str = "", title: str = "") -> bytes:
    """A PDF of Latin text: one page for each of `pages`, an empty one where there is none."""
    writer = PdfWriter()
    for words in pages:
        page = writer.add_blank_page(300, 300)
        font = DictionaryObject(
            {NameObject(f"/{key}"): NameObject(f"/{value}") for key, value in
             (("Type", "Font"), ("Subtype", "Type1"), ("BaseFont", "Helvetica"), ("Encoding", "WinAnsiEncoding"))}
        )  # fmt: skip
        fonts = DictionaryObject({NameObject("/F1"): writer._add_object(font)})
        page[NameObject("/Resources")] = DictionaryObject({NameObject("/Font"): fonts})
        drawn = DecodedStreamObject()
        drawn.set_data(f"BT /F1 12 Tf 20 200 Td ({words}) Tj ET".encode("latin-1"))
        page[NameObject("/Contents")] = writer._add_object(drawn)
    if title:
        writer.add_metadata({"/Title": title})
    if password:
        writer.encrypt(password)
    file = io.BytesIO()
    writer.write(file)
    return file.getvalue()


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "gb18030", "big5", "utf-16"])
def test_plain_text_is_read_in_whatever_encoding(encoding: str) -> None:
    words = CHINESE if encoding != "big5" else "老橋修好了，來往的人又多了起來，河邊的茶館也開了門。"

    assert text_of(read_document((words * 20).encode(encoding))) == words * 20


def test_of_a_page_its_article_is_taken() -> None:
    body = "".join(f"<p>{line}</p>" for line in story().splitlines())
    head = "<html><head><title>老桥</title></head><body><nav><a href=/>首页</a></nav>"
    page = f"{head}<article>{body}</article></body></html>"

    found = read_document(page.encode())

    assert isinstance(found, Document)
    assert found.kind == "html"
    assert "首页" not in found.text
    assert found.text.replace("\n", "") == story().replace("\n", "")


def test_of_a_page_that_is_no_article_all_words_are_taken() -> None:
    assert text_of(read_document("<p>短短一句。</p><p>又一句。</p>".encode())) == "短短一句。\n又一句。"


def test_of_a_fragment_everything_counts_but_what_is_never_shown() -> None:
    fragment = "<nav>导航</nav><p>甲<b>乙</b></p><script>alert(1)</script><style>p{}</style><div>丙</div>"

    assert text_of(read_document(fragment.encode(), is_fragment=True)) == "导航\n甲乙\n丙"


def test_a_word_file_gives_paragraphs_and_cells_in_order() -> None:
    found = read_document(a_word_file("第一段", "", "第二段", title="题目", table=("格一", "格二")))

    assert found == Document("第一段\n第二段\n格一\n格二", "docx", "题目", "王记者")


def test_a_pdf_gives_the_text_of_its_pages() -> None:
    found = read_document(a_pdf("The old bridge is mended", "and the tea house is open", title="Bridge"))

    assert isinstance(found, Document)
    assert (found.kind, found.title) == ("pdf", "Bridge")
    assert "old bridge" in found.text
    assert "tea house" in found.text


def test_what_a_file_is_called_does_not_matter() -> None:
    assert isinstance(read_document(a_word_file("一段"), url="https://a.example/report.pdf"), Document)


def overlapping(data: bytes, size: int) -> bytes:
    """A package whose list of contents says `size` bytes of its first part, whatever is in it."""
    changed = bytearray(data)
    place = changed.index(b"PK\x01\x02")
    changed[place + 24 : place + 28] = size.to_bytes(4, "little")
    return bytes(changed)


def many_parts() -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as package:
        for number in range(MOST_PARTS + 1):
            package.writestr(f"{number}", b"")
    return file.getvalue()


def a_bomb() -> bytes:
    """A hundred kilobytes that unpack to a hundred megabytes."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as package, package.open("word/document.xml", "w") as part:
        for _ in range(MOST_UNPACKED_BYTES // 1_000_000 + 1):
            part.write(b" " * 1_000_000)
    return file.getvalue()


def another_zip() -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as package:
        package.writestr("xl/workbook.xml", "<x/>")
    return file.getvalue()


def word_with_broken_parts() -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as package:
        package.writestr("word/document.xml", "<not closed")
        package.writestr("[Content_Types].xml", "<not closed")
    return file.getvalue()


OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(512)


def refused() -> Iterator[tuple[str, Callable[[], bytes], Unread]]:
    """Made where they are needed: to collect the tests, every process of pytest-xdist asks for this."""
    yield "nothing", lambda: b"", Unread.EMPTY
    yield "blanks", lambda: b" \n\t", Unread.EMPTY
    yield "too large", lambda: b"a" * (MAX_DOCUMENT_BYTES + 1), Unread.TOO_LARGE
    yield "too long", lambda: bytes("字" * (MAX_TEXT_CHARS + 1), "utf-8"), Unread.TOO_LONG
    yield "a picture", lambda: b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 40, Unread.UNKNOWN_KIND
    yield "old Word", lambda: OLE, Unread.OLD_WORD
    yield "Word with a password", lambda: OLE + "EncryptedPackage".encode("utf-16-le"), Unread.ENCRYPTED
    yield "a spreadsheet", another_zip, Unread.UNKNOWN_KIND
    yield "a cut package", lambda: a_word_file("一段")[:-60], Unread.BROKEN
    yield "Word with broken parts", word_with_broken_parts, Unread.BROKEN
    yield "many parts", many_parts, Unread.BOMB
    yield "a bomb", a_bomb, Unread.BOMB
    yield "a size that lies", lambda: overlapping(a_word_file("一段"), 2**31), Unread.BOMB
    yield "Word without words", lambda: a_word_file(""), Unread.NO_TEXT
    yield "a broken PDF", lambda: b"%PDF-1.7\nnonsense", Unread.BROKEN
    yield "a PDF that is cut", lambda: a_pdf("The old bridge is mended")[:200], Unread.BROKEN
    yield "a PDF with a password", lambda: a_pdf("secret words here", password="x"), Unread.ENCRYPTED
    yield "a scan", lambda: a_pdf("", "", ""), Unread.SCAN
    yield "a page of scripts", lambda: b"<html><body><script>1</script></body></html>", Unread.NO_TEXT


@pytest.mark.parametrize(("made", "reason"), [pytest.param(*rest, id=name) for name, *rest in refused()])
def test_what_cannot_be_checked_is_refused_by_name(made: Callable[[], bytes], reason: Unread) -> None:
    assert read_document(made()) is reason


def test_a_pdf_that_only_forbids_printing_is_read() -> None:
    writer = PdfWriter(clone_from=PdfReader(io.BytesIO(a_pdf("The old bridge is mended, they say"))))
    writer.encrypt("", owner_password="owner")
    file = io.BytesIO()
    writer.write(file)

    assert "old bridge" in text_of(read_document(file.getvalue()))


def test_entities_of_a_word_file_are_never_fetched_or_multiplied() -> None:
    bomb = '<!DOCTYPE x [<!ENTITY a "lol">' + "".join(
        f'<!ENTITY {chr(98 + n)} "{f"&{chr(97 + n)};" * 10}">' for n in range(9)
    )
    space = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
    body = f"{bomb}]><w:document {space}><w:body><w:p><w:r><w:t>&j;</w:t></w:r></w:p></w:body></w:document>"
    source, made = zipfile.ZipFile(io.BytesIO(a_word_file("一段"))), io.BytesIO()
    with source, zipfile.ZipFile(made, "w") as package:
        for part in source.namelist():
            package.writestr(part, body if part == "word/document.xml" else source.read(part))

    found = read_document(made.getvalue())

    assert found in (Unread.BROKEN, Unread.NO_TEXT)


@given(st.binary(max_size=400), st.sampled_from([b"", b"%PDF-1.4\n", b"PK\x03\x04", b"<html>", OLE]), st.booleans())
@settings(max_examples=60)
def test_nothing_a_file_can_hold_raises(rest: bytes, start: bytes, is_fragment: bool) -> None:
    found = read_document(start + rest, is_fragment=is_fragment)

    assert isinstance(found, Document | Unread)


def test_a_child_reads_the_same_as_its_parent() -> None:
    data = a_word_file(CHINESE, title="题")

    assert read_in_child(data) == read_document(data)
    assert read_in_child(OLE) is Unread.OLD_WORD
    assert read_in_child("<p>甲</p><p>乙</p>".encode(), is_fragment=True) == Document("甲\n乙", "html")


def test_what_takes_too_long_is_refused_by_that_name() -> None:
    assert read_in_child(a_word_file(CHINESE), deadline_s=0.01) is Unread.DEADLINE


def test_what_is_too_large_is_not_handed_to_a_child() -> None:
    assert read_in_child(b"a" * (MAX_DOCUMENT_BYTES + 1), deadline_s=0.0) is Unread.TOO_LARGE
