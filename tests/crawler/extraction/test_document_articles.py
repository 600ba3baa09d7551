"""Articles that are PDF or Word files, read as pages are: in the reader process, with lines and pages mended."""

from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawler.extraction.article import Article, Outcome
from crawler.extraction.documents.mending import mended
from crawler.extraction.extract import extract
from crawler.extraction.reader_messages import PageTask
from crawler.extraction.reader_pool import ReaderPool
from crawler.outcomes.refusals import Refusal
from tests.support.documents import a_pdf, a_word_file

PDF, WORD = "application/pdf", "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
NOW = datetime(2026, 11, 1, tzinfo=UTC)


def read(body: bytes, *, content_type: str = PDF, url: str = "https://www.example.com/files/river.pdf") -> Outcome:
    return extract(body, url=url, content_type=content_type, fetched_at=NOW, time_zone="UTC")


def article(body: bytes, **more: Any) -> Article:
    found = read(body, **more)
    assert isinstance(found, Article), found
    return found


def page_of(number: int) -> list[str]:
    return [
        f"River Quarterly {number}",
        "The captain of the ferry wrote down every crossing that he made in that long and",
        "cold winter, and he kept the book in a box under the wheel, where nobody ever loo-",
        "ked for it until the ship was sold.",
        "Ten years later the book came to the museum of the town, where it is shown behind",
        f"Page {number} of 4",
    ]


def test_a_pdf_is_an_article_with_its_pages_joined() -> None:
    last = ["River Quarterly 4", "glass today.", "Page 4 of 4"]
    found = article(a_pdf(page_of(1), page_of(2), page_of(3), last, Title="Crossings", Author="Jane Doe"))
    assert (found.title, found.author, found.language) == ("Crossings", "Jane Doe", "en")
    assert "River Quarterly" not in found.text
    assert "Page 2" not in found.text
    assert "where nobody ever looked for it until the ship was sold.\nTen years later" in found.text
    assert "where it is shown behind glass today." in found.text


def test_a_word_file_is_an_article() -> None:
    lines = [
        "渡口旁的木屋",
        "2026年3月1日 来源：江城日报",
        *["老船工说，他在这条江上撑了四十年的篙，水性比自己的脾气还熟。"] * 5,
    ]
    body = a_word_file(*lines, author="python-docx")
    for content_type in (WORD, "application/octet-stream"):
        found = article(body, content_type=content_type, url="https://www.example.com/a.docx")
        assert (found.title, found.language, found.text.count("老船工")) == ("渡口旁的木屋", "zh", 5)
        assert found.declared.at == datetime(2026, 3, 1, tzinfo=UTC)
        assert found.credit_lines == ("2026年3月1日 来源：江城日报",)


def test_a_title_that_a_program_made_is_not_taken() -> None:
    lines = page_of(1)[1:5] * 3
    assert article(a_pdf(["A book of crossings", "", *lines], Title="Microsoft Word - a.docx")).title.startswith(
        "A book"
    )
    long = a_pdf([" ".join(lines)], Title="Document1")
    assert article(long, url="https://www.example.com/f/river%20book.pdf").title == "river book.pdf"


@pytest.mark.parametrize(
    ("body", "content_type", "refusal"),
    [
        (a_pdf([], [], []), PDF, Refusal.SCAN),
        (a_pdf(page_of(1), password="secret"), PDF, Refusal.ENCRYPTED),
        (b"%PDF-1.7 and nothing else", PDF, Refusal.BROKEN_DOCUMENT),
        (a_pdf(page_of(1))[:300], PDF, Refusal.BROKEN_DOCUMENT),
        (a_pdf(["Too short."]), PDF, Refusal.TOO_SHORT),
        (a_word_file("太短了"), WORD, Refusal.TOO_SHORT),
        (b"PK\x03\x04 and nothing else", WORD, Refusal.BROKEN_DOCUMENT),
        (b"PK\x03\x04", "application/vnd.ms-excel", Refusal.WRONG_TYPE),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "application/msword", Refusal.WRONG_TYPE),
        (b"<html>", PDF, Refusal.WRONG_TYPE),
        (b"", PDF, Refusal.WRONG_TYPE),
        (b"%PDF-" + b"x" * 10_000_001, PDF, Refusal.TOO_LARGE),
    ],
)
def test_what_cannot_be_read_is_refused_by_name(body: bytes, content_type: str, refusal: Refusal) -> None:
    found = read(body, content_type=content_type)
    assert found is refusal


def test_documents_are_read_in_the_reader_process() -> None:
    pool = ReaderPool(size=1)
    try:
        body = a_pdf(page_of(1), page_of(2), page_of(3), page_of(4))
        done = pool.read(PageTask(body, "https://www.example.com/a.pdf", PDF, NOW, "UTC"))
        assert isinstance(done.page.outcome, Article)
        assert done.fingerprint is not None
        scan = pool.read(PageTask(a_pdf([], []), "https://www.example.com/a.pdf", PDF, NOW, "UTC"))
        assert (scan.page.outcome, scan.is_absent, scan.is_barred) == (Refusal.SCAN, False, False)
    finally:
        pool.close()


@pytest.mark.parametrize(
    ("pages", "text"),
    [
        ([["eine lange Zeile, die bis an den Rand der Seite reicht und den Zug-", "verkehr behandelt."]], "Zugverkehr"),
        (
            [["eine lange Zeile, die bis an den Rand der Seite reicht, in Berlin-", "Mitte und anderswo."]],
            "Berlin-Mitte",
        ),
        ([["老船工说，他在这条江上撑了四十年的篙，水性比自己的脾", "气还熟。码头边的面馆照旧五点开门。"]], "脾气还熟"),
    ],
)
def test_words_are_joined_across_lines(pages: list[list[str]], text: str) -> None:
    assert text in "\n".join(mended(pages))


def test_items_of_a_list_stay_apart() -> None:
    lines = [
        "The book names three ships of the company that crossed the river in the winter:",
        "• Aurora",
        "• Borealis",
    ]
    assert mended([lines]) == lines


@given(st.lists(st.lists(st.text(max_size=30), max_size=8), max_size=6))
def test_mending_invents_no_letters(pages: list[list[str]]) -> None:
    letters = sorted(filter(str.isalnum, "".join(line for page in pages for line in page)))
    kept = sorted(filter(str.isalnum, "".join(mended(pages))))
    assert len(kept) <= len(letters)
    assert set(kept) <= set(letters)
