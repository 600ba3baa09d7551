"""Which key signs from which entry on: each key is announced in the chain before it signs.

An announcement is a statement, a line of JSON, signed by the new key and, if it is a renewal, by the key before it. So
whoever trusts one key of a home can follow its successors; a lost key has none that it signed.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from enum import StrEnum
from typing import TYPE_CHECKING, Final

from crawler.evidence.signing_keys import PUBLIC_BYTES, KeyFiles, SigningKey, key_id, verify
from storage.engine import transaction
from storage.evidence import chain_store
from storage.records.evidence import EvidenceEntry, EvidenceKind, EvidenceProblem, NewEvidence

if TYPE_CHECKING:
    from sqlalchemy import Engine
    from sqlalchemy.orm import Session

    from crawler.evidence.record_files import EvidenceFolder

ANNOUNCES: Final = "evidence key"
"""The first words of the statement: no other signed message can be taken for one."""


class KeyReason(StrEnum):
    FIRST = "first"
    """The home had no key."""
    RENEWED = "renewed"
    """Signed by the key before, too."""
    LOST = "lost"
    """The file of the key before is gone, so that nothing but this entry links the two."""


@dataclass(frozen=True, slots=True)
class AnnouncedKey:
    """`before`: the public key that it replaced. `home`: name of the evidence folder of the home."""

    public: bytes
    reason: KeyReason
    before: bytes | None
    home: str
    at: datetime
    entry: int
    signatures: Mapping[str, bytes]
    statement: str

    @property
    def id(self) -> str:
        return key_id(self.public)


@dataclass(slots=True)
class KeyRing:
    """The keys of a chain, by id. `replaced_by`: the entry from which on a key signs no more."""

    keys: dict[str, AnnouncedKey] = field(default_factory=dict)
    replaced_by: dict[str, int] = field(default_factory=dict)

    def problem(self, number: int, key: str, signature: bytes, message: bytes) -> str | None:
        """Why a signature in entry `number` proves nothing; None if it holds."""
        known = self.keys.get(key)
        if known is None or known.entry >= number:
            return f"its key {key[:16]}… was not announced before it"
        if self.replaced_by.get(key, number) < number:
            return f"its key {key[:16]}… was replaced before it, in entry {self.replaced_by[key]}"
        return None if verify(known.public, signature, message) else "its signature does not hold"


def current_key(session: "Session", files: KeyFiles, folder: "EvidenceFolder") -> SigningKey:
    """The key of this home, made and announced on its first use. Holds the lock of the chain until the transaction
    ends, so that the key is not replaced before what it signs is appended: sign last, and commit soon.

    Raises KeyUnusable, OSError.
    """
    chain_store.lock_chain(session)
    known = key_ring(chain_store.key_entries(session))
    following = files.load_next()
    if following is not None and following.id in known.keys:
        files.use_next()  # a renewal that was interrupted after its entry
    key = files.load()
    lost = files.noted() if key is None else None
    if key is None:
        key = files.make()
    if key.id not in known.keys:
        _announce(session, key, folder.name(), before=lost if lost and key_id(lost) in known.keys else None)
    files.note(key.public)
    return key


def signing_key(engine: "Engine", files: KeyFiles, folder: "EvidenceFolder") -> SigningKey:
    """The same in a transaction of its own, for what is no entry of the chain. Raises KeyUnusable, OSError."""
    with transaction(engine) as session:
        return current_key(session, files, folder)


def renew(engine: "Engine", files: KeyFiles, folder: "EvidenceFolder") -> SigningKey:
    """Replaces the key of this home by a new one. Interrupted at any point, the old one or the new one signs.

    Raises KeyUnusable, OSError.
    """
    with transaction(engine) as session:
        old = current_key(session, files, folder)
        new = files.make_next()
        _announce(session, new, folder.name(), before=old.public, old=old)
    # The file moves under the lock of the chain: another process may be renewing, too.
    return signing_key(engine, files, folder)


def key_ring(entries: Iterable[EvidenceEntry]) -> KeyRing:
    """The keys that these entries announce. Unreadable entries announce none; `problems_of_keys` names them."""
    ring = KeyRing()
    for entry in entries:
        key = announced(entry)
        if key is None or key.id in ring.keys:
            continue
        ring.keys[key.id] = key
        if key.before is not None:
            ring.replaced_by.setdefault(key_id(key.before), key.entry)
    return ring


def problems_of_keys(entries: Iterable[EvidenceEntry]) -> Iterator[EvidenceProblem]:
    """What is wrong with announcements: not legible, not signed by the new key, a renewal not signed by the old one."""
    seen: set[str] = set()
    for entry in entries:
        key = announced(entry)
        if key is None:
            yield EvidenceProblem(entry.number, "its announcement of a key cannot be read")
            continue
        signers = [key.public, *([key.before] if key.reason is KeyReason.RENEWED and key.before else [])]
        for public in signers:
            signature = key.signatures.get(key_id(public), b"")
            if not verify(public, signature, key.statement.encode()):
                yield EvidenceProblem(entry.number, f"its key {key_id(public)[:16]}… did not sign the announcement")
        if key.before is not None and key_id(key.before) not in seen:
            yield EvidenceProblem(entry.number, "it replaces a key that was not announced before it")
        if key.id in seen:
            yield EvidenceProblem(entry.number, "it announces a key that was announced before")
        seen.add(key.id)


def announced(entry: EvidenceEntry) -> AnnouncedKey | None:
    """The key that an entry announces; None if it is another entry, or unreadable."""
    if entry.kind is not EvidenceKind.KEY:
        return None
    try:
        said = json.loads(entry.body)
        stated = json.loads(said["statement"])
        before = stated["before"]
        key = AnnouncedKey(
            bytes.fromhex(stated["key"]),
            KeyReason(stated["reason"]),
            None if before is None else bytes.fromhex(before),
            str(stated["home"]),
            datetime.fromisoformat(stated["at"]),
            entry.number,
            {str(name): bytes.fromhex(signature) for name, signature in said["signatures"]},
            said["statement"],
        )
    except (ValueError, KeyError, TypeError, AttributeError):
        return None
    sizes = {len(public) for public in (key.public, key.before) if public is not None}
    is_whole = sizes == {PUBLIC_BYTES} and stated.get("announces") == ANNOUNCES
    return key if is_whole and (key.reason is KeyReason.FIRST) == (key.before is None) else None


def _announce(
    session: "Session", new: SigningKey, home: str, *, before: bytes | None, old: SigningKey | None = None
) -> None:
    now = datetime.now(UTC)
    reason = KeyReason.RENEWED if old is not None else KeyReason.FIRST if before is None else KeyReason.LOST
    stated = {
        "announces": ANNOUNCES,
        "at": now.isoformat(timespec="microseconds"),
        "before": None if before is None else before.hex(),
        "home": home,
        "key": new.public.hex(),
        "reason": reason.value,
    }
    statement = json.dumps(stated, sort_keys=True, separators=(",", ":"))
    signatures = tuple((key.id, key.sign(statement.encode()).hex()) for key in (new, old) if key is not None)
    chain_store.append(session, NewEvidence(EvidenceKind.KEY, now, "", statement=statement, signatures=signatures))
