"""Checks and lists on a replica: streaming replication on loopback, between two servers of Debian's Postgres."""

import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import pytest
from flask.testing import FlaskClient
from sqlalchemy import Engine, event, make_url, text
from sqlalchemy.orm import Session

from admin.app import create_app
from admin.web.services import Services
from matcher.comparison import check
from storage import migrate
from storage.accounts.api_tokens import TokenScope
from storage.engine import make_engine, make_replica_engine, transaction
from storage.postgres.replica import Replica
from tests.support.api_tokens import bearer, token_of
from tests.support.case_actions import a_case
from tests.support.desk_client import NAME, add_person, csrf_token, let_in
from tests.support.factories import an_article, commit, text_of
from tests.support.processes import stock_postgres
from tests.support.processes.forked_program import Program
from tests.support.processes.stock_postgres import Cluster
from tests.support.store.new_database import database
from tests.zhiwen.commands.test_commands import runner_on

pytestmark = stock_postgres.needed

PATIENCE_S = 60.0
LARGE_S = 3_600.0
SECRET = "s3cret-of-the-replica"


@dataclass(frozen=True, slots=True)
class Pair:
    """A primary and its standby."""

    primary: Cluster
    standby: Cluster
    template: str


@dataclass(frozen=True, slots=True)
class Stores:
    """A database of the test's own, as both servers have it."""

    url: str
    replica_url: str
    primary: Engine
    on_standby: Engine

    def replica(self, *, longest_lag_s: float = LARGE_S) -> Replica:
        return Replica(self.primary, self.on_standby, longest_lag_s)

    def reached(self) -> None:
        """Waits until the standby has replayed everything."""
        end = time.monotonic() + PATIENCE_S
        position = self.replica().written()
        with self.primary.begin() as connection:
            connection.execute(text("SELECT pg_logical_emit_message(true, '', 'so that the log is written to here')"))
        # A new one each time: one that found it away would not ask again for a while.
        while not self.replica().reads(after=position):
            assert time.monotonic() < end, self.replica().state()
            time.sleep(0.05)

    def pause(self) -> None:
        """Stops the replay on the standby."""
        self.reached()
        with self.on_standby.connect() as connection:
            connection.execute(text("SELECT pg_wal_replay_pause()"))
            while connection.execute(text("SELECT pg_get_wal_replay_pause_state()")).scalar_one() == "pause requested":
                time.sleep(0.02)

    def resume(self) -> None:
        with self.on_standby.connect() as connection:
            connection.execute(text("SELECT pg_wal_replay_resume()"))


@pytest.fixture(scope="module")
def pair() -> Iterator[Pair]:
    with stock_postgres.stock_cluster() as primary, database(primary.url) as template:
        migrate.upgrade(template)
        with stock_postgres.standby_of(primary) as standby:
            yield Pair(primary, standby, template)


@pytest.fixture
def stores(pair: Pair) -> Iterator[Stores]:
    with database(pair.primary.url, template=pair.template) as url:
        replica_url = make_url(url).update_query_dict({"host": str(pair.standby.folder)})
        shown = replica_url.render_as_string(hide_password=False)
        primary, on_standby = make_engine(url), make_replica_engine(shown)
        found = Stores(url, shown, primary, on_standby)
        found.reached()
        yield found
        on_standby.dispose()
        primary.dispose()


@pytest.fixture
def paused(stores: Stores) -> Iterator[Stores]:
    """The replay has stopped."""
    commit(stores.primary, [an_article("first", text_of(1))])
    stores.pause()
    yield stores
    stores.resume()


def is_on_standby(session: Session) -> bool:
    return bool(session.execute(text("SELECT pg_is_in_recovery()")).scalar_one())


def verdict(session: Session, number: int) -> str:
    against = check.compared_with(session)
    return check.check(session, an_article("asked", text_of(number)), against=against).verdict


def test_a_check_is_answered_by_the_replica(stores: Stores) -> None:
    commit(stores.primary, [an_article("first", text_of(1))])
    stores.reached()
    replica = stores.replica()

    assert replica.run(is_on_standby)
    assert replica.run(lambda session: verdict(session, 1)) == "copy"
    assert (replica.state().problem, replica.state().lag_s) == (None, 0.0)


def test_within_the_bound_it_answers_by_what_it_has_replayed(paused: Stores) -> None:
    commit(paused.primary, [an_article("second", text_of(2))])
    replica = paused.replica()

    assert replica.run(lambda session: verdict(session, 1)) == "copy"
    assert replica.run(lambda session: verdict(session, 2)) == "original"


def test_beyond_the_bound_the_primary_answers_until_it_has_caught_up(paused: Stores) -> None:
    replica = paused.replica(longest_lag_s=0.2)
    time.sleep(0.3)
    commit(paused.primary, [an_article("second", text_of(2))])

    assert replica.run(lambda session: verdict(session, 2)) == "copy"
    assert not replica.run(is_on_standby)
    assert "behind; the bound is 0.2 s" in (replica.state().problem or "")
    paused.resume()
    end = time.monotonic() + PATIENCE_S
    while not replica.run(is_on_standby):
        assert time.monotonic() < end
        time.sleep(0.1)


def test_answers_go_on_when_it_dies_and_it_is_used_again_when_it_is_back(pair: Pair, stores: Stores) -> None:
    commit(stores.primary, [an_article("first", text_of(1))])
    stores.reached()
    now = [0.0]
    replica = Replica(stores.primary, stores.on_standby, LARGE_S, clock=lambda: now[0])
    assert replica.run(is_on_standby)

    pair.standby.stop()
    try:
        assert replica.run(lambda session: verdict(session, 1)) == "copy"
        assert not replica.run(is_on_standby)
        assert replica.state().problem
    finally:
        pair.standby.start()
    now[0] += 60.0
    assert replica.run(is_on_standby)


