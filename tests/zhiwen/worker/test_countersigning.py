"""Two installations countersign each other's heads: two databases, two homes, two desks over HTTP on loopback."""

import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path

import pytest
from sqlalchemy import Engine, text
from sqlalchemy.orm import Session
from werkzeug.serving import make_server

from admin.app import create_app
from admin.web.services import Services
from crawler.evidence.key_announcements import renew, signing_key
from crawler.evidence.record_files import EvidenceFolder
from crawler.evidence.signing_keys import KeyFiles, SigningKey, public_pem
from crawler.witnesses.head_statements import read_heard, state_head
from crawler.witnesses.verification import VerifiedWitnesses, verify_witnesses
from storage.accounts.api_tokens import TokenScope
from storage.engine import make_engine, transaction
from storage.evidence import chain_store, heads, witnesses
from storage.models.alerts import AlertEvent
from storage.records.alerts import AlertKind
from storage.records.evidence import EvidenceKind, EvidenceProblem, Head
from storage.records.witnesses import CountersignatureRecord, WitnessState
from tests.support.api_tokens import token_of
from tests.support.desk_client import add_person
from tests.support.evidence.evidence import a_response, opened_keeper, verified
from tests.support.store.new_database import database
from zhiwen.config.settings import Settings
from zhiwen.worker.witnessing import Witnessed, witness


@dataclass
class Installation:
    """One Zhiwen. `accepted`: the keys that its desk countersigns; a test adds to it."""

    engine: Engine
    home: Path
    url: str
    token: str
    accepted: set[str]

    @property
    def key(self) -> SigningKey:
        return signing_key(self.engine, KeyFiles(self.home), EvidenceFolder(self.home))

    def settings(self, peer: "Installation") -> Settings:
        return Settings(self.home, witness_url=peer.url, witness_token=peer.token, witness_key=peer.key.id)

    def capture(self, number: int) -> None:
        with opened_keeper(self.engine.url.render_as_string(hide_password=False), self.home) as keeper:
            keeper.keep_capture(a_response(number), url=f"https://copier.example/{number}")

    @property
    def head(self) -> Head:
        with transaction(self.engine) as session:
            found = chain_store.head(session)
        assert found is not None
        return found

    @property
    def requests(self) -> list[CountersignatureRecord]:
        with transaction(self.engine) as session:
            return heads.all_countersignatures(session)

    @property
    def alarms(self) -> list[str]:
        with transaction(self.engine) as session:
            found = session.query(AlertEvent).filter(AlertEvent.kind == AlertKind.EVIDENCE_ALARM)
            return [str(one.details["problem"]) for one in found]

    def check(self) -> tuple[VerifiedWitnesses, list[str]]:
        problems = verified(self.engine, self.home)[1]
        with transaction(self.engine) as session:
            seen = verify_witnesses(session, on_problem=lambda one: problems.append(str(one)))
        return seen, problems

    def run(self, statement: str, **values: int) -> None:
        with self.engine.begin() as connection:
            connection.execute(text(statement), values)


@contextmanager
def installed(server_url: str, template_url: str, home: Path) -> Iterator[Installation]:
    with database(server_url, template=template_url) as url:
        engine = make_engine(url)
        accepted: set[str] = set()
        app = create_app(Services(engine=engine, secret_key="for tests", home=home, accepted_keys=accepted))
        server = make_server("127.0.0.1", 0, app, threaded=True)
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        token = token_of(engine, add_person(engine), frozenset({TokenScope.WITNESS}))
        try:
            yield Installation(engine, home, f"http://127.0.0.1:{server.server_port}", token, accepted)
        finally:
            server.shutdown()
            thread.join()
            server.server_close()
            engine.dispose()


@pytest.fixture(scope="module")
def pair(
    server_url: str, template_url: str, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[Installation, Installation]]:
    """One pair for the module: to copy two databases takes longer than a test."""
    homes = [tmp_path_factory.mktemp(name) for name in ("ours", "theirs")]
    with installed(server_url, template_url, homes[0]) as one, installed(server_url, template_url, homes[1]) as other:
        yield one, other


@pytest.fixture
def ours(pair: tuple[Installation, Installation]) -> Installation:
    return as_new(pair[0])


@pytest.fixture
def theirs(pair: tuple[Installation, Installation]) -> Installation:
    return as_new(pair[1])


def as_new(one: Installation) -> Installation:
    one.run("TRUNCATE evidence, heard_head, countersignature, alert_event CASCADE")
    one.accepted.clear()
    return one


def send(one: Installation, to: Installation) -> Witnessed:
    """A turn of the worker, with all pauses over."""
    one.run("UPDATE countersignature SET next_at = now() - interval '1 s' WHERE next_at IS NOT NULL")
    return witness(one.settings(to), one.engine)


