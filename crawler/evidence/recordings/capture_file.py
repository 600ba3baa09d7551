"""The file of one capture: a WARC of the signed record, its signature, and the members that it names. Pure."""

import hashlib
import json
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

from crawler.browser.recording import Recording
from crawler.evidence.record_reader import DamagedRecord
from crawler.evidence.recordings.capture_record import Member, certificate_uri
from crawler.evidence.signing_keys import SigningKey
from crawler.warc.http_body import fields_of, split_head
from crawler.warc.writer import RawResponse, Record, resource_record, response_record

JSON: Final = "application/json"
MOST_MEMBERS: Final = 5_000
MOST_MEMBER_BYTES: Final = 64_000_000
MOST_RECORD_BYTES: Final = 16_000_000
"""Of the record itself. Its requests are the most of it."""
MOST_BYTES: Final = 400_000_000
"""Of a file unpacked. The bounds of a recording are far below."""
_BLOCK: Final = 65_536
_GZIP: Final = 16 + zlib.MAX_WBITS


@dataclass(frozen=True, slots=True)
class Parts:
    """The members of a file, each with its WARC record."""

    at: datetime
    members: tuple[Member, ...]
    records: tuple[Record, ...]


@dataclass(frozen=True, slots=True)
class FoundMember:
    """A WARC record of a file. `content`: what its digest is of: the body of a response, else all of it."""

    kind: str
    uri: str
    content: bytes


def record_uri(url: str) -> str:
    return f"urn:zhiwen:record:{url}"


def signature_uri(url: str) -> str:
    return f"urn:zhiwen:signature:{url}"


def parts_of(found: Recording, url: str) -> Parts:
    """Pictures first: whoever looks for one reads no further."""
    at = datetime.fromisoformat(found.facts["started_at"]).astimezone(UTC)
    parts: list[tuple[Member, Record]] = []

    def add(role: str, uri: str, content: bytes, content_type: str) -> None:
        parts.append((_member(role, uri, content), resource_record(uri, at, content, content_type)))

    for number, one in enumerate(found.slices, 1):
        add("picture", f"urn:zhiwen:picture-{number}:{url}", one.data, "image/png")
    add("text", f"urn:zhiwen:text:{url}", found.text.encode("utf-8", "replace"), "text/plain; charset=utf-8")
    if found.mhtml is not None:
        add("mhtml", f"urn:zhiwen:mhtml:{url}", found.mhtml, "multipart/related")
    for certificate in dict.fromkeys(one for chain in found.certificates.values() for one in chain):
        add("certificate", certificate_uri(certificate), certificate, "application/pkix-cert")
    parts += [_response(response) for response in found.responses.values()]
    return Parts(at, tuple(member for member, _ in parts), tuple(record for _, record in parts))


def signed_file(parts: Parts, url: str, record: bytes, key: SigningKey) -> Record:
    """The whole file. `record`: the JSON that names the members."""
    signature = json.dumps(
        {"key": key.id, "public": key.public.hex(), "signature": key.sign(record).hex()}, sort_keys=True
    ).encode()
    first = resource_record(record_uri(url), parts.at, record, JSON)
    second = resource_record(signature_uri(url), parts.at, signature, JSON)
    data = b"".join(one.data for one in (first, second, *parts.records))
    return Record(data, hashlib.sha256(data).digest())


def pictures_named(start: bytes) -> int:
    """How many pictures the record names; `start`: the first bytes of its file. 0 if they hold no whole record."""
    try:
        found = json.loads(_found(_unpacked(start, 0, MOST_RECORD_BYTES)[0]).content)
        return len(found["pictures"]["slices"])
    except (DamagedRecord, ValueError, LookupError, TypeError, RecursionError):
        return 0


def members_in(data: bytes) -> Iterator[FoundMember]:
    """The WARC records of a file, each one gzip member. Raises DamagedRecord."""
    left, place = MOST_BYTES, 0
    for _ in range(MOST_MEMBERS):
        if place >= len(data):
            return
        block, place = _unpacked(data, place, min(left, MOST_MEMBER_BYTES))
        left -= len(block)
        yield _found(block)
    if place < len(data):
        raise DamagedRecord(f"its file has more than {MOST_MEMBERS:,} records")


def _unpacked(data: bytes, place: int, most: int) -> tuple[bytes, int]:
    """The gzip member at `place`, and the place behind it."""
    unpacker = zlib.decompressobj(_GZIP)
    parts, left, waiting = [], most, b""
    try:
        while not unpacker.eof and left > 0:
            if not waiting:
                waiting = data[place : place + _BLOCK]
                place += len(waiting)
            if not waiting:
                break
            parts.append(unpacker.decompress(waiting, left))
            waiting = unpacker.unconsumed_tail
            left -= len(parts[-1])
    except zlib.error as error:
        raise DamagedRecord(f"its file cannot be unpacked: {error}") from error
    if not unpacker.eof:
        raise DamagedRecord("a record of its file is cut off, or too large")
    return b"".join(parts), place - len(unpacker.unused_data)


def _found(block: bytes) -> FoundMember:
    head, mark, rest = split_head(block)
    fields = fields_of(head.split(b"\n")[1:])
    length = fields.get("content-length", "")
    if not mark or not (length.isascii() and length.isdigit()) or len(rest) < int(length):
        raise DamagedRecord("its file is not a whole record")
    kind, content = fields.get("warc-type", ""), rest[: int(length)]
    if kind == "response":
        content = split_head(content)[2]
    return FoundMember(kind, fields.get("warc-target-uri", ""), content)


def _member(role: str, uri: str, content: bytes) -> Member:
    return Member(role, uri, hashlib.sha256(content).digest(), len(content))


def _response(response: RawResponse) -> tuple[Member, Record]:
    return _member("response", response.url, response.body), response_record(response)
