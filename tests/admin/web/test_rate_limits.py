"""Limits of requests hold for all processes of the desk together."""

from flask import Flask
from sqlalchemy import Engine, text

from admin.web.rate_limits import StoredCounts, limiter
from admin.web.services import Services
from storage.accounts import request_limits
from storage.engine import transaction


def a_process(engine: Engine) -> Flask:
    app = Flask(__name__)
    Services(engine=engine, secret_key="for tests").attach(app)
    limiter.init_app(app)
    app.add_url_rule("/", "ask", ask)
    return app


@limiter.limit("3 per hour")
def ask() -> str:
    return "yes"


def test_two_processes_keep_one_limit_for_each_address(engine: Engine) -> None:
    processes = [a_process(engine).test_client() for _ in range(2)]
    answers = [processes[number % 2].get("/").status_code for number in range(5)]
    elsewhere = processes[0].get("/", environ_base={"REMOTE_ADDR": "192.0.2.9"}).status_code
    assert (answers, elsewhere) == ([200, 200, 200, 429, 429], 200)


def test_a_stretch_ends_and_another_begins(engine: Engine) -> None:
    counts = StoredCounts(engine=lambda: engine)
    assert [counts.incr("a", 60) for _ in range(3)] == [1, 2, 3]
    assert (counts.get("a"), counts.get("b"), counts.get_expiry("b")) == (3, 0, 0.0)
    with transaction(engine) as session:
        session.execute(text("UPDATE request_count SET ends_at = now() - interval '1 second'"))
    assert (counts.get("a"), counts.incr("a", 60, 2)) == (0, 2)
    assert counts.get_expiry("a") > 0


def test_what_is_over_goes_and_what_is_cleared_begins_again(engine: Engine) -> None:
    counts = StoredCounts(engine=lambda: engine)
    for key in "abc":
        counts.incr(key, 60)
    with transaction(engine) as session:
        session.execute(text("UPDATE request_count SET ends_at = now() - interval '1 second' WHERE key <> 'c'"))
    counts.incr("d", 60)
    with transaction(engine) as session:
        assert session.execute(text("SELECT key FROM request_count ORDER BY key")).scalars().all() == ["c", "d"]
        assert request_limits.count(session, "c", seconds=60) == 2
    counts.clear("c")
    assert counts.incr("c", 60) == 1
    assert (counts.reset(), counts.check()) == (2, True)
