"""`status` and `doctor`: state of the installation, missing parts and remedies."""

import ipaddress
import json
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from sqlalchemy import Engine, text

from storage.accounts import accounts
from storage.backups.history import BackupRecord
from storage.engine import transaction
from storage.jobs import alert_events, queue
from storage.monitoring import disk_forecast
from storage.records.monitoring import Alarm, Band, Measure
from storage.types import AccountRole
from tests.support.factories import a_site
from zhiwen.commands.operations.doctor import doctor as doctor_command
from zhiwen.commands.operations.status import described, span, status
from zhiwen.config.secret_key import SECRET_KEY_FILE_NAME
from zhiwen.config.settings import Settings
from zhiwen.diagnostics import database_checks, doctor
from zhiwen.diagnostics.doctor import Finding, State

NOW = datetime(2026, 5, 4, 8, 0, tzinfo=UTC)
Ask = Callable[..., Result]
SUMMARY = {"texts", "pages", "sites", "newest", "backlog", "matches", "hits"}
"""What `status --json` said from the first day on: programs rely on it."""


@pytest.fixture
def ask(clean_database_url: str, tmp_path: Path) -> Ask:
    def asked(*arguments: str, **environment: str) -> Result:
        command = status if arguments[0] == "status" else doctor_command
        known = {"DATABASE_URL": clean_database_url, "ZHIWEN_HOME": str(tmp_path), **environment}
        return CliRunner().invoke(command, arguments[1:], env=known)

    return asked


def test_status_tells_programs_everything_in_one_object(ask: Ask, engine: Engine) -> None:
    with transaction(engine) as session:
        site = a_site(session, "县报")
        queue.defer_once(session, queue.MATCH)
        alert_events.hold(session, site.id, "looks wrong", run_id=5)
        now = queue.database_time(session)
        for days in (3, 2, 1, 0):
            disk_forecast.add_sample(session, "m", now - timedelta(days=days), total=10_000, free=100 + 10 * days)

    told = json.loads(ask("status", "--json").stdout)

    assert told.keys() >= SUMMARY
    assert told["sites"] == 1
    assert [(one["task"], one["state"], one["jobs"]) for one in told["queue"]] == [("match", "waiting", 1)]
    assert (told["workers"], told["worker_seen_at"], told["backed_up_at"]) == (0, None, None)
    assert told["held"] == [{"site": "县报", "run": 5, "reason": "looks wrong"}]
    assert told["latency"][0]["to_case"] == {"count": 0, "median_s": None, "p95_s": None}
    (disk,) = told["disks"]
    assert (disk["machine"], disk["growth"]) == ("m", pytest.approx(10))
    assert datetime.fromisoformat(disk["full_at"]) == now + timedelta(days=10)


def test_status_tells_people_what_to_look_at(ask: Ask, engine: Engine) -> None:
    with transaction(engine) as session:
        alert_events.hold(session, a_site(session, "县报").id, "looks wrong")
        session.execute(
            text("INSERT INTO site_alarm (id, site_id, measure, day, value, usual, high) "
                 "SELECT 1, id, 'empty', '2026-05-04', 0.9, 0.05, 0.2 FROM site")
        )  # fmt: skip
        disk_forecast.add_sample(session, "m", queue.database_time(session), total=10_000, free=100)

    done = ask("status")

    assert done.exit_code == 0
    for words in (
        "No worker is running",
        "县报 has an alarm: empty 90% on 2026-05-04; usual is 5%, with limits at 20%",
        "The alerts of 县报 are held",
        "The disk of m is nearly full",
    ):
        assert words in done.output
    assert "never made" in done.stdout


@pytest.mark.parametrize(
    ("seconds", "words"), [(None, ""), (0, "0 s"), (59, "59 s"), (90, "1.5 min"), (5_400, "1.5 h"), (864_000, "10.0 d")]
)
def test_a_span_of_time_is_shown_in_a_unit_that_fits(seconds: float | None, words: str) -> None:
    assert span(seconds) == words


def test_an_alarm_is_reported_with_what_is_usual() -> None:
    alarm = Alarm(1, 1, "a", Measure.ARTICLES, date(2026, 5, 4), 3, Band(30, 12.4, 66), NOW, None, None, None)
    assert described(alarm) == "articles 3 on 2026-05-04; usual is 30, with limits at 12 and 66"


def test_doctor_finds_a_whole_store_in_order_and_says_what_is_missing(ask: Ask, engine: Engine) -> None:
    with transaction(engine) as session:
        accounts.add_account(session, name="lin", password_hash="x", role=AccountRole.VIEWER)

    done = ask("doctor", "--json")

    told = {one["name"]: one for one in map(json.loads, done.stdout.splitlines())}
    assert done.exit_code == 0
    for name in ("settings", "version", "home", "network guard", "database", "encoding", "clock", "schema", "accounts"):
        assert told[name]["state"] == "ok", told[name]
    for name in ("worker", "back-up"):
        assert (told[name]["state"], bool(told[name]["mend"])) == ("warn", True)


@pytest.mark.parametrize(
    ("environment", "name"),
    [
        ({"DATABASE_URL": "postgresql://me:hidden@127.0.0.1:1/none"}, "database"),
        ({"ZHIWEN_PORT": "many"}, "settings"),
        ({"ZHIWEN_ALLOWED_NETWORKS": "0.0.0.0/0"}, "network guard"),
        ({"ZHIWEN_TIME_STAMP_URL": "https://stamps.example.org/"}, "time stamps"),
    ],
)
def test_doctor_fails_and_says_how_to_mend_it(ask: Ask, environment: dict[str, str], name: str) -> None:
    done = ask("doctor", **environment)

    assert done.exit_code == 1
    assert f"fail  {name}: " in done.stdout
    assert "→" in done.stdout
    assert "hidden" not in done.output


