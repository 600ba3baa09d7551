"""What players of web archives need: an index of the records (CDXJ 0.1.0), and a list of the pages.

Written here: the library that others use for the keys of the index (surt) is under AGPL-3.0.
"""

import gzip
import json
import re
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote, urlsplit

from warcio.archiveiterator import ArchiveIterator
from warcio.exceptions import ArchiveLoadFailed

INDEX: Final = "indexes/index.cdx.gz"
PAGES: Final = "pages/pages.jsonl"
_DATE_CHARS: Final = 19
_PAGE_TYPES: Final = ("response", "revisit")
_INDEXED: Final = (*_PAGE_TYPES, "resource")
_WWW: Final = re.compile(r"^www\d*\.")
_SAFE_IN_KEY: Final = "%/:@!$&'()*+,;=-._~?"
_DEFAULT_PORTS: Final = {"http": 80, "https": 443}


class NotIndexed(Exception):
    """A file that cannot be read as WARC records; the message says why."""


@dataclass(frozen=True, slots=True)
class IndexedRecord:
    """A record as the index has it. `offset` and `length`: bytes in the compressed file `file`, a bare name."""

    url: str
    """`urn:KIND:URL` for what no server sent, so that it is not replayed as the page: a picture is urn:view:URL."""
    at: datetime
    kind: str
    file: str
    offset: int
    length: int
    mime: str
    status: str | None = None
    digest: str | None = None
    refers: tuple[str, datetime] | None = None
    """Of a revisit: address and time of the record that has its body."""

    @property
    def timestamp(self) -> str:
        return self.at.strftime("%Y%m%d%H%M%S")

    def line(self) -> str:
        """The record's line of the index."""
        known = {"url": self.url, "mime": self.mime, "status": self.status, "digest": self.digest}
        place = {"length": str(self.length), "offset": str(self.offset), "filename": self.file}
        block = {name: value for name, value in known.items() if value is not None} | place
        return f"{search_key(self.url)} {self.timestamp} {json.dumps(block)}\n"


@dataclass(frozen=True, slots=True)
class ReplayPage:
    """A page of the list: where it begins to be replayed."""

    url: str
    at: datetime
    title: str


def records_of(path: Path, name: str) -> list[IndexedRecord]:
    """The records of a WARC file. `name`: of the file in the package. Raises NotIndexed, and OSError of the file."""
    found: list[IndexedRecord] = []
    count = 0
    with path.open("rb") as file:
        records = ArchiveIterator(file)
        try:
            for record in records:
                indexed, count = _indexed(record, name), count + 1
                records.read_to_end(record)
                if indexed is not None:
                    place = {"offset": records.get_record_offset(), "length": records.get_record_length()}
                    found.append(IndexedRecord(**indexed, **place))
        except (ArchiveLoadFailed, ValueError, zlib.error, EOFError, AttributeError, TypeError) as error:
            raise NotIndexed(str(error).strip() or type(error).__name__) from error
    if not count:
        raise NotIndexed("it holds no record")
    return found


def index_of(records: Iterable[IndexedRecord]) -> bytes:
    """The index, compressed. The same records always make the same bytes."""
    lines = sorted(record.line().encode() for record in records)
    return gzip.compress(b"".join(lines), mtime=0)


def pages_of(pages: Iterable[ReplayPage]) -> bytes:
    """The list of pages: a line of JSON for each, after one for the list."""
    head = {"format": "json-pages-1.0", "id": "pages", "title": "All Pages"}
    lines = [head, *({"url": page.url, "ts": _written(page.at), "title": page.title} for page in pages)]
    return "".join(f"{json.dumps(line, ensure_ascii=False)}\n" for line in lines).encode(errors="replace")


def replayable(records: Iterable[IndexedRecord]) -> Iterator[IndexedRecord]:
    """Those that a server sent with status 200 and whose body is among the records."""
    known = list(records)
    bodies = {(record.url, record.timestamp) for record in known if record.kind == "response"}
    for record in known:
        whole = record.refers is None or (record.refers[0], f"{record.refers[1]:%Y%m%d%H%M%S}") in bodies
        if record.kind in _PAGE_TYPES and record.status == "200" and whole:
            yield record


def search_key(url: str) -> str:
    """The key by which the index is sorted: host reversed, without scheme and www, in small letters."""
    if not url.startswith(("http:", "https:")):
        return url
    try:
        parts = urlsplit(url.lower())
        port, host = parts.port, _WWW.sub("", parts.hostname or "")
    except ValueError:
        return url
    reversed_host = ",".join(reversed(host.split("."))) if ":" not in host and not _is_address(host) else host
    shown_port = "" if port is None or port == _DEFAULT_PORTS.get(parts.scheme) else f":{port}"
    query = "&".join(sorted(parts.query.split("&"))) if parts.query else ""
    key = f"{reversed_host}{shown_port}){parts.path or '/'}{'?' if query else ''}{query}"
    return quote(key, safe=_SAFE_IN_KEY, errors="replace").lower()


def _is_address(host: str) -> bool:
    return host.replace(".", "").isdigit()


def _indexed(record: Any, name: str) -> dict[str, Any] | None:
    """What the headers of a record say; None for kinds that are not replayed, such as certificates."""
    if record.rec_type not in _INDEXED:
        return None
    headers, http = record.rec_headers, record.http_headers
    url, mime = headers.get_header("WARC-Target-URI") or "", headers.get_header("Content-Type") or ""
    if record.rec_type == "resource" and url.startswith(("http:", "https:")):
        url = f"urn:{'view' if mime.startswith('image/') else 'resource'}:{url}"
    if http is not None:
        mime = http.get_header("Content-Type") or ""
    refers = headers.get_header("WARC-Refers-To-Target-URI"), headers.get_header("WARC-Refers-To-Date")
    return {
        "url": url,
        "at": _time(headers.get_header("WARC-Date") or ""),
        "kind": record.rec_type,
        "file": name,
        "mime": "warc/revisit" if record.rec_type == "revisit" else mime.partition(";")[0].strip() or "unk",
        "status": None if http is None else http.get_statuscode(),
        "digest": headers.get_header("WARC-Payload-Digest"),
        "refers": None if None in refers else (refers[0], _time(refers[1])),
    }


def _time(written: str) -> datetime:
    return datetime.fromisoformat(written[:_DATE_CHARS]).replace(tzinfo=UTC)


def _written(at: datetime) -> str:
    return at.strftime("%Y-%m-%dT%H:%M:%SZ")