def test_heads_are_countersigned_both_ways_verified_by_both_and_by_openssl(
    ours: Installation, theirs: Installation, tmp_path: Path
) -> None:
    ours.accepted.add(theirs.key.id)
    theirs.accepted.add(ours.key.id)
    ours.capture(1)
    sent = ours.head

    assert send(ours, theirs) == Witnessed(asked=1, confirmed=1)
    assert send(ours, theirs) == Witnessed()  # nothing new
    assert send(theirs, ours) == Witnessed(asked=1, confirmed=1)
    for _ in range(2):  # what was heard of each other is no reason to ask again
        assert (send(ours, theirs), send(theirs, ours)) == (Witnessed(), Witnessed())

    (request,) = ours.requests
    assert (request.state, request.head) == (WitnessState.DONE, sent)
    assert request.answer is not None
    heard = read_heard(request.answer)
    assert (heard.key_id, heard.of, heard.head, heard.at) == (theirs.key.id, ours.key.id, sent, request.at)
    with transaction(theirs.engine) as session:
        entry = chain_store.get_entry(session, heard.own.number)
        assert entry is not None
        assert (entry.kind, entry.hash) == (EvidenceKind.WITNESSED, heard.own.hash)
    for one in (ours, theirs):
        seen, problems = one.check()
        assert (seen.countersigned, seen.heard, problems) == (1, 1, [])
    assert signature_holds(request, tmp_path)


def signature_holds(request: CountersignatureRecord, folder: Path) -> bool:
    assert request.answer is not None
    (folder / "text").write_text(request.answer.text)
    (folder / "sig").write_bytes(request.answer.signature)
    (folder / "key.pem").write_text(public_pem(request.answer.public_key))
    command = "openssl pkeyutl -verify -pubin -inkey key.pem -rawin -in text -sigfile sig"
    done = subprocess.run(["/bin/sh", "-c", command], cwd=folder, capture_output=True, check=False)
    return done.returncode == 0


def test_two_chains_with_one_key_are_an_alarm_on_both_sides_with_the_proof(
    ours: Installation, theirs: Installation
) -> None:
    theirs.accepted.add(ours.key.id)
    ours.capture(1)
    send(ours, theirs)
    before = ours.head
    # The chain is rebuilt with another page, and as long.
    ours.run("DELETE FROM countersignature")
    ours.run("DELETE FROM evidence WHERE number = :number", number=before.number)
    ours.capture(2)
    assert (ours.head.number, ours.head.hash == before.hash) == (before.number, False)

    assert send(ours, theirs) == Witnessed(asked=1, failed=1)

    (request,) = ours.requests
    assert (request.state, request.next_at) == (WitnessState.FAILED, None)
    assert "Another hash was heard" in request.problem
    assert f"It shows head {before}, signed by our own key" in ours.alarms[0]
    assert "Another hash was heard" in theirs.alarms[0]
    assert send(ours, theirs) == Witnessed()


def test_a_chain_that_lost_its_end_is_an_alarm_on_both_sides(ours: Installation, theirs: Installation) -> None:
    theirs.accepted.add(ours.key.id)
    for number in (1, 2, 3):
        ours.capture(number)
    send(ours, theirs)
    before = ours.head
    ours.run("DELETE FROM countersignature")
    ours.run("DELETE FROM evidence WHERE number >= :number", number=before.number - 1)
    ours.capture(4)

    assert send(ours, theirs) == Witnessed(asked=1, failed=1)

    assert f"It shows head {before}, signed by our own key" in ours.alarms[0]
    assert "The chain was longer" in theirs.alarms[0]


def test_an_unknown_key_a_wrong_token_and_a_foreign_key_are_refused_by_name(
    ours: Installation, theirs: Installation
) -> None:
    ours.capture(1)
    assert send(ours, theirs) == Witnessed(asked=1, failed=1)
    assert "ZHIWEN_WITNESS_ACCEPTS" in ours.requests[0].problem
    assert ours.requests[0].state is WitnessState.FAILED

    theirs.accepted.add(ours.key.id)
    wrong = replace(ours.settings(theirs), witness_token="zwt_" + "x" * 40)
    renewed(ours)
    witness(wrong, ours.engine)
    assert "status 401" in ours.requests[0].problem
    assert wrong.witness_token
    assert wrong.witness_token not in ours.requests[0].problem

    foreign = replace(ours.settings(theirs), witness_key="0" * 64)
    renewed(ours)
    witness(foreign, ours.engine)
    assert f"signs with the key {theirs.key.id}" in ours.requests[0].problem
    assert ours.requests[0].answer is None

    renewed(ours)
    assert send(ours, theirs) == Witnessed(asked=1, confirmed=1)


