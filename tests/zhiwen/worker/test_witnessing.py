"""Evidence files are listed, and lists are confirmed by an authority and by a calendar: real servers on loopback."""

import hashlib
import subprocess
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path

import pytest
from sqlalchemy import text
from sqlalchemy.orm import Session

from crawler.evidence.keeper import Keeper
from crawler.witnesses.verification import VerifiedWitnesses, verify_witnesses
from storage.engine import transaction
from storage.evidence import file_lists, witnesses
from storage.models.alerts import AlertEvent
from storage.records.alerts import AlertKind
from storage.records.evidence import EvidenceProblem
from storage.records.witnesses import WitnessKind, WitnessRecord, WitnessState
from tests.support.calendar_server import CalendarServer, blocks_in, served_calendar
from tests.support.evidence.evidence import a_response, opened_keeper
from tests.support.evidence.timestamp_authority import Authority, served
from tests.support.store.new_database import database
from zhiwen.config.settings import Settings
from zhiwen.worker.witnessing import Witnessed, witness


@pytest.fixture(scope="module")
def authority() -> Iterator[Authority]:
    with served(Authority()) as one:
        yield one


@pytest.fixture(scope="module")
def served_once() -> Iterator[CalendarServer]:
    with served_calendar() as one:
        yield one


@pytest.fixture
def calendar(served_once: CalendarServer) -> CalendarServer:
    served_once.block, served_once.promised_as = None, None
    served_once.answers.clear()
    served_once.asked.clear()
    return served_once


@pytest.fixture
def settings(authority: Authority, calendar: CalendarServer, tmp_path: Path) -> Settings:
    authority.refuses = 0
    root = tmp_path / "root.pem"
    root.write_bytes(authority.root_pem)
    return Settings(tmp_path, time_stamp_url=authority.url, time_stamp_certificates=root, ots_calendars=(calendar.url,))


@pytest.fixture(scope="module")
def store_url(server_url: str, template_url: str) -> Iterator[str]:
    """One database for the module: to copy one takes longer than a test."""
    with database(server_url, template=template_url) as url:
        yield url


@pytest.fixture
def keeper(store_url: str, tmp_path: Path) -> Iterator[Keeper]:
    with opened_keeper(store_url, tmp_path) as one:
        with one.engine.begin() as connection:
            connection.execute(text("TRUNCATE evidence, file_list, alert_event CASCADE"))
        yield one


def asked(keeper: Keeper) -> dict[WitnessKind, WitnessRecord]:
    """The witnesses of the first list by kind."""
    with transaction(keeper.engine) as session:
        (first,) = file_lists.all_lists(session)
        return {one.kind: one for one in witnesses.witnesses_of_lists(session, [first.id])}


def checked(keeper: Keeper) -> tuple[VerifiedWitnesses, list[str]]:
    problems: list[str] = []
    with transaction(keeper.engine) as session:
        seen = verify_witnesses(session, on_problem=lambda one: problems.append(str(one)))
    return seen, problems


def ready_again(keeper: Keeper) -> None:
    """As if all pauses were over."""
    with keeper.engine.begin() as connection:
        connection.execute(text("UPDATE witness SET next_at = now() - interval '1 s' WHERE next_at IS NOT NULL"))


def alarms(keeper: Keeper) -> list[str]:
    with transaction(keeper.engine) as session:
        found = session.query(AlertEvent).filter(AlertEvent.kind == AlertKind.EVIDENCE_ALARM)
        return [str(one.details["problem"]) for one in found]


def note(problems: list[str], problem: EvidenceProblem) -> None:
    problems.append(str(problem))


def run(command: str, folder: Path) -> int:
    done = subprocess.run(["/bin/sh", "-c", command], cwd=folder, capture_output=True, check=False)
    return done.returncode


def test_files_are_listed_once_stamped_and_promised_then_committed_to_a_block(
    keeper: Keeper, settings: Settings, calendar: CalendarServer
) -> None:
    assert witness(settings, keeper.engine) == Witnessed()
    for number in (1, 2):
        keeper.keep_capture(a_response(number), url=f"https://copier.example/{number}")

    assert witness(settings, keeper.engine) == Witnessed(listed=2, asked=2, confirmed=1)

    stamp, promise = asked(keeper)[WitnessKind.STAMP], asked(keeper)[WitnessKind.OPEN_TIMESTAMPS]
    assert (stamp.state, promise.state, promise.at, promise.height) == (
        *(WitnessState.DONE, WitnessState.PENDING, None, None),
    )
    assert promise.proof is not None
    assert blocks_in(promise.proof) == {}
    seen, problems = checked(keeper)
    assert (seen.files, seen.stamped_files, seen.promises, seen.blocks, problems) == (2, 2, 1, [], [])
    assert witness(settings, keeper.engine) == Witnessed()  # nothing new, and no pause is over
    ready_again(keeper)
    assert witness(settings, keeper.engine) == Witnessed(asked=1)  # 404: not in a block yet

    calendar.block = 870_123
    ready_again(keeper)
    assert witness(settings, keeper.engine) == Witnessed(asked=1, confirmed=1)

    done = asked(keeper)[WitnessKind.OPEN_TIMESTAMPS]
    assert (done.state, done.height, done.next_at) == (WitnessState.DONE, 870_123, None)
    assert done.proof is not None
    assert blocks_in(done.proof) == {870_123: done.merkle_root}
    seen, problems = checked(keeper)
    assert ([block.height for block in seen.blocks], seen.promises, problems) == ([870_123], 0, [])
    assert calendar.asked == ["/digest", "/timestamp", "/timestamp"]


