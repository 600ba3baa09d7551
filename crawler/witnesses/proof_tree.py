"""Proofs of OpenTimestamps: a tree of operations that leads from a hash to what attests it.

The format is that of python-opentimestamps, version 1 of detached files, which the tests compare. Read are answers of
calendars, so everything is bounded: nesting, lengths, and the operations themselves (`docs/adr/0052`).
"""

import hashlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Final, TypeAlias

MAGIC: Final = b"\x00OpenTimestamps\x00\x00Proof\x00\xbf\x89\xe2\xe8\x84\xe8\x92\x94"
VERSION: Final = 1
MAX_DEPTH: Final = 256
MAX_MESSAGE_BYTES: Final = 4_096
MAX_PAYLOAD_BYTES: Final = 8_192
MAX_URI_BYTES: Final = 1_000
MAX_NODES: Final = 4_096
"""Of a whole proof. One from a calendar has some hundred."""
MAX_PROOF_BYTES: Final = 100_000
_NUMBER_BYTES: Final = 9
"""Of a number in groups of seven bits: enough for 63 bits."""
DIGEST_BYTES: Final = 32

SHA256: Final = 0x08
APPEND: Final = 0xF0
PREPEND: Final = 0xF1
_ATTESTATION: Final = 0x00
_FORK: Final = 0xFF
_PENDING_TAG: Final = bytes.fromhex("83dfe30d2ef90c8e")
_BITCOIN_TAG: Final = bytes.fromhex("0588960d73d71901")
_TAG_BYTES: Final = 8
_URI_CHARS: Final = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._/:")

_UNARY: Final[Mapping[int, Callable[[bytes], bytes]]] = {
    0x02: lambda message: hashlib.sha1(message, usedforsecurity=False).digest(),
    SHA256: lambda message: hashlib.sha256(message).digest(),
    0xF2: lambda message: message[::-1],
    0xF3: lambda message: message.hex().encode("ascii"),
}
_BINARY: Final[Mapping[int, Callable[[bytes, bytes], bytes]]] = {
    APPEND: lambda message, argument: message + argument,
    PREPEND: lambda message, argument: argument + message,
}


class ProofUnreadable(Exception):
    """Bytes that are no proof of OpenTimestamps, or one beyond the bounds. The message says what is wrong."""


@dataclass(frozen=True, slots=True)
class Pending:
    """A calendar's promise. `uri`: where the rest of the proof will be."""

    uri: str


@dataclass(frozen=True, slots=True)
class BitcoinBlock:
    """The message is the Merkle root in the header of the block of this height, if the proof is genuine."""

    height: int


@dataclass(frozen=True, slots=True)
class OtherAttestation:
    """One of a kind that is not used here; kept as it is."""

    tag: bytes
    payload: bytes


Attestation: TypeAlias = Pending | BitcoinBlock | OtherAttestation


@dataclass(frozen=True, slots=True)
class Operation:
    """`argument`: empty for an operation that takes none."""

    tag: int
    argument: bytes = b""

    def result(self, message: bytes) -> bytes:
        """Raises ProofUnreadable for an unknown operation, or a result beyond the bounds."""
        if self.tag in _BINARY:
            found = _BINARY[self.tag](message, self.argument)
        elif self.tag in _UNARY:
            found = _UNARY[self.tag](message)
        else:
            raise ProofUnreadable(f"it has an operation that is not supported: 0x{self.tag:02x}")
        if not 0 < len(found) <= MAX_MESSAGE_BYTES:
            raise ProofUnreadable(f"an operation results in {len(found)} bytes; at most {MAX_MESSAGE_BYTES} are read")
        return found


@dataclass(frozen=True, slots=True)
class ProofTree:
    """What is known of `message`: attestations of it, and operations with what is known of their results."""

    message: bytes
    attestations: tuple[Attestation, ...] = ()
    branches: "tuple[tuple[Operation, ProofTree], ...]" = ()

    def attested(self) -> "Iterator[tuple[bytes, Attestation]]":
        """Each attestation with the message that it attests."""
        for attestation in self.attestations:
            yield self.message, attestation
        for _operation, tree in self.branches:
            yield from tree.attested()

    def completed(self, promise: Pending, by: "Mapping[bytes, ProofTree]") -> "ProofTree":
        """The tree with this promise replaced wherever `by` has a tree of its message."""
        branches = tuple((operation, tree.completed(promise, by)) for operation, tree in self.branches)
        known = by.get(self.message)
        if promise not in self.attestations or known is None:
            return replace(self, branches=branches)
        others = tuple(one for one in self.attestations if one != promise and one not in known.attestations)
        return ProofTree(self.message, (*others, *known.attestations), (*branches, *known.branches))


def applied(message: bytes, operations: tuple[Operation, ...], end: Callable[[bytes], ProofTree]) -> ProofTree:
    """The tree that applies these operations to `message`, one after the other, and ends with `end` of the result."""
    if not operations:
        return end(message)
    first, *rest = operations
    return ProofTree(message, (), ((first, applied(first.result(message), tuple(rest), end)),))


