"""Articles out of web archives, good ones and hostile ones."""

import contextlib
import gzip
import io
import tracemalloc
import zlib
from collections.abc import Callable
from datetime import UTC, datetime
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

from crawler.importers.files import read_articles
from crawler.importers.model import ImportedArticle, ImportProblem, Limits
from crawler.outcomes.refusals import Refusal
from crawler.warc.http_body import Unreadable, plain_body
from crawler.warc.reader import ArchivedPage, Damaged, archived_pages
from crawler.warc.writer import response_record
from storage.records.imports import Mark
from tests.fake_web.pages import article
from tests.support.evidence.evidence import a_response

NOW = datetime(2026, 11, 21, tzinfo=UTC)
FETCHED = datetime(2026, 4, 1, 12, 0, tzinfo=UTC)
HTML = [("Content-Type", "text/html; charset=utf-8")]
MOST = 1_000_000


def archive(path: Path, *pages: bytes, packed: bool = True) -> Path:
    """An archive as another program writes it: a page, a request, and a picture to each."""
    with path.open("wb") as file:
        writer = WARCWriter(file, gzip=packed)
        writer.write_record(writer.create_warcinfo_record("a.warc", {"software": "test"}))
        for number, body in enumerate(pages, start=1):
            for kind, fields, content in (
                ("request", [("Host", "a.example")], b""),
                ("response", HTML, body),
                ("response", [("Content-Type", "image/png")], b"\x89PNG"),
            ):
                head = StatusAndHeaders("GET / HTTP/1.1" if kind == "request" else "200 OK", fields, "HTTP/1.1")
                dated = {"WARC-Date": "2026-04-01T12:00:00Z"}
                url = f"http://a.example/{number}"
                writer.write_record(
                    writer.create_warc_record(
                        url,
                        kind,
                        payload=io.BytesIO(content),
                        length=len(content),
                        http_headers=head,
                        warc_headers_dict=dated,
                    )
                )
    return path


def record(content: bytes, *, length: object = None, more: bytes = b"", kind: bytes = b"response") -> bytes:
    """A record by hand, with whatever length it says it has."""
    said = len(content) if length is None else length
    head = b"WARC/1.0\r\nWARC-Type: " + kind + b"\r\nWARC-Target-URI: http://a.example/x\r\n" + more
    return (
        head
        + b"Content-Type: application/http\r\nContent-Length: %s\r\n\r\n" % str(said).encode()
        + content
        + b"\r\n\r\n"
    )


def answer(body: bytes, *fields: str) -> bytes:
    return "\r\n".join(["HTTP/1.1 200 OK", "Content-Type: text/html", *fields, "", ""]).encode() + body


def pages_of(data: bytes, *, max_bytes: int = MOST, after: int = 0) -> list[ArchivedPage]:
    return list(archived_pages(io.BytesIO(data), max_bytes=max_bytes, after=after))


GOOD = record(answer(article(3).encode()))


@pytest.mark.parametrize("packed", [True, False])
def test_pages_of_an_archive_become_articles(tmp_path: Path, packed: bool) -> None:
    name = "a.warc.gz" if packed else "a.warc"
    path = archive(tmp_path / name, article(1).encode(), b"<p>short</p>", article(2).encode(), packed=packed)

    first, short, second = read_articles([path], now=NOW)

    assert isinstance(first, ImportedArticle)
    assert isinstance(second, ImportedArticle)
    assert (first.article.url, first.article.title) == ("http://a.example/1", "渡口札记之1")
    assert (first.article.fetched_at, first.line, second.line) == (FETCHED, 3, 9)
    assert isinstance(short, ImportProblem)
    assert short.is_expected


def test_an_archive_packed_as_a_whole_is_read_too(tmp_path: Path) -> None:
    path = tmp_path / "a.warc.gz"
    path.write_bytes(gzip.compress(GOOD + GOOD))

    assert [type(found) for found in read_articles([path], now=NOW)] == [ImportedArticle, ImportedArticle]


