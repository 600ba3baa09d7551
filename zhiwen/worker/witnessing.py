"""Witnesses of the settings: lists new evidence files, and has lists and heads confirmed by those who are set up."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

from crawler.evidence.key_announcements import current_key
from crawler.evidence.record_files import EvidenceFolder
from crawler.evidence.signing_keys import KeyFiles, KeyUnusable
from crawler.evidence.timestamps import StampFailed, authority, stamp_data
from crawler.witnesses.calendar import Calendar, block_of
from crawler.witnesses.countersignature_client import CountersignatureClient
from crawler.witnesses.failures import Contradiction, WitnessFailed, WitnessRefused
from crawler.witnesses.head_statements import state_head
from crawler.witnesses.proof_tree import ProofTree, ProofUnreadable, detached_file, read_detached_file
from storage.engine import transaction
from storage.evidence import chain_store, file_lists, heads, witnesses
from storage.jobs import queue
from storage.jobs.alert_events import raise_event
from storage.records.alerts import AlertKind
from storage.records.evidence import EvidenceKind
from storage.records.witnesses import (
    COUNTERSIGNATURE,
    CountersignatureRecord,
    FileList,
    WitnessAnswer,
    WitnessKind,
    WitnessRecord,
    WitnessState,
)
from zhiwen.config.witnesses import witnesses_of

if TYPE_CHECKING:
    from sqlalchemy import Engine
    from sqlalchemy.orm import Session

    from zhiwen.config.settings import Settings

LISTS_A_TURN: Final = 10
"""Of up to a thousand files each: a store that is witnessed for the first time takes some turns."""


@dataclass(slots=True)
class Witnessed:
    """What one turn did. `failed`: without result, now or for good."""

    listed: int = 0
    asked: int = 0
    confirmed: int = 0
    failed: int = 0


def witness(settings: "Settings", engine: "Engine", *, should_stop: Callable[[], bool] = lambda: False) -> Witnessed:
    """One turn: lists files that are in no list yet, and asks all witnesses whose turn it is, each once.

    A witness that does not answer stops no other; it is asked again after a pause, and an alert says when it is not
    asked any more.
    """
    kinds, done = witnesses_of(settings), Witnessed()
    if set(kinds) - {COUNTERSIGNATURE}:
        done.listed = _list_files(engine, should_stop)
    lists = {kind: sources for kind, sources in kinds.items() if kind != COUNTERSIGNATURE}
    with transaction(engine) as session:
        now = queue.database_time(session)
        for kind, sources in lists.items():
            for source in sources:
                witnesses.add_missing(session, WitnessKind(kind), source, now, since=None)
        due = witnesses.due(session, now, [source for sources in lists.values() for source in sources])
    for asked in due:
        if should_stop():
            return done
        _ask_about_list(settings, engine, asked, done)
    for source in kinds.get(COUNTERSIGNATURE, ()):
        if not should_stop():
            _have_head_countersigned(settings, engine, source, done)
    return done


def _list_files(engine: "Engine", should_stop: Callable[[], bool]) -> int:
    listed = 0
    for _ in range(LISTS_A_TURN):
        with transaction(engine) as session:
            # Two workers must not list a file twice.
            chain_store.lock_chain(session)
            found = file_lists.unlisted_files(session)
            if found:
                file_lists.add_list(session, found)
                listed += len(found)
        if not found or should_stop():
            break
    return listed


def _ask_about_list(settings: "Settings", engine: "Engine", asked: WitnessRecord, done: Witnessed) -> None:
    with transaction(engine) as session:
        shown = file_lists.get_list(session, asked.list_id)
    if shown is None:
        return
    done.asked += 1
    problem, is_final = "", False
    try:
        # Outside a transaction: nothing waits for the server of a witness.
        got = _answer_of(settings, asked, shown)
    except (StampFailed, WitnessFailed) as error:
        problem, is_final = str(error), isinstance(error, WitnessRefused)
    with transaction(engine) as session:
        now = queue.database_time(session)
        if problem:
            state = witnesses.record_failure(session, asked, problem, now, is_final=is_final)
        else:
            state = witnesses.record_answer(session, asked, got, now)
        done.confirmed += state is WitnessState.DONE
        done.failed += bool(problem) or state is WitnessState.FAILED
        if state is WitnessState.FAILED:
            said = problem or f"{asked.source} promised to commit to it, and has not done so."
            _alert(session, f"witness:{asked.source}:{now:%Y-%m-%d}", f"No witness for list {shown.id}: {said}")


def _answer_of(settings: "Settings", asked: WitnessRecord, shown: FileList) -> WitnessAnswer:
    if asked.kind is WitnessKind.OPEN_TIMESTAMPS:
        return _committed(asked, shown)
    if settings.time_stamp_certificates is None:
        raise StampFailed("ZHIWEN_TIME_STAMP_CERTIFICATES is not set.")
    by = authority(asked.source, settings.time_stamp_certificates)
    got = stamp_data(shown.body.encode(), by)
    return WitnessAnswer(WitnessState.DONE, got.response, got.at, got.request, by.pem)


def _committed(asked: WitnessRecord, shown: FileList) -> WitnessAnswer:
    calendar = Calendar(asked.source)
    proof = calendar.submit(shown.digest) if asked.proof is None else calendar.upgrade(_kept_proof(asked))
    block = block_of(proof)
    if block is None:
        return WitnessAnswer(WitnessState.PENDING, detached_file(proof))
    now = datetime.now(UTC)
    return WitnessAnswer(
        WitnessState.DONE, detached_file(proof), now, height=block.height, merkle_root=block.merkle_root
    )


def _kept_proof(asked: WitnessRecord) -> ProofTree:
    try:
        return read_detached_file(asked.proof or b"")
    except ProofUnreadable as error:
        raise WitnessRefused(f"The stored proof of list {asked.list_id} is no proof: {error}.") from error


def _have_head_countersigned(settings: "Settings", engine: "Engine", source: str, done: Witnessed) -> None:
    """One head at a time: while one waits, no later one is sent, which would make the earlier a shorter chain."""
    try:
        asked = _request_to_send(settings, engine, source)
    except (KeyUnusable, OSError) as unusable:
        with transaction(engine) as session:
            now = queue.database_time(session)
            _alert(session, f"witness:{source}:{now:%Y-%m-%d}", f"No head can be signed: {unusable}")
        done.failed += 1
        return
    if asked is None:
        return
    done.asked += 1
    client = CountersignatureClient(source, token=settings.witness_token or "", key_id=settings.witness_key or "")
    try:
        answer, heard = client.ask(asked.statement)
    except WitnessFailed as error:
        _note_failure(engine, asked, error)
        done.failed += 1
        return
    with transaction(engine) as session:
        heads.record_answer(session, asked, answer, heard.at)
    done.confirmed += 1


def _note_failure(engine: "Engine", asked: CountersignatureRecord, error: WitnessFailed) -> None:
    with transaction(engine) as session:
        now = queue.database_time(session)
        state = heads.record_failure(session, asked, str(error), now, is_final=isinstance(error, WitnessRefused))
        if isinstance(error, Contradiction):
            _alert(session, f"contradiction:{asked.source}:{now:%Y-%m-%d}", str(error))
        elif state is WitnessState.FAILED:
            _alert(session, f"witness:{asked.source}:{now:%Y-%m-%d}", str(error))


def _request_to_send(settings: "Settings", engine: "Engine", source: str) -> CountersignatureRecord | None:
    """The request that is due, or one about the present head if it is new; None if there is nothing to send now."""
    with transaction(engine) as session:
        now = queue.database_time(session)
        newest = heads.newest(session, source)
        if newest is None or newest.state is not WitnessState.WAITING:
            # First: its own announcement may be an entry.
            key = current_key(session, KeyFiles(settings.home), EvidenceFolder(settings.home))
            head = chain_store.head(session)
            if head is not None and _is_new(session, newest):
                heads.add_request(session, head, source, state_head(key, head, now), now)
        due = heads.due(session, now, source)
    return due[0] if due else None


def _is_new(session: "Session", newest: CountersignatureRecord | None) -> bool:
    """Whether there is an entry to witness. What others had countersigned here is none: two installations that
    countersign for each other would otherwise never come to rest.
    """
    after = 0 if newest is None else newest.head.number
    return chain_store.has_entry_after(session, after, but=EvidenceKind.WITNESSED)


def _alert(session: "Session", key: str, problem: str) -> None:
    raise_event(session, AlertKind.EVIDENCE_ALARM, key=key, details={"problem": problem})
