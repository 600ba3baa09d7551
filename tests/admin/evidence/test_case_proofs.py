"""The state of the evidence of a case: at its page, in the API, and as files for other programs."""

import io
import zipfile
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from sqlalchemy import Engine, text

from admin.web.services import Services
from crawler.evidence.signing_keys import new_key
from crawler.witnesses.head_statements import HeadStatement, state_head, state_heard
from storage.accounts.api_tokens import TokenScope
from storage.engine import transaction
from storage.evidence import chain_store, file_lists, heads, witnesses
from storage.evidence.case_proofs import case_proofs
from storage.monitoring.metrics import read_figures
from storage.records.evidence import EvidenceKind, Head, NewEvidence
from storage.records.witnesses import CaseProof, ProofKind, ProofState, WitnessAnswer, WitnessKind, WitnessState
from storage.takedowns import capture_retries, recaptures
from storage.types import Sight
from tests.support.api_tokens import bearer, token_of
from tests.support.cases import StoredCase, keep_responses, store_case
from tests.support.desk_client import COPY, SOURCE, add_person, app_with, let_in

NOW = datetime(2026, 5, 4, 9, 0, tzinfo=UTC)
CALENDAR, AUTHORITY, PEER = "https://calendar.example", "https://stamps.example/", "https://peer.example"
ALL = ("stamp", "open-timestamps", "countersignature")
CAPTURE, PICTURE, STAMP, OTS, COUNTERSIGNED = ProofKind


@pytest.fixture
def case(engine: Engine, tmp_path: Path) -> StoredCase:
    made = store_case(engine)
    keep_responses(engine, tmp_path, COPY, SOURCE)
    return made


def states(engine: Engine, case: StoredCase, set_up: tuple[str, ...] = ALL) -> dict[ProofKind, ProofState]:
    with transaction(engine) as session:
        return {one.kind: one.state for one in case_proofs(session, case.id, set_up=set_up)}


def failed_capture(engine: Engine, case: StoredCase, at: datetime) -> None:
    with transaction(engine) as session:
        entry = chain_store.append(session, NewEvidence(EvidenceKind.FAILED, at, COPY.url, why="timeout")).number
        page = case.theirs.page_id
        recaptures.record(session, case.id, page, at=at, entry=entry, refusal="timeout", sight=Sight.UNREADABLE)


def answer_all(engine: Engine) -> None:
    """Each witness that was asked answers: the calendar with a promise."""
    with transaction(engine) as session:
        for one in witnesses.due(session, NOW, [CALENDAR, AUTHORITY]):
            is_stamp = one.kind is WitnessKind.STAMP
            state = WitnessState.DONE if is_stamp else WitnessState.PENDING
            got = WitnessAnswer(state, b"answer", NOW if is_stamp else None, certificates="roots" if is_stamp else None)
            witnesses.record_answer(session, one, got, NOW)


def countersign(engine: Engine) -> None:
    ours, theirs = new_key(), new_key()
    with transaction(engine) as session:
        head = chain_store.head(session)
        assert head is not None
        heads.add_request(session, head, PEER, state_head(ours, head, NOW), NOW)
        (asked,) = heads.due(session, NOW, PEER)
        answer = state_heard(theirs, HeadStatement(ours.id, head, NOW), NOW, Head(4, bytes(32)))
        heads.record_answer(session, asked, answer, NOW)


def list_files(engine: Engine) -> None:
    with transaction(engine) as session:
        file_lists.add_list(session, file_lists.unlisted_files(session))
        for kind, source in ((WitnessKind.STAMP, AUTHORITY), (WitnessKind.OPEN_TIMESTAMPS, CALENDAR)):
            witnesses.add_missing(session, kind, source, NOW, since=None)


def test_each_kind_is_off_or_waits_until_its_witness_answered(engine: Engine, case: StoredCase) -> None:
    off, waiting = ProofState.OFF, ProofState.WAITING
    assert states(engine, case, ()) == {
        CAPTURE: waiting, PICTURE: waiting, STAMP: off, OTS: off, COUNTERSIGNED: off
    }  # fmt: skip
    assert states(engine, case) == dict.fromkeys(ProofKind, waiting)

    list_files(engine)
    assert states(engine, case) == dict.fromkeys(ProofKind, waiting)
    answer_all(engine)
    countersign(engine)

    found = states(engine, case, ())  # what was confirmed stays so if the witness is not set up any more
    assert (found[STAMP], found[OTS], found[COUNTERSIGNED]) == (ProofState.DONE, ProofState.PENDING, ProofState.DONE)
    with transaction(engine) as session:
        stamp = next(one for one in case_proofs(session, case.id, set_up=()) if one.kind is STAMP)
    assert (stamp.done, stamp.total, stamp.at) == (2, 2, NOW)


