"""Proofs of OpenTimestamps: read and written as the library of OpenTimestamps does, and bounded against calendars."""

import contextlib
import hashlib
import os

import pytest
from hypothesis import given
from hypothesis import strategies as st
from opentimestamps.core.notary import BitcoinBlockHeaderAttestation, LitecoinBlockHeaderAttestation, PendingAttestation
from opentimestamps.core.op import OpAppend, OpHexlify, OpKECCAK256, OpPrepend, OpSHA1, OpSHA256
from opentimestamps.core.timestamp import Timestamp, make_merkle_tree

from crawler.witnesses.proof_tree import (
    APPEND,
    MAGIC,
    MAX_MESSAGE_BYTES,
    SHA256,
    BitcoinBlock,
    Operation,
    OtherAttestation,
    Pending,
    ProofTree,
    ProofUnreadable,
    applied,
    detached_file,
    read_detached_file,
    read_proof,
    written,
)
from tests.support.calendar_server import read_by_the_library, serialized

DIGEST = hashlib.sha256(b"list").digest()
PROMISE = Pending("https://a.calendar.example")


def attested(stamp: Timestamp) -> set[tuple[bytes, str]]:
    return {(message, repr(one)) for message, one in stamp.all_attestations()}


def a_stamp() -> Timestamp:
    """With forks, other kinds of attestations and operations that are allowed and rare."""
    stamp = Timestamp(DIGEST)
    blinded = stamp.ops.add(OpAppend(b"nonce")).ops.add(OpSHA256())
    blinded.attestations.add(PendingAttestation("https://a.calendar.example"))
    blinded.attestations.add(PendingAttestation("https://b.calendar.example/path"))
    blinded.ops.add(OpHexlify()).ops.add(OpSHA1()).attestations.add(LitecoinBlockHeaderAttestation(7))
    blinded.ops.add(OpPrepend(b"\x00" * 300)).ops.add(OpSHA256()).attestations.add(
        BitcoinBlockHeaderAttestation(870_123)
    )
    return stamp


def test_what_the_library_writes_is_read_with_the_same_messages() -> None:
    stamp = a_stamp()

    tree = read_proof(serialized(stamp), DIGEST)

    assert {message for message, _ in tree.attested()} == {message for message, _ in stamp.all_attestations()}
    kinds = {type(one) for _, one in tree.attested()}
    assert kinds == {Pending, BitcoinBlock, OtherAttestation}
    assert written(tree) == serialized(stamp)


def test_the_library_reads_what_is_written() -> None:
    tree = applied(DIGEST, (Operation(APPEND, b"nonce"), Operation(SHA256)), lambda end: ProofTree(end, (PROMISE,)))

    stamp = read_by_the_library(detached_file(tree))

    blinded = hashlib.sha256(DIGEST + b"nonce").digest()
    assert attested(stamp) == {(blinded, repr(PendingAttestation(PROMISE.uri)))}
    assert read_detached_file(detached_file(tree)) == tree


def test_a_promise_is_replaced_by_what_its_calendar_adds_and_others_stay() -> None:
    tree = read_proof(serialized(a_stamp()), DIGEST)
    message = next(message for message, one in tree.attested() if one == PROMISE)
    rest = ProofTree(
        message, (), ((Operation(SHA256), ProofTree(hashlib.sha256(message).digest(), (BitcoinBlock(1),))),)
    )

    whole = tree.completed(PROMISE, {message: rest})

    promises = [one for _, one in whole.attested() if isinstance(one, Pending)]
    assert promises == [Pending("https://b.calendar.example/path")]
    assert (hashlib.sha256(message).digest(), BitcoinBlock(1)) in set(whole.attested())
    assert attested(read_by_the_library(detached_file(whole)))
    assert tree.completed(PROMISE, {}) == tree


@given(st.lists(st.binary(min_size=1, max_size=80), min_size=1, max_size=20), st.integers(0, 2**31))
def test_a_merkle_path_of_the_library_leads_to_the_root_that_it_computes(leaves: list[bytes], height: int) -> None:
    stamps = [Timestamp(hashlib.sha256(leaf).digest()) for leaf in dict.fromkeys(leaves)]
    root = make_merkle_tree(stamps)
    root.attestations.add(BitcoinBlockHeaderAttestation(height))

    for stamp in stamps:
        tree = read_proof(serialized(stamp), stamp.msg)
        assert list(tree.attested()) == [(root.msg, BitcoinBlock(height))]