def renewed(one: Installation) -> None:
    with transaction(one.engine) as session:
        assert witnesses.ask_again(session, datetime.now(UTC) - timedelta(minutes=1)) == 1


def test_a_witness_that_is_away_gets_the_same_head_later_and_its_answer_may_be_lost(
    ours: Installation, theirs: Installation
) -> None:
    theirs.accepted.add(ours.key.id)
    ours.capture(1)
    away = replace(ours.settings(theirs), witness_url="http://127.0.0.1:1")
    assert witness(away, ours.engine) == Witnessed(asked=1, failed=1)
    assert "cannot be reached" in ours.requests[0].problem
    assert (ours.requests[0].state, ours.requests[0].attempts) == (WitnessState.WAITING, 1)
    ours.run("DELETE FROM countersignature")
    send(ours, theirs)
    (first,) = ours.requests
    # Killed before the answer was stored.
    ours.run("UPDATE countersignature SET state = 'waiting', answer = NULL, next_at = now(), at = NULL")

    send(ours, theirs)

    assert ours.requests[0].answer == first.answer
    assert theirs.check()[0].heard == 1


def test_a_renewed_key_is_a_new_one_for_the_witness(ours: Installation, theirs: Installation) -> None:
    theirs.accepted.add(ours.key.id)
    ours.capture(1)
    send(ours, theirs)
    renew(ours.engine, KeyFiles(ours.home), EvidenceFolder(ours.home))

    assert send(ours, theirs) == Witnessed(asked=1, failed=1)

    assert f"Heads of the key {ours.key.id} are not countersigned here" in ours.requests[-1].problem


TAMPERED = {
    "UPDATE countersignature SET hash = sha256('x')": "about another head",
    "UPDATE countersignature SET at = at - interval '1 day'": "is listed otherwise",
    "UPDATE countersignature SET answer = replace(answer, 'own head', 'own  head')": "no statement",
    "UPDATE countersignature SET answer_signature = set_byte(answer_signature, 3, 0)": "does not hold",
    "UPDATE heard_head SET hash = sha256('x')": "listed otherwise than it was signed",
    "UPDATE heard_head SET signature = sha256('x') || sha256('y')": "does not hold",
    "UPDATE heard_head SET entry = entry - 1": "our answer is about another head",
}


def test_what_was_changed_in_either_store_is_found(ours: Installation, theirs: Installation) -> None:
    theirs.accepted.add(ours.key.id)
    ours.capture(1)
    send(ours, theirs)
    for statement, said in TAMPERED.items():
        problems: list[str] = []
        one = theirs if "heard_head" in statement else ours
        with one.engine.connect() as connection, Session(connection) as session:
            session.execute(text(statement))
            verify_witnesses(session, on_problem=partial(note, problems))
            session.rollback()
        assert any(said in problem for problem in problems), (statement, problems)
    assert (ours.check()[1], theirs.check()[1]) == ([], [])


def note(problems: list[str], problem: EvidenceProblem) -> None:
    problems.append(str(problem))


def test_a_head_that_nobody_signed_is_refused(ours: Installation, theirs: Installation) -> None:
    theirs.accepted.add(ours.key.id)
    client = create_app(
        Services(engine=theirs.engine, secret_key="for tests", home=theirs.home, accepted_keys=theirs.accepted)
    ).test_client()
    genuine = state_head(ours.key, Head(1, bytes(32)), datetime.now(UTC))
    good = {
        "statement": genuine.text,
        "signature": genuine.signature.hex(),
        "public_key": genuine.public_key.hex(),
    }
    hostile: list[dict[str, object]] = [
        {**good, "statement": genuine.text.replace("head 1:", "head 2:")},
        {**good, "statement": genuine.text + "\n"},
        {**good, "statement": ""},
        {**good, "statement": "\x00" * 500},
        {**good, "statement": "头" * 100},
        {**good, "statement": "\ud800"},
        {**good, "statement": 7},
        {**good, "statement": genuine.text.replace("head 1:", "head 9223372036854775808:")},
        {**good, "signature": "0" * 128},
        {**good, "signature": "zz" * 64},
        {**good, "signature": ""},
        {**good, "public_key": theirs.key.public.hex()},
        {**good, "public_key": "0" * 64},
        {**good, "more": 1},
        {},
    ]
    headers = {"Authorization": f"Bearer {theirs.token}"}
    for body in hostile:
        answer = client.post("/api/v1/countersignatures", json=body, headers=headers)
        assert answer.status_code == 422, (body, answer.get_json())
    assert client.post("/api/v1/countersignatures", json=good).status_code == 401
    assert client.post("/api/v1/countersignatures", json=good, headers=headers).status_code == 200
    with transaction(theirs.engine) as session:
        assert len(heads.all_heard(session)) == 1
