"""WARC records of responses, each one gzip member. Pure."""

import hashlib
import io
import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from http import HTTPStatus
from typing import Final

from warcio.recordloader import ArcWarcRecord
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

PROFILE: Final = "http://netpreserve.org/warc/1.1/revisit/identical-payload-digest"
_BREAKS: Final = str.maketrans("\r\n\x00", "   ")


@dataclass(frozen=True, slots=True)
class RawResponse:
    """The answer of a server. `body` as it was sent, less the chunking; header values in Latin-1, as HTTP has them."""

    url: str
    at: datetime
    status: int
    headers: tuple[tuple[str, str], ...]
    body: bytes
    peer: str | None = None
    """Address of the machine that answered."""
    protocol: str = "HTTP/1.1"
    certificate: bytes | None = None
    """DER."""

    @property
    def head(self) -> bytes:
        """Status line and headers as sent, the empty line included."""
        lines = [f"{self.protocol} {self.status} {_reason(self.status)}".rstrip()]
        lines += [f"{name.translate(_BREAKS)}: {value.translate(_BREAKS)}" for name, value in self.headers]
        return "\r\n".join([*lines, "", ""]).encode("latin-1", "replace")


@dataclass(frozen=True, slots=True)
class Earlier:
    """A record that holds the same body already."""

    url: str
    at: datetime


@dataclass(frozen=True, slots=True)
class Record:
    """`data`: the gzipped record, or several; `digest`: its SHA-256, by which it is named."""

    data: bytes
    digest: bytes


def response_record(response: RawResponse, *, earlier: Earlier | None = None) -> Record:
    """A record of the response; if its body is kept already, a record that refers to that instead of a second copy."""
    more = [("WARC-Payload-Digest", f"sha256:{hashlib.sha256(response.body).hexdigest()}")]
    if response.peer:
        more.append(("WARC-IP-Address", response.peer))
    if earlier:
        more += [
            ("WARC-Profile", PROFILE),
            ("WARC-Refers-To-Target-URI", earlier.url),
            ("WARC-Refers-To-Date", _date(earlier.at)),
        ]
    kind, body = ("revisit", b"") if earlier else ("response", response.body)
    return _record(kind, response.url, response.at, "application/http; msgtype=response", more, response.head, body)


def with_certificate(record: Record, response: RawResponse) -> Record:
    """The same file with a second record behind the first: the certificate that the server showed, if it showed one."""
    if response.certificate is None:
        return record
    about = [("WARC-Payload-Digest", f"sha256:{hashlib.sha256(response.certificate).hexdigest()}")]
    second = _record("metadata", response.url, response.at, "application/pkix-cert", about, b"", response.certificate)
    data = record.data + second.data
    return Record(data, hashlib.sha256(data).digest())


def resource_record(url: str, at: datetime, content: bytes, content_type: str) -> Record:
    """A record of content that no server sent: a saved page, a screenshot."""
    more = [("WARC-Payload-Digest", f"sha256:{hashlib.sha256(content).hexdigest()}")]
    return _record("resource", url, at, content_type, more, b"", content)


class _Head(StatusAndHeaders):  # type: ignore[misc]  # warcio is untyped
    """Status line and headers to the byte; warcio would rewrite what is beyond ASCII."""

    def __init__(self, written: bytes) -> None:
        super().__init__("as written", [])  # an empty one would not be written
        self._written = written

    def compute_headers_buffer(self, header_filter: object = None) -> None:
        self.headers_buff = self._written


def _record(
    kind: str, url: str, at: datetime, content_type: str, more: Sequence[tuple[str, str]], head: bytes, body: bytes
) -> Record:
    digest = f"sha256:{hashlib.sha256(head + body).hexdigest()}"
    # Named by its content, so that the same response twice is the same record.
    name = uuid.uuid5(uuid.NAMESPACE_URL, f"{kind} {url} {_date(at)} {digest}")
    headers = [
        ("WARC-Type", kind),
        ("WARC-Record-ID", f"<urn:uuid:{name}>"),
        ("WARC-Target-URI", url.translate(_BREAKS)),
        ("WARC-Date", _date(at)),
        *more,
        ("WARC-Block-Digest", digest),
    ]
    out = io.BytesIO()
    warc_headers = StatusAndHeaders("", headers, protocol="WARC/1.1")
    record = ArcWarcRecord(
        *("warc", kind, warc_headers, io.BytesIO(body), _Head(head) if head else None, content_type),
        len(head) + len(body),
        payload_length=len(body),
    )
    WARCWriter(out, gzip=True, warc_version="1.1").write_record(record)
    data = out.getvalue()
    return Record(data, hashlib.sha256(data).digest())


def _date(at: datetime) -> str:
    return at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def _reason(status: int) -> str:
    try:
        return HTTPStatus(status).phrase
    except ValueError:
        return ""
