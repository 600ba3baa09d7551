"""Checks of the file of a capture: record, signature, and each member that the record names. Pure."""

import hashlib
import json
from collections.abc import Iterator, Mapping
from itertools import zip_longest
from typing import Any

from crawler.evidence.key_announcements import KeyRing
from crawler.evidence.record_reader import DamagedRecord
from crawler.evidence.recordings.capture_file import FoundMember, members_in, record_uri
from crawler.evidence.recordings.capture_record import KIND
from crawler.evidence.signing_keys import key_id
from storage.records.evidence import EvidenceEntry, EvidenceProblem


def problems_of_capture(entry: EvidenceEntry, data: bytes, keys: KeyRing) -> Iterator[EvidenceProblem]:
    """What is wrong with the file of a `recorded` entry; nothing if record, signature and members hold."""
    try:
        found = members_in(data)
        first, second = next(found, None), next(found, None)
        if first is None or second is None:
            raise DamagedRecord("its file holds no record with its signature")
        for message in (*_of_record(entry, first, second, keys), *_of_members(first, found)):
            yield EvidenceProblem(entry.number, message, entry.url)
    except DamagedRecord as error:
        yield EvidenceProblem(entry.number, str(error), entry.url)


def _of_record(entry: EvidenceEntry, first: FoundMember, second: FoundMember, keys: KeyRing) -> Iterator[str]:
    record = _object(first.content)
    if first.uri != record_uri(entry.url) or record.get("url") != entry.url or record.get("record") != KIND:
        yield "its file holds the record of another page"
    if hashlib.sha256(first.content).digest() != entry.payload:
        yield "the record in its file is not the one that it names"
    signer = record.get("signed_by")
    key, public = (signer.get("id"), signer.get("public")) if isinstance(signer, dict) else (None, None)
    signatures = _signatures(entry)
    if not signatures:
        yield "it names no signature"
    for named, signature in signatures:
        problem = keys.problem(entry.number, named, signature, first.content)
        if problem is not None:
            yield problem
        if named != key or not isinstance(public, str) or key_id(_bytes(public)) != key:
            yield "its record names another key than signed it"
        if _object(second.content) != {"key": named, "public": public, "signature": signature.hex()}:
            yield "the signature in its file is not the one that it names"


def _of_members(first: FoundMember, rest: Iterator[FoundMember]) -> Iterator[str]:
    named = _object(first.content).get("members")
    for number, (one, found) in enumerate(zip_longest(named if isinstance(named, list) else [], rest), 1):
        if found is None:
            yield f"member {number}, {_uri(one)}, is missing in its file"
        elif one is None:
            yield f"its file holds {found.uri[:200]}, which its record does not name"
        elif _uri(one) != found.uri or not isinstance(one, dict):
            yield f"member {number} is {found.uri[:200]}, and its record names {_uri(one)}"
        elif hashlib.sha256(found.content).hexdigest() != one.get("sha256") or len(found.content) != one.get("bytes"):
            yield f"member {number}, {_uri(one)}, is not the one that its record names"


def _signatures(entry: EvidenceEntry) -> list[tuple[str, bytes]]:
    found = _object(entry.body.encode()).get("signatures")
    if not isinstance(found, list):
        return []
    return [(str(one[0]), _bytes(str(one[1]))) for one in found if isinstance(one, list) and len(one) == 2]  # noqa: PLR2004


def _object(written: bytes) -> Mapping[str, Any]:
    try:
        found = json.loads(written)
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def _bytes(digits: str) -> bytes:
    try:
        return bytes.fromhex(digits)
    except ValueError:
        return b""


def _uri(member: object) -> str:
    return str(member.get("uri"))[:200] if isinstance(member, dict) else "?"
