"""A small package of real records, for tests."""

import hashlib
import io
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from crawler.evidence.signing_keys import SigningKey, new_key
from crawler.package.detached import detached_signature
from crawler.package.manifest import About
from crawler.package.members import Member
from crawler.package.replay_index import INDEX, PAGES, ReplayPage, index_of, pages_of, records_of, replayable
from crawler.package.writer import Written, write_package
from crawler.warc.writer import Earlier, Record, resource_record, response_record, with_certificate
from storage.evidence.hash_chain import FIRST, entry_body, entry_hash
from tests.support.evidence.evidence import AT, a_response

CREATED: Final = datetime(2026, 5, 6, 7, 8, 9, tzinfo=UTC)
PICTURE: Final = b"\x89PNG\r\n\x1a\n" + bytes(64)


def records() -> list[Record]:
    """A page with its certificate, the same body at another address, and a picture of the page."""
    page = replace(a_response(1), certificate=b"a certificate")
    twin = replace(a_response(1), url="https://www.copier.example/%E6%A1%A5?b=2&a=1", at=AT)
    return [
        with_certificate(response_record(page), page),
        response_record(twin, earlier=Earlier(page.url, page.at)),
        resource_record(page.url, AT, PICTURE, "image/png"),
    ]


def members(folder: Path) -> list[Member]:
    """Those of a package of a case, in small: records, index, pages, texts, entries of the chain."""
    kept = records()
    files = [folder / f"{record.digest.hex()}.warc.gz" for record in kept]
    for record, file in zip(kept, files, strict=True):
        file.write_bytes(record.data)
    indexed = [record for file in files for record in records_of(file, file.name)]
    pages = [ReplayPage(record.url, record.at, "老桥") for record in replayable(indexed)]
    text = "老桥修好了，来往的人又多了起来。".encode()
    entries = chain(kept)
    named = [(hashlib.sha256(data).hexdigest(), name) for name, data in entries.items()]
    named += [(record.digest.hex(), f"archive/{record.digest.hex()}.warc.gz") for record in kept]
    return [
        *(Member(f"archive/{file.name}", file) for file in files),
        Member(INDEX, index_of(indexed)),
        Member(PAGES, pages_of(pages)),
        Member("case/case.json", b'{"case": 7, "copies": [{"url": "https://copier.example/1"}]}\n'),
        Member("case/report.zh.html", "<p>报告</p>".encode() * 100),
        Member(f"texts/{hashlib.sha256(text).hexdigest()}.txt", text),
        *(Member(name, data) for name, data in entries.items()),
        Member("case/CHAIN.SHA256", "".join(f"{digest}  {name}\n" for digest, name in named).encode()),
        Member("case/EMPTY", b""),
    ]


def chain(kept: list[Record]) -> dict[str, bytes]:
    previous, found = FIRST, {}
    for number, record in enumerate(kept, start=1):
        body = entry_body(number, {"kind": "captured", "record": record.digest.hex()})
        found[f"chain/{number:010}.entry"] = f"{previous.hex()}\n{body}".encode()
        previous = entry_hash(previous, body)
    return found


def about(name: str = "zhiwen-case-7-20260506") -> About:
    return About(
        name, "案件 7 《老桥》", "Evidence of a case.", CREATED, "Zhiwen 0.1.0", ("https://copier.example/1", AT)
    )


def a_package(folder: Path, key: SigningKey | None = None) -> tuple[bytes, bytes, Written]:
    """The file, its detached signature, and what was written."""
    out, key = io.BytesIO(), key or new_key()
    written = write_package(out, members(folder), about(), key)
    return out.getvalue(), detached_signature(written, key), written
