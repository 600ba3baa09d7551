"""Verification of witnesses, without any network: lists, stamps, proofs of calendars, and countersigned heads."""

import hashlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from crawler.evidence.timestamps import StampFailed, checked_data
from crawler.witnesses.calendar import Block, block_of
from crawler.witnesses.head_statements import BadStatement, read_head, read_heard
from crawler.witnesses.proof_tree import ProofUnreadable, read_detached_file
from storage.evidence import chain_store, file_lists, heads, witnesses
from storage.records.evidence import EvidenceKind, EvidenceProblem
from storage.records.witnesses import (
    CountersignatureRecord,
    FileList,
    HeardHead,
    WitnessKind,
    WitnessRecord,
    WitnessState,
)

if TYPE_CHECKING:
    from sqlalchemy.orm import Session


@dataclass(slots=True)
class VerifiedWitnesses:
    """What was checked. `files`: that stand in lists; `stamped_files`: of these, in a list whose stamp holds."""

    lists: int = 0
    files: int = 0
    stamped_files: int = 0
    promises: int = 0
    """Lists that a calendar only promised to commit to: nothing is proved by these."""
    blocks: list[Block] = field(default_factory=list)
    """Where proofs lead. Whether the blocks have these Merkle roots has to be compared elsewhere."""
    countersigned: int = 0
    """Heads of ours that another installation heard."""
    countersigned_up_to: int = 0
    heard: int = 0
    """Heads of others that this installation heard."""
    problems: int = 0


def verify_witnesses(session: "Session", *, on_problem: Callable[[EvidenceProblem], None]) -> VerifiedWitnesses:
    """Checks all of them against the store. The chain itself and the files are checked by `evidence.verify`."""
    seen = VerifiedWitnesses()
    for problem in _problems(session, seen):
        seen.problems += 1
        on_problem(problem)
    return seen


def _problems(session: "Session", seen: VerifiedWitnesses) -> Iterator[EvidenceProblem]:
    asked: dict[int, list[WitnessRecord]] = {}
    for one in witnesses.all_witnesses(session):
        asked.setdefault(one.list_id, []).append(one)
    for shown in file_lists.all_lists(session):
        yield from _of_list(session, shown, asked.get(shown.id, []), seen)
    yield from _of_countersignatures(session, heads.all_countersignatures(session), seen)
    yield from _of_heard(session, heads.all_heard(session), seen)


def _of_list(
    session: "Session", shown: FileList, asked: Iterable[WitnessRecord], seen: VerifiedWitnesses
) -> Iterator[EvidenceProblem]:
    called = f"list {shown.id}"
    seen.lists += 1
    records = file_lists.listed_records(session, shown.id)
    seen.files += len(records)
    if hashlib.sha256(shown.body.encode()).digest() != shown.digest:
        yield EvidenceProblem(None, f"{called} was changed: its hash is not that of its text")
    if file_lists.list_body(records) != shown.body:
        yield EvidenceProblem(None, f"{called} names other files than those that are stored as listed")
    unknown = chain_store.count_unknown_records(session, records)
    if unknown:
        yield EvidenceProblem(None, f"{called} names {unknown} files that no entry of the chain has")
    is_stamped = False
    for one in asked:
        problem = _problem_of_witness(one, shown, seen)
        if problem is not None:
            yield EvidenceProblem(None, f"{called}, {one.source}: {problem}")
        elif one.kind is WitnessKind.STAMP and one.state is WitnessState.DONE:
            is_stamped = True
    seen.stamped_files += len(records) if is_stamped else 0


def _problem_of_witness(one: WitnessRecord, shown: FileList, seen: VerifiedWitnesses) -> str | None:
    if one.proof is None:
        return "its answer is missing" if one.state in (WitnessState.DONE, WitnessState.PENDING) else None
    return (_problem_of_stamp if one.kind is WitnessKind.STAMP else _problem_of_proof)(one, one.proof, shown, seen)


def _problem_of_proof(one: WitnessRecord, file: bytes, shown: FileList, seen: VerifiedWitnesses) -> str | None:
    try:
        proof = read_detached_file(file)
    except ProofUnreadable as error:
        return f"its proof cannot be read: {error}"
    if proof.message != shown.digest:
        return "its proof is of another file"
    block = block_of(proof)
    if block is None:
        seen.promises += 1
        return "its proof leads to no block" if one.state is WitnessState.DONE else None
    if (block.height, block.merkle_root) != (one.height, one.merkle_root):
        return f"its proof leads to block {block.height}, and is listed otherwise"
    seen.blocks.append(block)
    return None


def _problem_of_stamp(one: WitnessRecord, answer: bytes, shown: FileList, _seen: VerifiedWitnesses) -> str | None:
    try:
        at = checked_data(shown.body.encode(), answer, one.certificates or "")
    except StampFailed as error:
        return str(error)
    return None if at == one.at else f"its time stamp says {at:%Y-%m-%d %H:%M:%S} UTC, and is listed otherwise"


def _of_countersignatures(
    session: "Session", found: Iterable[CountersignatureRecord], seen: VerifiedWitnesses
) -> Iterator[EvidenceProblem]:
    for one in found:
        if one.answer is None:
            continue
        called = f"the countersignature of head {one.head.number} by {one.source}"
        try:
            asked, heard = read_head(one.statement), read_heard(one.answer)
        except BadStatement as error:
            yield EvidenceProblem(None, f"{called} does not hold: {error}")
            continue
        if asked.head != one.head or (heard.of, heard.head) != (asked.key_id, one.head):
            yield EvidenceProblem(None, f"{called} is about another head")
        elif heard.at != one.at:
            yield EvidenceProblem(None, f"{called} says {heard.at:%Y-%m-%d %H:%M:%S} UTC, and is listed otherwise")
        elif not chain_store.are_heads(session, [(one.head.number, one.head.hash)]):
            yield EvidenceProblem(one.head.number, f"{one.source} countersigned another hash, or it is not there")
        else:
            seen.countersigned += 1
            seen.countersigned_up_to = max(seen.countersigned_up_to, one.head.number)


def _of_heard(session: "Session", found: Iterable[HeardHead], seen: VerifiedWitnesses) -> Iterator[EvidenceProblem]:
    for one in found:
        problem = _problem_of_heard(session, one)
        seen.heard += problem is None
        if problem is not None:
            yield EvidenceProblem(one.entry, f"head {one.head.number} of {one.key_id.hex()[:16]}…: {problem}")


def _problem_of_heard(session: "Session", one: HeardHead) -> str | None:
    try:
        said, answered = read_head(one.statement), read_heard(one.answer)
    except BadStatement as error:
        return f"what was signed does not hold: {error}"
    if (said.key_id, said.head) != (one.key_id.hex(), one.head):
        return "it is listed otherwise than it was signed"
    if (answered.of, answered.head, answered.own.number) != (said.key_id, said.head, one.entry):
        return "our answer is about another head"
    if not chain_store.are_heads(session, [(answered.own.number, answered.own.hash)]):
        return "our answer names a head that our chain does not have"
    return None if _is_entered(session, one) else "our chain has no entry about it"


def _is_entered(session: "Session", one: HeardHead) -> bool:
    entry = chain_store.get_entry(session, one.entry)
    if entry is None or entry.kind is not EvidenceKind.WITNESSED:
        return False
    return f'"why":"{one.head}"' in entry.body and f'"whom":"{one.key_id.hex()}"' in entry.body
