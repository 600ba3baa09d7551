"""Countersigning heads of other installations: each is heard once, entered into our own chain, and answered for."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from typing import TYPE_CHECKING

from crawler.evidence.key_announcements import current_key
from crawler.evidence.record_files import EvidenceFolder
from crawler.evidence.signing_keys import KeyFiles
from crawler.witnesses.head_statements import BadStatement, HeadStatement, read_head, state_heard
from storage.evidence import chain_store, heads
from storage.jobs.alert_events import raise_event
from storage.records.alerts import AlertKind
from storage.records.evidence import EvidenceKind, Head, NewEvidence
from storage.records.witnesses import HeardHead, SignedStatement

if TYPE_CHECKING:
    from pathlib import Path

    from sqlalchemy.orm import Session


class HeadRefusal(StrEnum):
    """Why a head is not countersigned."""

    BAD_STATEMENT = "bad-statement"
    """Not of the form, or not signed by the key that it names."""
    UNKNOWN_KEY = "unknown-key"
    """Its key is not among those whose heads are countersigned here."""
    SPLIT_VIEW = "split-view"
    """Another hash was heard at that number: there are two chains with one key."""
    SHORTER_CHAIN = "shorter-chain"
    """A higher number was heard: entries were taken off the end, or an old backup was restored."""


ALARMS = frozenset({HeadRefusal.SPLIT_VIEW, HeadRefusal.SHORTER_CHAIN})


@dataclass(frozen=True, slots=True)
class Refused:
    """`known`: the head that contradicts, as its installation signed it."""

    refusal: HeadRefusal
    message: str
    known: SignedStatement | None = None


def countersign(
    session: "Session", home: "Path", statement: SignedStatement, *, accepted: Collection[str]
) -> SignedStatement | Refused:
    """Checks the head of another installation, enters it into our chain and signs that it was heard.

    `accepted`: ids of the keys whose heads are countersigned. The same head again gets the same answer. A head that
    contradicts one that was heard raises an alert. Locks the chain until the transaction ends. Raises KeyUnusable and
    OSError for our own key.
    """
    try:
        said = read_head(statement)
    except BadStatement as error:
        return Refused(HeadRefusal.BAD_STATEMENT, f"The head cannot be countersigned: {error}.")
    if said.key_id not in accepted:
        return Refused(
            HeadRefusal.UNKNOWN_KEY,
            f"Heads of the key {said.key_id} are not countersigned here. Add it to ZHIWEN_WITNESS_ACCEPTS.",
        )
    chain_store.lock_chain(session)
    of_key = bytes.fromhex(said.key_id)
    known = heads.known_heads(session, of_key, said.head.number)
    if known.same is not None and known.same.head == said.head:
        return known.same.answer
    contradicts = _contradiction(said, known)
    if contradicts is not None:
        _alert(session, said, contradicts)
        return contradicts
    return _entered(session, home, statement, said)


def _contradiction(said: HeadStatement, known: heads.KnownHeads) -> Refused | None:
    number = said.head.number
    if known.same is not None:
        message = f"Another hash was heard at number {number}, on {known.same.heard_at:%Y-%m-%d %H:%M} UTC."
        return Refused(HeadRefusal.SPLIT_VIEW, message, known.same.statement)
    if known.highest is not None and known.highest.head.number > number:
        message = f"The chain was longer: {known.highest.head.number} entries on {known.highest.heard_at:%Y-%m-%d}."
        return Refused(HeadRefusal.SHORTER_CHAIN, message, known.highest.statement)
    return None


def _entered(session: "Session", home: "Path", statement: SignedStatement, said: HeadStatement) -> SignedStatement:
    # First: its own announcement may be an entry, too.
    key = current_key(session, KeyFiles(home), EvidenceFolder(home))
    now = datetime.now(UTC)
    entry = chain_store.append(session, heard_entry(said, now))
    answer = state_heard(key, said, now, Head(entry.number, entry.hash))
    heads.add_heard(session, HeardHead(bytes.fromhex(said.key_id), said.head, entry.number, now, statement, answer))
    return answer


def heard_entry(said: HeadStatement, now: datetime) -> NewEvidence:
    """The entry of our chain about a head of another: its key in `whom`, the head in `why`."""
    return NewEvidence(EvidenceKind.WITNESSED, now, "", why=str(said.head), whom=said.key_id)


def _alert(session: "Session", said: HeadStatement, refused: Refused) -> None:
    problem = f"The installation with the key {said.key_id[:16]}… sent head {said.head.number}. {refused.message}"
    # Once a day: a chain that was rebuilt goes on growing, and each of its heads contradicts.
    key = f"{refused.refusal}:{said.key_id}:{datetime.now(UTC):%Y-%m-%d}"
    raise_event(session, AlertKind.EVIDENCE_ALARM, key=key, details={"problem": problem})