def test_anybody_checks_a_list_with_sha256sum_and_its_stamp_with_openssl(
    keeper: Keeper, settings: Settings, tmp_path: Path
) -> None:
    keeper.keep_capture(a_response(1), url="https://copier.example/1")
    witness(settings, keeper.engine)
    with transaction(keeper.engine) as session:
        (shown,) = file_lists.all_lists(session)
    (tmp_path / "list").write_text(shown.body)
    stamp = asked(keeper)[WitnessKind.STAMP]
    assert stamp.proof is not None
    (tmp_path / "answer").write_bytes(stamp.proof)
    (tmp_path / "roots.pem").write_text(stamp.certificates or "")

    assert run("cd evidence && sha256sum --check --strict ../list", tmp_path) == 0
    check = "openssl ts -verify -data list -in answer -CAfile roots.pem"
    assert run(check, tmp_path) == 0
    (tmp_path / "list").write_text(shown.body.replace("0", "1", 1))
    assert run(check, tmp_path) == 1


def test_a_file_that_holds_the_body_of_another_is_listed_with_it(keeper: Keeper, settings: Settings) -> None:
    body = a_response(1).body
    first = keeper.keep_capture(a_response(1), url="https://copier.example/1")
    second = keeper.keep_capture(a_response(2, body=body), url="https://copier.example/2")
    assert second.refers == first.record

    with transaction(keeper.engine) as session:
        found = file_lists.unlisted_files(session, limit=1)
        assert found == [first.record]
        file_lists.add_list(session, found)
        assert file_lists.unlisted_files(session) == [second.record]


def test_without_witnesses_nothing_is_listed_and_one_that_is_set_up_later_confirms_what_was_there(
    keeper: Keeper, settings: Settings, calendar: CalendarServer, tmp_path: Path
) -> None:
    keeper.keep_capture(a_response(1), url="https://copier.example/1")
    assert witness(Settings(tmp_path), keeper.engine) == Witnessed()
    only_stamps = Settings(
        tmp_path, time_stamp_url=settings.time_stamp_url, time_stamp_certificates=settings.time_stamp_certificates
    )

    assert witness(only_stamps, keeper.engine) == Witnessed(listed=1, asked=1, confirmed=1)
    assert witness(settings, keeper.engine) == Witnessed(asked=1)

    assert asked(keeper)[WitnessKind.OPEN_TIMESTAMPS].state is WitnessState.PENDING


def test_an_authority_that_fails_is_asked_again_with_pauses_and_then_there_is_an_alert(
    keeper: Keeper, settings: Settings, authority: Authority
) -> None:
    keeper.keep_capture(a_response(1), url="https://copier.example/1")
    authority.refuses = 2

    assert witness(settings, keeper.engine) == Witnessed(listed=1, asked=2, failed=1)
    first = asked(keeper)[WitnessKind.STAMP]
    assert (first.state, first.attempts) == (WitnessState.WAITING, 1)
    assert "refused the time stamp" in first.problem
    for _ in range(witnesses.MOST_ATTEMPTS - 1):
        assert alarms(keeper) == []
        ready_again(keeper)
        witness(settings, keeper.engine)

    last = asked(keeper)[WitnessKind.STAMP]
    assert (last.state, last.attempts, last.next_at) == (WitnessState.FAILED, witnesses.MOST_ATTEMPTS, None)
    assert len(alarms(keeper)) == 1
    assert "refused the time stamp" in alarms(keeper)[0]
    authority.refuses = 0
    with transaction(keeper.engine) as session:
        assert witnesses.ask_again(session, datetime.now(UTC) - timedelta(seconds=1)) == 1
    witness(settings, keeper.engine)
    assert asked(keeper)[WitnessKind.STAMP].state is WitnessState.DONE


ANSWERS: dict[str, tuple[str, int, bytes, str]] = {
    "empty": ("/digest", 200, b"", "ends in the middle"),
    "something else": ("/digest", 200, b"<html>", "answers with something else"),
    "too large": ("/digest", 200, b"\xff\x08" * 10_000, "more than 10,000 bytes"),
    "busy": ("/digest", 503, b"later", "status 503: later"),
    "no promise": ("/digest", 200, b"\x08\x00" + bytes(8) + b"\x01x", "answers without a promise"),
}