def test_a_failed_capture_waits_is_tried_again_and_given_up_with_an_alert(engine: Engine, case: StoredCase) -> None:
    at = NOW
    for number in range(1, capture_retries.MOST_TRIES + 1):
        with transaction(engine) as session:
            assert (
                session.execute(text("SELECT count(*) FROM alert_event WHERE kind = 'evidence-alarm'")).scalar_one()
                == 0
            )
        failed_capture(engine, case, at)
        with transaction(engine) as session:
            (capture, *_rest) = case_proofs(session, case.id, set_up=())
            assert capture.problems == ("timeout",)
            if number < capture_retries.MOST_TRIES:
                at += capture_retries.RETRY_AFTER[number - 1]
                assert (capture.state, capture.next_at) == (ProofState.WAITING, at)
                assert recaptures.due_for_retry(session, at - timedelta(seconds=1), limit=9) == []
                assert [one.page_id for one in recaptures.due_for_retry(session, at, limit=9)] == [case.theirs.page_id]
    assert states(engine, case)[CAPTURE] is ProofState.FAILED
    with transaction(engine) as session:
        assert recaptures.due_for_retry(session, at + timedelta(days=99), limit=9) == []
        problem = session.execute(
            text("SELECT details->>'problem' FROM alert_event WHERE kind = 'evidence-alarm'")
        ).scalar_one()
        (count,) = [one for one in read_figures(session).witnesses if one.kind == "capture"]
    assert "could not be captured in 6 attempts (timeout)" in problem
    assert (count.state, count.count) == (WitnessState.FAILED, 1)

    failed_capture(engine, case, at + timedelta(days=1))
    with transaction(engine) as session:  # a recheck that fails again is no second alert
        assert session.execute(text("SELECT count(*) FROM alert_event WHERE kind = 'evidence-alarm'")).scalar_one() == 1


def test_a_response_ends_the_attempts_and_a_404_is_a_response(engine: Engine, case: StoredCase) -> None:
    failed_capture(engine, case, NOW)
    with transaction(engine) as session:
        entry = chain_store.append(session, NewEvidence(EvidenceKind.CAPTURED, NOW, COPY.url, status=404)).number
        page = case.theirs.page_id
        recaptures.record(session, case.id, page, at=NOW, entry=entry, refusal="gone", sight=Sight.ABSENT)
        assert recaptures.due_for_retry(session, NOW + timedelta(days=9), limit=9) == []
        (capture, *_rest) = case_proofs(session, case.id, set_up=())
    assert (capture.done, capture.total) == (1, 2)


def test_a_picture_that_could_not_be_taken_says_why(engine: Engine, case: StoredCase) -> None:
    failed_capture(engine, case, NOW)
    with transaction(engine) as session:
        capture_retries.record_picture(session, COPY.url, "the page shows nothing")
        picture = case_proofs(session, case.id, set_up=())[1]
    assert (picture.state, picture.problems) == (ProofState.FAILED, ("the page shows nothing",))
    with transaction(engine) as session:
        capture_retries.record_picture(session, COPY.url, None)
        chain_store.append(session, NewEvidence(EvidenceKind.SCREENSHOT, NOW, COPY.url))
        picture = case_proofs(session, case.id, set_up=())[1]
    assert (picture.state, picture.done, picture.problems) == (ProofState.WAITING, 1, ())


def answered(engine: Engine, case: StoredCase, at: datetime) -> None:
    """A capture that got a response; its record in a browser begins."""
    with transaction(engine) as session:
        entry = chain_store.append(session, NewEvidence(EvidenceKind.CAPTURED, at, COPY.url, status=200)).number
        page = case.theirs.page_id
        recaptures.record(session, case.id, page, at=at, entry=entry, refusal=None, sight=Sight.THERE)
        capture_retries.begin_picture(session, COPY.url, at=at)


def picture_of(engine: Engine, case: StoredCase) -> CaseProof:
    with transaction(engine) as session:
        return case_proofs(session, case.id, set_up=())[1]