@given(st.binary(max_size=400))
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    with contextlib.suppress(ProofUnreadable):
        assert list(read_proof(data, DIGEST).attested())
    with contextlib.suppress(ProofUnreadable):
        assert list(read_detached_file(MAGIC + b"\x01\x08" + data).attested())


@given(st.data())
def test_a_changed_proof_is_refused_or_another_proof(data: st.DataObject) -> None:
    genuine = serialized(a_stamp())
    place = data.draw(st.integers(0, len(genuine) - 1))
    changed = bytearray(genuine)
    changed[place] ^= data.draw(st.integers(1, 255))
    try:
        tree = read_proof(bytes(changed), DIGEST)
    except ProofUnreadable:
        return
    assert tree != read_proof(genuine, DIGEST)


_END = b"\x00" + bytes.fromhex("0588960d73d71901") + b"\x01\x05"
HOSTILE = {
    "empty": (b"", "ends in the middle"),
    "cut off": (serialized(a_stamp())[:-1], "ends in the middle"),
    "with more behind it": (serialized(a_stamp()) + b"\x00", "1 bytes follow"),
    "deep": (b"\x08" * 300 + _END, "operations in a row"),
    "wide": (b"\xff\x08" + _END, "ends in the middle"),
    "an endless fork": (b"\xff" * 5_000, "operation that is not supported"),
    "many": ((b"\xff\x08" + _END) * 5_000 + _END, "operations in a row"),
    "an endless number": (b"\xf0" + b"\xff" * 100, "too large"),
    "a long argument": (b"\xf0\xff\xff\x03" + b"x" * 70_000, "at most 4096 are read"),
    "growing": (b"\xf3" * 12 + _END, "results in 8192 bytes"),
    "nothing to append": (b"\x00" + bytes(8) + b"\xff\xff\x7f", "at most 8192 are read"),
    "curves": (b"\x09" + _END, "not supported: 0x09"),
    "a promise that is cut off": (
        b"\x00" + bytes.fromhex("83dfe30d2ef90c8e") + b"\x08\x09http://",
        "ends in the middle",
    ),
    "a query": (b"\x00" + bytes.fromhex("83dfe30d2ef90c8e") + b"\x0c\x0bhttp://a?b=c"[:13], "characters that none has"),
    "a long attestation": (b"\x00" + bytes.fromhex("0588960d73d71901") + b"\x02\x05\x05", "longer than it says"),
    "huge": (b"\x00" * 100_001, "at most 100000 are read"),
}


@pytest.mark.parametrize(("data", "said"), HOSTILE.values(), ids=HOSTILE)
def test_a_hostile_proof_is_refused_with_the_reason(data: bytes, said: str) -> None:
    with pytest.raises(ProofUnreadable, match=said):
        read_proof(data, DIGEST)


def test_an_operation_that_is_not_supported_is_named() -> None:
    stamp = Timestamp(DIGEST)
    stamp.ops.add(OpKECCAK256()).attestations.add(BitcoinBlockHeaderAttestation(1))

    with pytest.raises(ProofUnreadable, match="0x67"):
        read_proof(serialized(stamp), DIGEST)


def test_nothing_but_a_file_of_a_sha256_is_read() -> None:
    for data in (b"", MAGIC, MAGIC + b"\x02\x08" + DIGEST, MAGIC + b"\x01\x02" + bytes(20), MAGIC + b"\x01\x08short"):
        with pytest.raises(ProofUnreadable):
            read_detached_file(data)
    with pytest.raises(ValueError, match="not 20"):
        detached_file(ProofTree(bytes(20), (PROMISE,)))
    with pytest.raises(ValueError, match="an attestation"):
        written(ProofTree(DIGEST))


def test_a_result_is_never_longer_than_a_message_may_be() -> None:
    with pytest.raises(ProofUnreadable, match="results in"):
        Operation(APPEND, os.urandom(10)).result(bytes(MAX_MESSAGE_BYTES))
