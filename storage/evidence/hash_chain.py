"""The evidence chain: each entry contains the hash of the one before, so none can be changed, dropped or moved. Pure.

An entry is a line of JSON; its hash is the SHA-256 of the hash before it (64 hexadecimal digits), a line feed and that
line. A few lines of any language check it.
"""

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from storage.records.evidence import EvidenceEntry, EvidenceKind, EvidenceProblem, Head

FIRST: Final = bytes(32)
"""The previous hash of the first entry."""

NUMBER: Final = "n"


def entry_body(number: int, fields: Mapping[str, object]) -> str:
    """The canonical JSON line of an entry with its number. Fields that are None are left out."""
    known = {name: value for name, value in fields.items() if value is not None}
    return json.dumps({**known, NUMBER: number}, ensure_ascii=True, sort_keys=True, separators=(",", ":"))


def entry_hash(previous: bytes, body: str) -> bytes:
    return hashlib.sha256(f"{previous.hex()}\n{body}".encode()).digest()


def broken_links(entries: Iterable[EvidenceEntry], *, expected: Head | None = None) -> Iterator[EvidenceProblem]:
    """The problems of a chain. `entries`: in order, from the first.

    A chain that was cut off at its end is detected only with a head noted earlier: `expected`.
    """
    number, previous = 0, FIRST
    met = expected is None
    for entry in entries:
        if entry.number != number + 1:
            yield EvidenceProblem(entry.number, f"entries {number + 1} to {entry.number - 1} are missing")
        if entry.previous != previous:
            yield EvidenceProblem(entry.number, "it does not follow the entry before it")
        if entry_hash(entry.previous, entry.body) != entry.hash:
            yield EvidenceProblem(entry.number, "it was changed: its hash is not that of its words")
        yield from _contradictions(entry)
        if expected is not None and entry.number == expected.number:
            met = True
            if entry.hash != expected.hash:
                yield EvidenceProblem(entry.number, "its hash is not the one that was noted")
        number, previous = entry.number, entry.hash
    if not met and expected is not None:
        yield EvidenceProblem(expected.number, f"it was noted and is not there: the chain ends at {number}")


def removed_records(entry: EvidenceEntry) -> tuple[bytes, ...]:
    """The files named by a removal entry; empty for other or unreadable entries."""
    if entry.kind is not EvidenceKind.REMOVED:
        return ()
    try:
        return tuple(map(bytes.fromhex, json.loads(entry.body)["records"]))
    except (ValueError, KeyError, TypeError):
        return ()


def folder_of(entry: EvidenceEntry) -> str | None:
    """The name of the folder that keeps the entry's file; None if it states none, as entries of older versions."""
    try:
        name = json.loads(entry.body)["folder"]
    except (ValueError, KeyError, TypeError):
        return None
    return name if isinstance(name, str) else None


def _contradictions(entry: EvidenceEntry) -> Iterator[EvidenceProblem]:
    """Checks that the columns of an entry agree with its hashed line."""
    try:
        said = json.loads(entry.body)
    except ValueError:
        yield EvidenceProblem(entry.number, "it cannot be read")
        return
    columns = {
        NUMBER: entry.number,
        "kind": entry.kind.value,
        "url": entry.url,
        "record": _hex(entry.record),
        "payload": _hex(entry.payload),
        "text": _hex(entry.text),
        "refers": _hex(entry.refers),
    }
    wrong = [name for name, value in columns.items() if not isinstance(said, dict) or said.get(name) != value]
    if wrong:
        yield EvidenceProblem(entry.number, f"it is listed otherwise than it says ({', '.join(wrong)})")


def _hex(digest: bytes | None) -> str | None:
    return None if digest is None else digest.hex()
