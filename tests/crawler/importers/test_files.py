"""Articles from files."""

import gzip
import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from crawler.importers.files import ImportedArticle, ImportProblem, Limits, read_articles
from crawler.outcomes.errors import ImportNotReadable
from crawler.outcomes.refusals import Refusal
from storage.types import DateOrigin, FoundBy
from tests.fake_web.pages import SENTENCES, article

NOW = datetime(2026, 11, 21, tzinfo=UTC)
TEXT = "".join(SENTENCES)


def read(*paths: Path, **options: Any) -> list[ImportedArticle | ImportProblem]:
    return list(read_articles(paths, now=NOW, **options))


def lines(path: Path, *records: object) -> Path:
    path.write_text("\n".join(r if isinstance(r, str) else json.dumps(r) for r in records) + "\n", encoding="utf-8")
    return path


def test_a_record_becomes_an_article(tmp_path: Path) -> None:
    record = {"url": "http://Example.com/1#x", "text": TEXT, "title": "题", "author": "甲", "site": "报", "id": "k7",
              "published_at": "2026-11-02 08:30"}  # fmt: skip

    (found,) = read(lines(tmp_path / "a.jsonl", record))

    assert isinstance(found, ImportedArticle)
    assert (found.id, found.site_name, found.line) == ("k7", "报", 1)
    new = found.article
    assert (new.url, new.text, new.title, new.author) == ("http://example.com/1", TEXT, "题", "甲")
    assert (new.declared.origin, new.found_by, new.language) == (DateOrigin.IMPORT, FoundBy.IMPORT, "zh")


def test_each_bad_line_is_reported_and_the_good_ones_are_kept(tmp_path: Path) -> None:
    good = {"url": "http://example.com/1", "text": TEXT}
    path = lines(
        tmp_path / "a.jsonl",
        good, "{not json", "[1]", {"text": TEXT}, {"url": "ftp://x", "text": TEXT}, {"url": "http://a.com/", "text": 5},
        {"url": "http://a.com/"}, {"url": "http://a.com/", "text": "短"}, good | {"published_at": "soon"},
        "[" * 100_000, "", good | {"url": "http://example.com/2"},
    )  # fmt: skip

    found = read(path)

    assert [item.article.url for item in found if isinstance(item, ImportedArticle)] == [
        "http://example.com/1",
        "http://example.com/2",
    ]
    problems = [item for item in found if isinstance(item, ImportProblem)]
    assert [problem.line for problem in problems] == [2, 3, 4, 5, 6, 7, 8, 9, 10]
    assert str(problems[0]).startswith(f"{path}, line 2: not JSON")
    assert problems[6].refusal is Refusal.TOO_SHORT


def test_a_line_too_long_is_passed_over_without_being_held(tmp_path: Path) -> None:
    good = {"url": "http://example.com/1", "text": TEXT}
    path = lines(tmp_path / "a.jsonl", {"url": "http://a.com/", "text": "x" * 50_000}, good)

    found = read(path, limits=Limits(max_line_bytes=10_000))

    assert [type(item).__name__ for item in found] == ["ImportProblem", "ImportedArticle"]


def test_gzip_is_read_and_its_damage_is_reported(tmp_path: Path) -> None:
    record = json.dumps({"url": "http://example.com/1", "text": TEXT}).encode() + b"\n"
    whole, cut = tmp_path / "a.jsonl.gz", tmp_path / "b.jsonl.gz"
    whole.write_bytes(gzip.compress(record))
    cut.write_bytes(gzip.compress(record * 100)[:-20])

    assert isinstance(read(whole)[0], ImportedArticle)
    last = read(cut)[-1]
    assert isinstance(last, ImportProblem)
    assert "damaged" in last.message


def test_a_folder_of_pages_and_texts_is_read_in_order(tmp_path: Path) -> None:
    folder = tmp_path / "文 件"
    folder.mkdir()
    (folder / "a.html").write_bytes(article(1, charset="gbk").encode("gb18030"))
    (folder / "b.txt").write_text(f"标题\n{TEXT}\n", encoding="utf-8")
    (folder / "c.txt").write_bytes(bytes(range(256)) * 50)
    (folder / "d.bin").write_bytes(b"\x00")
    (folder / ".hidden.txt").write_text(TEXT, encoding="utf-8")

    first, second, binary, unknown = read(folder)

    assert isinstance(first, ImportedArticle)
    assert first.article.title == "渡口札记之1"
    assert first.article.url == f"file://{folder}/a.html".replace("文 件", "%E6%96%87%20%E4%BB%B6")
    assert isinstance(second, ImportedArticle)
    assert (second.article.title, second.article.text) == ("标题", f"标题\n{TEXT}\n")
    assert isinstance(binary, ImportProblem)
    assert binary.refusal is Refusal.UNDECODABLE
    assert isinstance(unknown, ImportProblem)
    assert unknown.refusal is Refusal.WRONG_TYPE


def test_a_file_too_large_is_reported(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(b"x" * 2_000)
    (found,) = read(path, limits=Limits(max_file_bytes=1_000))
    assert isinstance(found, ImportProblem)
    assert found.refusal is Refusal.TOO_LARGE


def test_a_short_text_without_address_may_be_asked_about(tmp_path: Path) -> None:
    (found,) = read(lines(tmp_path / "a.jsonl", {"text": "短"}), limits=Limits(shortest_article=0, needs_url=False))
    assert isinstance(found, ImportedArticle)
    assert found.article.url.endswith("a.jsonl?line=1")


def test_a_path_that_is_not_there_is_reported_before_anything_is_read(tmp_path: Path) -> None:
    with pytest.raises(ImportNotReadable, match="no such file"):
        read_articles([tmp_path / "nothing"], now=NOW)
