"""Articles out of tables."""

import csv
import gzip
import io
import tracemalloc
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from crawler.importers.files import read_articles
from crawler.importers.model import ImportedArticle, ImportOutcome, ImportProblem, Limits
from crawler.outcomes.refusals import Refusal
from tests.fake_web.pages import SENTENCES, article

NOW = datetime(2026, 11, 21, tzinfo=UTC)
TEXT = "".join(SENTENCES) + '\n第二段，“引号”和"引号"，逗号。'


def table(*records: list[str], delimiter: str = ",") -> str:
    out = io.StringIO()
    csv.writer(out, delimiter=delimiter).writerows(records)
    return out.getvalue()


def read(path: Path, data: bytes, **options: Any) -> list[ImportOutcome]:
    path.write_bytes(data)
    return list(read_articles([path], now=NOW, limits=Limits(**options)))


HEAD = ["url", "title", "text", "published_at", "site"]
ROWS = (HEAD, ["http://a.example/1", "题", TEXT, "2026-03-01", "报"], ["http://a.example/2", "题二", TEXT, "", ""])


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "gb18030", "utf-16"])
@pytest.mark.parametrize("delimiter", [",", "\t", ";"])
def test_a_row_becomes_an_article(tmp_path: Path, encoding: str, delimiter: str) -> None:
    first, second = read(tmp_path / "a.csv", table(*ROWS, delimiter=delimiter).encode(encoding))

    assert isinstance(first, ImportedArticle)
    assert isinstance(second, ImportedArticle)
    assert (first.article.url, first.article.title, first.site_name, first.line) == (
        "http://a.example/1",
        "题",
        "报",
        1,
    )
    assert first.article.text == TEXT
    assert first.article.declared.at is not None


def test_names_of_columns_may_be_others_and_in_any_order(tmp_path: Path) -> None:
    data = table(["Content", "unknown", "LINK"], [TEXT, "x", "http://a.example/1"], ["", "x", "http://a.example/2"])

    first, second = read(tmp_path / "a.csv", data.encode())

    assert isinstance(first, ImportedArticle)
    assert isinstance(second, ImportProblem)
    assert str(second).endswith('a.csv, row 2: neither "text" nor "html" holds anything')


def test_pages_in_a_compressed_table(tmp_path: Path) -> None:
    (found,) = read(
        tmp_path / "a.csv.gz", gzip.compress(table(["url", "html"], ["http://a.example/1", article(1)]).encode())
    )

    assert isinstance(found, ImportedArticle)
    assert found.article.title == "渡口札记之1"


WHOLE_FILES = {
    "half a million columns": (b"url,text," + b"x," * 490_000 + b"\nhttp://a/,b", Refusal.TOO_LARGE),
    "ten million columns": (b"url,text," + b"x," * 10_000_000 + b"\nhttp://a/,b", Refusal.BROKEN_MARKUP),
    "no header": (b"http://a.example/1,some text\n", Refusal.BROKEN_MARKUP),
    "nothing": (b"", Refusal.BROKEN_MARKUP),
    "binary": (bytes(range(256)) * 100, Refusal.UNDECODABLE),
    "a first row without end": (b'"' + b"x" * 3_000_000, Refusal.BROKEN_MARKUP),
}


@pytest.mark.parametrize("what", WHOLE_FILES)
def test_a_file_that_is_no_table_is_refused_whole(tmp_path: Path, what: str) -> None:
    data, refusal = WHOLE_FILES[what]

    (found,) = read(tmp_path / "a.csv", data, max_line_bytes=1_000_000)

    assert isinstance(found, ImportProblem)
    assert (found.refusal, found.line) == (refusal, None)


GOOD = table(["http://a.example/9", TEXT])
HOSTILE_ROWS = {
    "a million values": b"x," * 1_000_000,
    "a line without end": b"x" * 5_000_000,
    "nothing but quotes": b'"' * 1_000_000,
    "nul": b"http://a.example/1,\x00\x00",
    "bytes of no encoding": b"http://a.example/1,\xff\xfe\xff",
    "no address": b",text",
}


@pytest.mark.parametrize("what", HOSTILE_ROWS)
def test_a_hostile_row_is_refused_and_the_next_one_read(tmp_path: Path, what: str) -> None:
    data = b"url,text\n" + HOSTILE_ROWS[what] + b"\n" + GOOD.encode()

    tracemalloc.start()
    *problems, last = read(tmp_path / "a.csv", data, max_line_bytes=2_000_000)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()

    assert problems
    assert all(isinstance(problem, ImportProblem) for problem in problems)
    assert isinstance(last, ImportedArticle)
    assert peak < 100_000_000


def test_a_quote_that_is_never_closed_takes_no_more_than_a_row_s_bound(tmp_path: Path) -> None:
    data = b'url,text\nhttp://a.example/1,"' + GOOD.replace('"', "").encode() * 200

    found = read(tmp_path / "a.csv", data, max_line_bytes=20_000)

    assert isinstance(found[0], ImportProblem)
    assert sum(isinstance(one, ImportedArticle) for one in found) > 100