def detached_file(tree: ProofTree) -> bytes:
    """A file in the format `.ots` for a file whose SHA-256 is the tree's message. Raises ValueError for another."""
    if len(tree.message) != DIGEST_BYTES:
        raise ValueError(f"a SHA-256 has {DIGEST_BYTES} bytes, not {len(tree.message)}")
    return MAGIC + bytes((VERSION, SHA256)) + tree.message + written(tree)


def read_detached_file(data: bytes) -> ProofTree:
    """The proof in an `.ots` file of a SHA-256. Raises ProofUnreadable."""
    head = MAGIC + bytes((VERSION, SHA256))
    if not data.startswith(head):
        raise ProofUnreadable("it is no OpenTimestamps file of a SHA-256, version 1")
    begin = len(head) + DIGEST_BYTES
    if len(data) < begin:
        raise ProofUnreadable("it ends in the middle")
    return read_proof(data[begin:], data[len(head) : begin])


def read_proof(data: bytes, message: bytes) -> ProofTree:
    """A proof about `message`, as calendars answer. Raises ProofUnreadable, also if anything follows it."""
    if len(data) > MAX_PROOF_BYTES:
        raise ProofUnreadable(f"it has {len(data)} bytes; at most {MAX_PROOF_BYTES} are read")
    reader = _Reader(data)
    tree = reader.tree(message, MAX_DEPTH)
    if reader.place != len(data):
        raise ProofUnreadable(f"{len(data) - reader.place} bytes follow it")
    return tree


def written(tree: ProofTree) -> bytes:
    """The bytes of a proof. Raises ValueError for a tree without any attestation, which proves nothing."""
    parts = [bytes((_ATTESTATION,)) + _written_attestation(one) for one in tree.attestations]
    for operation, branch in tree.branches:
        argument = _written_bytes(operation.argument) if operation.tag in _BINARY else b""
        parts.append(bytes((operation.tag,)) + argument + written(branch))
    if not parts:
        raise ValueError("a proof needs an attestation at the end of each branch")
    fork = bytes((_FORK,))
    return b"".join(fork + part for part in parts[:-1]) + parts[-1]


def _written_attestation(attestation: Attestation) -> bytes:
    if isinstance(attestation, Pending):
        return _PENDING_TAG + _written_bytes(_written_bytes(attestation.uri.encode("ascii")))
    if isinstance(attestation, BitcoinBlock):
        return _BITCOIN_TAG + _written_bytes(_written_number(attestation.height))
    return attestation.tag + _written_bytes(attestation.payload)


def _written_bytes(data: bytes) -> bytes:
    return _written_number(len(data)) + data


def _written_number(number: int) -> bytes:
    groups = bytearray()
    while number > 0x7F:  # noqa: PLR2004  # seven bits
        groups.append(0x80 | (number & 0x7F))
        number >>= 7
    return bytes((*groups, number))


class _Reader:
    """Reads from the front; raises ProofUnreadable where the data end or exceed a bound."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._nodes = 0
        self.place = 0

    def tree(self, message: bytes, depth: int) -> ProofTree:
        self._nodes += 1
        if not depth or self._nodes > MAX_NODES:
            raise ProofUnreadable(f"it has more than {MAX_DEPTH} operations in a row or {MAX_NODES} in all")
        attestations: list[Attestation] = []
        branches: list[tuple[Operation, ProofTree]] = []
        is_last = False
        while not is_last:
            tag = self._byte()
            is_last = tag != _FORK
            tag = tag if is_last else self._byte()
            if tag == _ATTESTATION:
                attestations.append(self._attestation())
                continue
            operation = Operation(tag, self._bytes(MAX_MESSAGE_BYTES) if tag in _BINARY else b"")
            branches.append((operation, self.tree(operation.result(message), depth - 1)))
        return ProofTree(message, tuple(attestations), tuple(branches))

    def _attestation(self) -> Attestation:
        tag, payload = self._taken(_TAG_BYTES), self._bytes(MAX_PAYLOAD_BYTES)
        if tag not in (_PENDING_TAG, _BITCOIN_TAG):
            return OtherAttestation(tag, payload)
        inner = _Reader(payload)
        found = inner.pending() if tag == _PENDING_TAG else BitcoinBlock(inner.number())
        if inner.place != len(payload):
            raise ProofUnreadable("an attestation is longer than it says")
        return found

    def pending(self) -> Pending:
        uri = self._bytes(MAX_URI_BYTES)
        if not _URI_CHARS.issuperset(uri):
            raise ProofUnreadable("a calendar's address has characters that none has")
        return Pending(uri.decode("ascii"))

    def number(self) -> int:
        found = 0
        for group in range(_NUMBER_BYTES):
            byte = self._byte()
            found |= (byte & 0x7F) << (7 * group)
            if not byte & 0x80:
                return found
        raise ProofUnreadable("a number in it is too large")

    def _bytes(self, most: int) -> bytes:
        size = self.number()
        if size > most:
            raise ProofUnreadable(f"a part of it has {size} bytes; at most {most} are read")
        return self._taken(size)

    def _byte(self) -> int:
        return self._taken(1)[0]

    def _taken(self, size: int) -> bytes:
        end = self.place + size
        if end > len(self._data):
            raise ProofUnreadable("it ends in the middle")
        found = self._data[self.place : end]
        self.place = end
        return found
