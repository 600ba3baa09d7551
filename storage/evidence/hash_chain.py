"""The chain of evidence: an entry holds the hash of the one before; none can be changed, dropped or moved. Pure.

An entry is a line of JSON; its hash is the SHA-256 of the hash before it (64 hexadecimal digits), a line feed and that
line. A few lines of any language check it.
"""

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from storage.records.evidence import EvidenceEntry, EvidenceKind, EvidenceProblem, Head

FIRST: Final = bytes(32)
"""What the first entry holds for the hash before it."""

NUMBER: Final = "n"


def entry_body(number: int, fields: Mapping[str, object]) -> str:
    """The line of an entry: its number and what is known, in one spelling. Fields that are None are left out."""
    known = {name: value for name, value in fields.items() if value is not None}
    return json.dumps({**known, NUMBER: number}, ensure_ascii=True, sort_keys=True, separators=(",", ":"))


def entry_hash(previous: bytes, body: str) -> bytes:
    return hashlib.sha256(f"{previous.hex()}\n{body}".encode()).digest()


def broken_links(entries: Iterable[EvidenceEntry], *, expected: Head | None = None) -> Iterator[EvidenceProblem]:
    """Where the chain does not hold; `entries` in the order of their numbers, from the first on.

    What was cut off at the end is seen only against a head that was noted before: `expected`.
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
    """The files that a removal tells of; none for other entries, and for one that cannot be read."""
    if entry.kind is not EvidenceKind.REMOVED:
        return ()
    try:
        return tuple(map(bytes.fromhex, json.loads(entry.body)["records"]))
    except (ValueError, KeyError, TypeError):
        return ()


def _contradictions(entry: EvidenceEntry) -> Iterator[EvidenceProblem]:
    """The columns by which entries are found say what the hashed line says."""
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