def test_doctor_tells_of_a_schema_that_is_behind(ask: Ask, engine: Engine) -> None:
    with transaction(engine) as session:
        session.execute(text("UPDATE alembic_version SET version_num = '0009'"))

    done = ask("doctor")

    assert done.exit_code == 1
    assert "fail  schema: Revision 0009" in done.stdout
    assert "zhiwen db upgrade" in done.stdout


def state_of(*found: Finding) -> State:
    assert all(one.mend for one in found if one.state is not State.OK), "what is not ok says how to mend it"
    return doctor.worst(found)


@pytest.mark.parametrize(
    ("free", "expected"), [(400, State.OK), (40, State.WARN), (9, State.FAIL), (0, State.FAIL)]
)  # fmt: skip
def test_a_disk_is_judged_by_what_is_left(free: int, expected: State) -> None:
    assert state_of(doctor.examine_disk(Path("/x"), 1_000, free, floor=10)) is expected


@pytest.mark.parametrize(
    ("network", "expected"),
    [
        (None, State.OK),
        ("10.1.0.0/16", State.WARN),
        ("169.254.0.0/16", State.FAIL),
        ("169.0.0.0/8", State.FAIL),
        ("::/0", State.FAIL),
    ],
)
def test_the_guard_is_judged_by_what_it_lets_through(network: str | None, expected: State) -> None:
    allowed = () if network is None else (ipaddress.ip_network(network),)
    assert state_of(doctor.examine_guard(allowed)) is expected


@pytest.mark.parametrize(("count", "expected"), [(3, State.OK), (0, State.WARN), (None, State.WARN)])
def test_fonts_are_needed_for_pictures(count: int | None, expected: State) -> None:
    assert state_of(doctor.examine_fonts(count)) is expected


def test_a_home_that_cannot_be_written_and_a_key_that_others_may_read_fail(tmp_path: Path) -> None:
    assert state_of(*doctor.examine_home(tmp_path / "not" / "yet")) is State.OK
    key = tmp_path / SECRET_KEY_FILE_NAME
    key.write_text("x")
    key.chmod(0o600)
    assert state_of(*doctor.examine_home(tmp_path)) is State.OK
    key.chmod(0o640)
    assert state_of(*doctor.examine_home(tmp_path)) is State.FAIL
    assert state_of(*doctor.examine_home(Path("/proc/1/zhiwen"))) is State.FAIL
    assert not (tmp_path / ".zhiwen-doctor").exists()


def test_certificates_must_be_there_and_be_some(tmp_path: Path) -> None:
    good, bad = tmp_path / "good.pem", tmp_path / "bad.pem"
    good.write_text("-----BEGIN CERTIFICATE-----\n")
    bad.write_text("nothing")

    assert state_of(doctor.examine_certificates(good)) is State.OK
    for wrong in (bad, tmp_path / "none.pem", None):
        assert state_of(doctor.examine_certificates(wrong)) is State.FAIL


def test_extras_are_named_with_what_is_missing() -> None:
    found = doctor.examine_extras(
        ["flask>=3", 'no-such-package>=1; extra == "server"', "sqlalchemy>=2; extra == 'browser'"]
    )
    by_name = {finding.name: finding for finding in found}

    assert "no-such-package" in by_name["extra server"].says
    assert by_name["extra browser"].says.endswith("installed.")
    assert {finding.state for finding in by_name.values()} == {State.OK}, "nobody has to have them"


@pytest.mark.parametrize(
    ("seconds", "expected"), [(0, State.OK), (-4.9, State.OK), (30, State.WARN), (-30, State.WARN), (120, State.FAIL)]
)
def test_clocks_that_differ_are_reported(seconds: float, expected: State) -> None:
    assert state_of(database_checks.examine_clock(timedelta(seconds=seconds))) is expected


@pytest.mark.parametrize(
    ("revision", "is_built_in", "expected"),
    [
        ("0017", True, State.OK),
        ("0016", True, State.WARN),
        (None, False, State.WARN),
        ("0016", False, State.FAIL),
        ("0018", True, State.FAIL),
    ],
)
def test_a_schema_is_this_programs_or_not(revision: str | None, is_built_in: bool, expected: State) -> None:
    assert state_of(database_checks.examine_schema(revision, "0017", is_built_in=is_built_in)) is expected


@pytest.mark.parametrize(
    ("ago", "expected"), [(None, State.WARN), (timedelta(seconds=20), State.OK), (timedelta(minutes=3), State.WARN)]
)
def test_a_worker_must_have_been_seen_lately(ago: timedelta | None, expected: State) -> None:
    assert state_of(database_checks.examine_worker(None if ago is None else NOW - ago, NOW)) is expected


@pytest.mark.parametrize(
    ("newest", "tested", "expected"),
    [(None, None, State.WARN), (1, None, State.WARN), (1, 30, State.OK), (1, 61, State.WARN), (9, 9, State.WARN)],
)
def test_back_ups_must_be_made_and_tried_out(newest: int | None, tested: int | None, expected: State) -> None:
    young, tried = (
        None if days is None else BackupRecord(1, NOW - timedelta(days=days), "m:/b", 5, None)
        for days in (newest, tested)
    )
    assert state_of(database_checks.examine_backup(young, tried, NOW)) is expected


def test_all_of_a_machine_can_be_reported_without_a_database(tmp_path: Path) -> None:
    found = list(doctor.examine_machine(Settings(tmp_path)))

    assert doctor.counted(found)[State.FAIL] == 0
    assert {finding.name for finding in found} >= {"version", "home", "disk", "network guard", "fonts", "browser"}