def test_a_reading_goes_on_behind_the_record_where_it_was_left(tmp_path: Path) -> None:
    path = archive(tmp_path / "a.warc.gz", article(1).encode(), article(2).encode())
    state = path.stat()
    mark = Mark(str(path), state.st_size, state.st_mtime_ns, 3)

    (left,) = read_articles([path], now=NOW, done={path: mark})

    assert isinstance(left, ImportedArticle)
    assert left.article.url == "http://a.example/2"
    path.touch()
    assert len(list(read_articles([path], now=NOW, done={path: mark}))) == 2


def test_what_we_keep_as_evidence_can_be_read_back() -> None:
    packed = gzip.compress(article(1).encode())
    response = a_response(body=packed, headers=(("Content-Type", "text/html"), ("Content-Encoding", "gzip")))

    (page,) = pages_of(gzip.decompress(response_record(response).data))

    assert (page.url, page.body, page.at) == (response.url, article(1).encode(), response.at)


def test_texts_that_others_extracted_are_read() -> None:
    text = record(b"words " * 50, kind=b"conversion").replace(b"application/http", b"text/plain")

    (page,) = pages_of(text)

    assert (page.content_type, page.body) == ("text/plain", b"words " * 50)


PASSED_OVER = {
    "not 200": record(answer(b"x").replace(b"200 OK", b"404 Not Found")),
    "a picture": record(answer(b"x").replace(b"text/html", b"image/png")),
    "a name look-up": record(b"20260401 a.example 1.2.3.4").replace(b"application/http", b"text/dns"),
    "a request": record(answer(b"x"), kind=b"request"),
    "a reference": record(answer(b""), kind=b"revisit"),
    "of no known kind": record(b"x", kind=b"\xff\xfe"),
}


@pytest.mark.parametrize("what", PASSED_OVER)
def test_records_without_a_page_are_passed_over(what: str) -> None:
    assert [page.number for page in pages_of(PASSED_OVER[what] + GOOD)] == [2]


@cache
def bomb() -> bytes:
    return gzip.compress(b"0" * 200_000_000)


def in_one_chunk(body: bytes) -> bytes:
    return b"%x\r\n%b\r\n0\r\n\r\n" % (len(body), body)


REFUSED: dict[str, tuple[Callable[[], bytes], Refusal]] = {
    "says it is shorter": (lambda: record(answer(article(1).encode()), length=100), Refusal.BROKEN_RESPONSE),
    "says no number": (lambda: record(b"", length="many"), Refusal.BROKEN_RESPONSE),
    "says a negative number": (lambda: record(b"", length=-5), Refusal.BROKEN_RESPONSE),
    "says a number beyond all disks": (lambda: record(b"", length="9" * 500), Refusal.BROKEN_RESPONSE),
    "no answer in it": (lambda: record(b"\x00" * 500), Refusal.BROKEN_RESPONSE),
    "an endless status line": (lambda: record(b"HTTP/1.1 200" + b"9" * 500_000), Refusal.BROKEN_RESPONSE),
    "a bomb": (lambda: record(answer(bomb(), "Content-Encoding: gzip")), Refusal.TOO_LARGE),
    "a bomb without its wrapper": (
        lambda: record(answer(zlib.compress(b"0" * 50_000_000)[2:-4], "Content-Encoding: deflate")),
        Refusal.TOO_LARGE,
    ),
    "a bomb in chunks": (
        lambda: record(
            answer(
                b"%x\r\n%b\r\n0\r\n\r\n" % (len(bomb()), bomb()), "Transfer-Encoding: chunked", "Content-Encoding: gzip"
            )
        ),
        Refusal.TOO_LARGE,
    ),
    "packed for ever": (lambda: record(answer(b"", "Content-Encoding: " + "gzip," * 50)), Refusal.UNDECODABLE),
    "packed as nobody packs": (lambda: record(answer(b"\x00\x01", "Content-Encoding: zorg")), Refusal.UNDECODABLE),
    "damaged gzip": (
        lambda: record(answer(gzip.compress(article(1).encode())[:400], "Content-Encoding: gzip")),
        Refusal.BROKEN_RESPONSE,
    ),
    "too large": (lambda: record(answer(b"x" * (MOST + 1))), Refusal.TOO_LARGE),
    "far too large": (lambda: record(answer(b"x" * (2 * MOST))), Refusal.TOO_LARGE),
    "cut off by the archive": (lambda: record(answer(b"x"), more=b"WARC-Truncated: length\r\n"), Refusal.TOO_LARGE),
}
"""Made where they are needed: to collect the tests, every process of pytest-xdist imports this."""