@pytest.mark.parametrize(("path", "status", "body", "said"), ANSWERS.values(), ids=ANSWERS)
def test_a_calendar_that_answers_otherwise_is_not_believed(
    keeper: Keeper, settings: Settings, calendar: CalendarServer, path: str, status: int, body: bytes, said: str
) -> None:
    keeper.keep_capture(a_response(1), url="https://copier.example/1")
    calendar.answers[path] = (status, body)

    witness(settings, keeper.engine)

    found = asked(keeper)[WitnessKind.OPEN_TIMESTAMPS]
    assert said in found.problem
    assert (found.proof, found.state is WitnessState.DONE) == (None, False)


def test_nothing_that_a_calendar_says_leads_to_another_address(
    keeper: Keeper, settings: Settings, calendar: CalendarServer
) -> None:
    keeper.keep_capture(a_response(1), url="https://copier.example/1")
    calendar.promised_as = "http://127.0.0.1:1"

    witness(settings, keeper.engine)

    found = asked(keeper)[WitnessKind.OPEN_TIMESTAMPS]
    assert (found.state, found.proof) == (WitnessState.FAILED, None)
    assert "is a pool: the rest of the proof is at http://127.0.0.1:1" in found.problem


@pytest.mark.parametrize(
    ("status", "state"), [(302, WitnessState.FAILED), (410, WitnessState.FAILED), (500, WitnessState.PENDING)]
)
def test_a_promise_stays_a_promise_while_its_calendar_fails(
    keeper: Keeper, settings: Settings, calendar: CalendarServer, status: int, state: WitnessState
) -> None:
    keeper.keep_capture(a_response(1), url="https://copier.example/1")
    witness(settings, keeper.engine)
    calendar.answers["/timestamp"] = (status, b"")
    ready_again(keeper)

    witness(settings, keeper.engine)

    found = asked(keeper)[WitnessKind.OPEN_TIMESTAMPS]
    assert (found.state, found.height) == (state, None)
    assert found.proof is not None
    assert checked(keeper)[1] == []


def test_a_promise_that_is_never_kept_is_given_up_and_reported(
    keeper: Keeper, settings: Settings, calendar: CalendarServer
) -> None:
    keeper.keep_capture(a_response(1), url="https://copier.example/1")
    witness(settings, keeper.engine)
    with keeper.engine.begin() as connection:
        connection.execute(text("UPDATE witness SET attempts = 29 WHERE kind = 'open-timestamps'"))
    ready_again(keeper)

    witness(settings, keeper.engine)

    found = asked(keeper)[WitnessKind.OPEN_TIMESTAMPS]
    assert (found.state, found.attempts, found.next_at) == (WitnessState.FAILED, witnesses.MOST_UPGRADES, None)
    assert "has not after 30 requests" in found.problem
    assert len(alarms(keeper)) == 1


TAMPERED = {
    "UPDATE file_list SET body = replace(body, '0', '1')": "its hash is not that of its text",
    "UPDATE file_list SET digest = sha256('x')": "its hash is not that of its text",
    "DELETE FROM listed_file WHERE record = (SELECT record FROM listed_file LIMIT 1)": "names other files",
    "UPDATE listed_file SET record = sha256('x')": "1 files that no entry of the chain has",
    "UPDATE witness SET at = at - interval '1 day' WHERE kind = 'stamp'": "is listed otherwise",
    "UPDATE witness SET proof = set_byte(proof, 300, get_byte(proof, 300) # 1) WHERE kind = 'stamp'": "time stamp",
    "UPDATE witness SET proof = NULL": "its answer is missing",
    "UPDATE witness SET height = 5 WHERE height IS NOT NULL": "leads to block 7, and is listed otherwise",
    "UPDATE witness SET proof = set_byte(proof, 40, get_byte(proof, 40) # 1) WHERE height > 0": "of another file",
    "UPDATE witness SET proof = set_byte(proof, 0, 7) WHERE height > 0": "cannot be read",
}


@pytest.fixture
def confirmed(keeper: Keeper, settings: Settings, calendar: CalendarServer) -> Keeper:
    keeper.keep_capture(a_response(1), url="https://copier.example/1")
    witness(settings, keeper.engine)
    calendar.block = 7
    ready_again(keeper)
    witness(settings, keeper.engine)
    return keeper


def test_what_was_changed_in_the_store_is_a_problem(confirmed: Keeper) -> None:
    for statement, said in TAMPERED.items():
        with confirmed.engine.connect() as connection:
            problems: list[str] = []
            connection.execute(text(statement))
            with Session(connection) as session:
                seen = verify_witnesses(session, on_problem=partial(note, problems))
            connection.rollback()
        assert any(said in problem for problem in problems), (statement, problems)
        assert seen.problems == len(problems)
    assert checked(confirmed)[1] == []


def test_the_body_of_a_list_has_the_form_of_sha256sum() -> None:
    one, two = (hashlib.sha256(word).digest() for word in (b"one", b"two"))

    body = file_lists.list_body([two, one, one][:2])

    assert body.splitlines() == sorted(f"{d.hex()}  {d.hex()[:2]}/{d.hex()}.warc.gz" for d in (one, two))
