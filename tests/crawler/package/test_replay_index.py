"""The index of records and the list of pages, by which others replay a package."""

import gzip
import json
from dataclasses import replace
from pathlib import Path

import pytest
from warcio.archiveiterator import ArchiveIterator

from crawler.package.replay_index import (
    NotIndexed,
    ReplayPage,
    index_of,
    pages_of,
    records_of,
    replayable,
    search_key,
)
from crawler.warc.writer import Earlier, resource_record, response_record
from tests.support.evidence.evidence import AT, a_response
from tests.support.evidence.packages import PICTURE, records


def indexed(folder: Path) -> list[dict[str, str]]:
    found = []
    for record in records():
        file = folder / f"{record.digest.hex()}.warc.gz"
        file.write_bytes(record.data)
        found += records_of(file, file.name)
    lines = gzip.decompress(index_of(found)).decode().splitlines()
    assert lines == sorted(lines)
    return [{"key": line.split(" ", 2)[0], **json.loads(line.split(" ", 2)[2])} for line in lines]


def test_each_line_leads_to_its_record_and_the_right_payload(tmp_path: Path) -> None:
    lines = indexed(tmp_path)

    assert [line["url"].partition(":")[0] for line in lines] == ["https", "https", "urn"]
    for line in lines:
        place, length = int(line["offset"]), int(line["length"])
        data = (tmp_path / line["filename"]).read_bytes()[place : place + length]
        (tmp_path / "one").write_bytes(data)
        with (tmp_path / "one").open("rb") as file:
            (record,) = ArchiveIterator(file)
        assert record.rec_headers["WARC-Payload-Digest"] == line["digest"]
        assert line["url"].endswith(record.rec_headers["WARC-Target-URI"])


def test_what_no_server_sent_is_not_replayed_as_the_page(tmp_path: Path) -> None:
    picture = next(line for line in indexed(tmp_path) if line["mime"] == "image/png")

    assert picture["url"] == picture["key"] == "urn:view:https://copier.example/1"


def test_pages_are_those_that_can_be_shown_whole(tmp_path: Path) -> None:
    page = a_response(1)
    kept = {
        "whole": response_record(page),
        "twin": response_record(replace(page, url="https://copier.example/2"), earlier=Earlier(page.url, page.at)),
        "missing": response_record(
            replace(page, url="https://copier.example/3"), earlier=Earlier("https://x.example/", AT)
        ),
        "gone": response_record(replace(page, url="https://copier.example/4", status=404)),
        "picture": resource_record("https://copier.example/5", AT, PICTURE, "image/png"),
    }
    found = []
    for name, record in kept.items():
        (tmp_path / name).write_bytes(record.data)
        found += records_of(tmp_path / name, name)

    assert [record.file for record in replayable(found)] == ["whole", "twin"]


@pytest.mark.parametrize(
    ("url", "key"),
    [
        ("https://www.Example.org/Index.html", "org,example)/index.html"),
        ("http://example.org", "org,example)/"),
        ("https://example.org:8443/a?b=2&a=1", "org,example:8443)/a?a=1&b=2"),
        ("https://example.org:443/a?", "org,example)/a"),
        ("http://192.0.2.7/a", "192.0.2.7)/a"),
        ("http://[2001:db8::1]/a", "2001:db8::1)/a"),
        ("https://a.example/桥 /", "example,a)/%e6%a1%a5%20/"),
        ("http://[broken/", "http://[broken/"),
        ("urn:view:https://a.example/", "urn:view:https://a.example/"),
        ("", ""),
    ],
)
def test_keys_sort_addresses_by_host(url: str, key: str) -> None:
    assert search_key(url) == key


@pytest.mark.parametrize(
    "data", [b"no archive", b"\x1f\x8b\x08", b"WARC/1.1\r\nWARC-Type: response\r\n\r\n", bytes(1_000), b"\xff" * 50]
)
def test_a_damaged_file_has_no_index(data: bytes, tmp_path: Path) -> None:
    (tmp_path / "bad").write_bytes(data)

    with pytest.raises(NotIndexed):
        records_of(tmp_path / "bad", "bad")


def test_a_cut_record_has_no_index(tmp_path: Path) -> None:
    (tmp_path / "cut").write_bytes(records()[0].data[:-30])

    try:
        found = records_of(tmp_path / "cut", "cut")
    except NotIndexed:
        found = []
    assert all(record.length > 0 for record in found)


def test_titles_of_any_letters_make_a_line_each() -> None:
    pages = pages_of([ReplayPage("https://a.example/", AT, title) for title in ("a\nb", "\ud800", '"', "<script>", "")])
    head, *lines = map(json.loads, pages.decode().splitlines())

    assert head["format"] == "json-pages-1.0"
    assert [line["title"] for line in lines] == ["a\nb", "?", '"', "<script>", ""]
    assert {line["ts"] for line in lines} == {"2026-05-04T08:00:00Z"}