def test_another_server_than_a_standby_of_this_database_is_not_used(pair: Pair, stores: Stores) -> None:
    itself = Replica(stores.primary, stores.primary, LARGE_S)
    another = make_replica_engine(make_url(stores.replica_url).set(database="postgres").render_as_string())

    assert itself.state().problem == "it is no standby, but takes changes itself"
    assert Replica(stores.primary, another, LARGE_S).state().problem == "it is a standby of another database"
    another.dispose()


# The desk.


def desk(stores: Stores, replica: Replica | None) -> FlaskClient:
    services = Services(engine=stores.primary, replica=replica, secret_key="for tests", language="en")
    return create_app(services).test_client()


def logged_in(client: FlaskClient, name: str = NAME) -> FlaskClient:
    let_in(client, name=name)
    return client


LISTS = (
    *("/cases", "/hits", "/pages", "/pages?text=%E6%B1%9F", "/analysis", "/analysis/network.graphml"),
    *("/analysis/fingerprints", "/analysis/precision", "/analysis/thresholds"),
)


def test_lists_analysis_and_checks_are_answered_by_the_replica_alone(stores: Stores) -> None:
    account = add_person(stores.primary)
    token = token_of(stores.primary, account, {TokenScope.CHECK})
    with transaction(stores.primary) as session:
        a_case(session, 1)
    stores.reached()
    replica = stores.replica()
    client = logged_in(desk(stores, replica))
    form = {"csrf_token": csrf_token(client, "/check"), "text": text_of(2, chars=200)}
    stores.reached()

    with statements(stores.on_standby) as there:
        for path in LISTS:
            assert client.get(path).status_code == 200, path
            assert there.pop(), path
            there.clear()
        assert "ours.example" in client.post("/check", data=form, follow_redirects=True).text
        assert there.pop()
        there.clear()
        asked = client.post("/api/v1/check", json={"text": text_of(2, chars=200)}, headers=bearer(token))
        assert there.pop()

    assert asked.json is not None
    assert asked.json["verdict"] == "copy"
    assert replica.state().problem is None  # nothing failed there, as a change would have


def test_a_person_sees_his_decision_at_once_and_others_when_the_replica_does(stores: Stores) -> None:
    add_person(stores.primary)
    add_person(stores.primary, name="another")
    with transaction(stores.primary) as session:
        case_id = a_case(session, 1)
    replica = stores.replica()
    decides, looks = (logged_in(desk(stores, replica), name) for name in (NAME, "another"))
    token = csrf_token(decides, f"/cases/{case_id}")
    stores.pause()
    try:
        moved = decides.post(f"/cases/{case_id}/move", data={"csrf_token": token, "expected": "new", "to": "confirmed"})
        seen = [shows(client) for client in (decides, looks)]
    finally:
        stores.resume()
    stores.reached()

    assert moved.status_code == 302
    assert seen == [True, False]
    with statements(stores.on_standby) as there:
        assert [shows(client) for client in (decides, looks)] == [True, True]
    assert there


def shows(client: FlaskClient) -> bool:
    return "copier1.example" in client.get("/cases?state=confirmed").text


@contextmanager
def statements(engine: Engine) -> Iterator[list[str]]:
    """What is asked through the engine, without the questions about the replica itself."""
    found: list[str] = []

    def note(_connection: object, _cursor: object, sql: str, *_: object) -> None:
        if "pg_last_wal_replay_lsn" not in sql:
            found.append(sql)

    event.listen(engine, "before_cursor_execute", note)
    try:
        yield found
    finally:
        event.remove(engine, "before_cursor_execute", note)


# The commands.


def test_the_commands_use_it_say_so_and_tell_no_secret(
    pair: Pair, stores: Stores, program: Program, tmp_path: Path
) -> None:
    commit(stores.primary, [an_article("first", text_of(1))])
    stores.pause()
    commit(stores.primary, [an_article("second", text_of(2))])
    with_secret = stores.replica_url.replace("zhiwen@", f"zhiwen:{SECRET}@")
    more = {"ZHIWEN_REPLICA_URL": with_secret, "ZHIWEN_REPLICA_LAG_S": str(LARGE_S)}
    run = partial(runner_on(program, stores.url, tmp_path / "home"), **more)
    try:
        found = [json.loads(run("check", "-", "--json", given=text_of(n).encode()).stdout)["verdict"] for n in (1, 2)]
    finally:
        stores.resume()
    used = json.loads(run("status", "--json").stdout)["replica"]
    pair.standby.stop()
    try:
        after = json.loads(run("check", "-", "--json", given=text_of(2).encode()).stdout)["verdict"]
        said = [run(*command) for command in (("status",), ("status", "--json"), ("doctor",))]
    finally:
        pair.standby.start()

    assert found == ["copy", "original"]
    assert (used["used"], used["problem"]) == (True, None)
    assert after == "copy"
    assert "The replica is not used; the primary answers its queries" in said[0].stderr
    assert not json.loads(said[1].stdout)["replica"]["used"]
    assert "replica" in said[2].stdout
    assert all(SECRET not in one.stdout + one.stderr for one in said)


def test_the_metrics_say_whether_it_is_used(stores: Stores) -> None:
    metrics = desk(stores, stores.replica()).get("/metrics").text

    assert "zhiwen_replica_used 1.0" in metrics
    assert "zhiwen_replica_lag_seconds" in metrics
    assert "zhiwen_replica" not in desk(stores, None).get("/metrics").text