def test_a_failed_record_is_tried_again_with_a_new_capture_and_given_up_with_an_alert(
    engine: Engine, case: StoredCase
) -> None:
    at = NOW
    for number in range(1, capture_retries.MOST_TRIES + 1):
        answered(engine, case, at)
        following = at + capture_retries.RETRY_AFTER[number - 1] if number < capture_retries.MOST_TRIES else None
        picture = picture_of(engine, case)
        assert picture.state is (ProofState.WAITING if following else ProofState.FAILED)
        assert bool(picture.problems) is (following is None)
        with transaction(engine) as session:
            count = "SELECT count(*) FROM alert_event WHERE kind = 'evidence-alarm'"
            assert session.execute(text(count)).scalar_one() == 0
            capture_retries.record_picture(session, COPY.url, "take pictures: not done within 30 s")
        picture = picture_of(engine, case)
        assert picture.problems == ("take pictures: not done within 30 s",)
        assert picture.next_at == following
        with transaction(engine) as session:
            due = recaptures.due_for_retry(session, following or at + timedelta(days=99), limit=9)
            assert [one.page_id for one in due] == ([case.theirs.page_id] if following else [])
        at = following or at
    assert picture.state is ProofState.FAILED
    with transaction(engine) as session:
        problem = session.execute(
            text("SELECT details->>'problem' FROM alert_event WHERE kind = 'evidence-alarm'")
        ).scalar_one()
        assert "could not be recorded in a browser in 6 attempts (take pictures" in problem
        assert recaptures.ask_again(session, [case.id]) == 1
    with transaction(engine) as session:
        assert len(recaptures.due_for_retry(session, datetime.now(UTC), limit=9)) == 1
        capture_retries.record_picture(session, COPY.url, None)
        assert recaptures.due_for_retry(session, at + timedelta(days=99), limit=9) == []


def test_a_page_at_which_the_program_dies_is_not_tried_for_ever(engine: Engine, case: StoredCase) -> None:
    at = NOW
    for pause in (*capture_retries.RETRY_AFTER, None):
        answered(engine, case, at)  # and no word of the record
        with transaction(engine) as session:
            due = recaptures.due_for_retry(session, at + (pause or timedelta(days=99)), limit=9)
        assert len(due) == (pause is not None)
        at += pause or timedelta()
    picture = picture_of(engine, case)
    assert (picture.state, picture.problems) == (
        ProofState.FAILED, ("the last attempt to record it in a browser has not ended",)
    )  # fmt: skip


def test_the_page_the_api_and_the_health_page_say_it_and_the_files_can_be_taken(
    engine: Engine, case: StoredCase, tmp_path: Path
) -> None:
    list_files(engine)
    answer_all(engine)
    countersign(engine)
    person = add_person(engine)
    app = app_with(Services(engine=engine, secret_key="for tests", home=tmp_path, witness_kinds=ALL, language="en"))
    client = app.test_client()
    let_in(client)
    page = client.get(f"/cases/{case.id}").text
    for words in ("Time stamps of files", "promised, no proof yet", "Countersigned by another installation"):
        assert words in page

    token = token_of(engine, person, frozenset({TokenScope.READ}))
    answer = app.test_client().get(f"/api/v1/cases/{case.id}", headers=bearer(token)).get_json()
    said = {one["kind"]: (one["state"], one["done"], one["total"]) for one in answer["evidence"]}
    assert said["stamp"] == ("done", 2, 2)
    assert said["open-timestamps"] == ("pending", 0, 2)
    assert said["countersignature"] == ("done", 1, 1)

    packed = client.get(f"/cases/{case.id}/witnesses.zip")
    with zipfile.ZipFile(io.BytesIO(packed.data)) as archive:
        names = {name.rpartition(".")[2] for name in archive.namelist()}
        lists = [archive.read(name) for name in archive.namelist() if name.endswith(".sha256")]
    assert names == {"sha256", "tsr", "ots", "pem", "txt", "sig"}
    assert [one.count(b"\n") for one in lists] == [2]
    assert "Witnesses of the evidence" in client.get("/health").text
    assert 'zhiwen_evidence_witnesses{kind="stamp",state="done"} 1.0' in client.get("/metrics").text


def test_a_case_without_evidence_has_no_witness_files(engine: Engine, tmp_path: Path) -> None:
    case = store_case(engine)
    add_person(engine)
    client = app_with(Services(engine=engine, secret_key="for tests", home=tmp_path)).test_client()
    let_in(client)

    packed = client.get(f"/cases/{case.id}/witnesses.zip")

    assert zipfile.ZipFile(io.BytesIO(packed.data)).namelist() == []
    assert client.get("/cases/999999/witnesses.zip").status_code == 404