@pytest.mark.parametrize("what", REFUSED)
def test_a_hostile_record_is_refused_and_the_next_one_read(what: str) -> None:
    hostile, refusal = REFUSED[what]

    found = pages_of(hostile() + GOOD)

    assert found[-1].body == article(3).encode()
    assert refusal in [page.refusal for page in found]


DAMAGED = {
    "cut off in a record": GOOD + GOOD[:-500],
    "cut off in a header": GOOD + GOOD[:40],
    "says it is longer than the file": record(answer(b"x"), length=10**12),
    "no archive at all": b"<html>" * 1_000,
    "zeros": bytes(100_000),
    "a line without end": b"WARC/1.0\r\nX: " + b"x" * 40_000_000,
    "fields without end": b"WARC/1.0\r\n" + b"X: y\r\n" * 1_000_000,
}


@pytest.mark.parametrize("what", DAMAGED)
def test_an_archive_that_cannot_be_read_on_says_so_in_little_memory(what: str) -> None:
    data = DAMAGED[what]
    tracemalloc.start()
    try:
        with pytest.raises(Damaged):
            pages_of(data)
        assert tracemalloc.get_traced_memory()[1] < 5_000_000
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize(
    "data",
    [
        gzip.compress(GOOD * 3)[:-30],
        gzip.compress(GOOD) + b"\x1f\x8b\x08" + bytes(50),
        gzip.compress(GOOD)[:200] + b"\xff" * 300,
    ],
    ids=["cut off", "another member that is none", "overwritten"],
)
def test_damaged_gzip_is_reported_and_what_stood_before_it_kept(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "a.warc.gz"
    path.write_bytes(data)

    *_, last = read_articles([path], now=NOW)

    assert isinstance(last, ImportProblem)
    assert (last.refusal, last.is_expected) == (Refusal.BROKEN_RESPONSE, False)
    assert "damaged" in last.message


def test_a_record_of_a_gigabyte_is_not_held(tmp_path: Path) -> None:
    path = tmp_path / "a.warc.gz"
    size = 300_000_000
    begun = record(answer(b""), length=size + len(answer(b""))).removesuffix(b"\r\n\r\n")
    with gzip.open(path, "wb", compresslevel=1) as file:
        file.write(begun)
        for _ in range(size // 1_000_000):
            file.write(bytes(1_000_000))

    tracemalloc.start()
    (found,) = read_articles([path], now=NOW, limits=Limits(max_file_bytes=MOST))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()

    assert isinstance(found, ImportProblem)
    assert peak < 20 * MOST


@given(st.binary(max_size=400), st.sampled_from(["gzip", "deflate", "br", "identity", "gzip, deflate", ""]))
def test_no_body_is_unpacked_beyond_the_bound_or_raises_anything_else(body: bytes, coding: str) -> None:
    headers = {"content-encoding": coding, "transfer-encoding": "chunked"}
    with contextlib.suppress(Unreadable):
        assert len(plain_body(body, headers, max_bytes=1_000)) <= 1_000


@given(st.lists(st.binary(min_size=1, max_size=50)))
def test_chunks_are_joined_and_what_is_not_chunked_stays(parts: list[bytes]) -> None:
    chunked = b"".join(b"%x;x=y\r\n%b\r\n" % (len(part), part) for part in parts) + b"0\r\n\r\n"
    joined = b"".join(parts)
    headers = {"transfer-encoding": "chunked"}

    assert plain_body(chunked, headers, max_bytes=MOST) == (joined or chunked)
    assert plain_body(b"<p>" + joined, headers, max_bytes=MOST) == b"<p>" + joined
    assert plain_body(gzip.compress(joined), {"content-encoding": "gzip"}, max_bytes=MOST) == joined


@given(st.binary(max_size=300))
def test_no_bytes_raise_anything_but_that_they_are_damaged(junk: bytes) -> None:
    for data in (junk, GOOD[:60] + junk, junk + GOOD):
        with contextlib.suppress(Damaged):
            pages_of(data)
