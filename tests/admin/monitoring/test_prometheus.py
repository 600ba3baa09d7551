"""Metrics for Prometheus, and readiness."""

from datetime import timedelta
from typing import Any

import pytest
from flask.testing import FlaskClient
from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.parser import text_string_to_metric_families
from sqlalchemy import Engine, text

from admin.app import create_app
from admin.monitoring.prometheus import StoreCollector
from admin.web.cache import Cached, read_from
from admin.web.services import Services
from storage.crawl import runs
from storage.engine import make_engine, transaction
from storage.jobs import alert_events, queue
from storage.monitoring import disk_forecast, run_totals
from storage.monitoring.metrics import Figures
from storage.records.alerts import AlertKind
from tests.support.desk_client import store_hit
from tests.support.factories import a_site

TOKEN = "a token of sixteen and more".replace(" ", "-")
NOWHERE = "postgresql+psycopg2://user:hidden@127.0.0.1:9/none"


def a_client(engine: Engine, **settings: Any) -> FlaskClient:
    return create_app(Services(engine=engine, secret_key="for tests", **settings)).test_client()


def values(exposed: str) -> dict[tuple[str, ...], float]:
    """Each sample by its name and the values of its labels, these in the order of their names."""
    return {
        (sample.name, *(value for _, value in sorted(sample.labels.items()))): sample.value
        for family in text_string_to_metric_families(exposed)
        for sample in family.samples
    }


def test_metrics_are_for_this_machine_alone(engine: Engine) -> None:
    client = a_client(engine)

    assert client.get("/metrics").status_code == 200
    assert client.get("/metrics", environ_overrides={"REMOTE_ADDR": "::1"}).status_code == 200
    for elsewhere in ("192.0.2.7", "10.0.0.1", "", "unix:"):
        assert client.get("/metrics", environ_overrides={"REMOTE_ADDR": elsewhere}).status_code == 403
    for header in ("X-Forwarded-For", "Forwarded", "X-Real-IP"):
        assert client.get("/metrics", headers={header: "192.0.2.7"}).status_code == 403, "a proxy of this machine"


def test_with_a_token_they_are_for_whoever_has_it(engine: Engine) -> None:
    client = a_client(engine, metrics_token=TOKEN)
    far_away = {"REMOTE_ADDR": "192.0.2.7"}

    assert (
        client.get("/metrics", headers={"Authorization": f"Bearer {TOKEN}"}, environ_overrides=far_away).status_code
        == 200
    )
    for wrong in ("", "Bearer ", f"Bearer {TOKEN}x", "Bearer \u00e9", f"Basic {TOKEN}"):
        answer = client.get("/metrics", headers={"Authorization": wrong})
        assert (answer.status_code, "zhiwen_up" in answer.text) == (401, False)


def test_they_tell_of_store_crawls_queue_and_disks(engine: Engine) -> None:
    with transaction(engine) as session:
        store_hit(session)
        site = a_site(session, "网 “甲”")
        counters = {"pages/fetched": 8, "refused/robots": 3}
        run_id = runs.start_run(session, site.id, trigger="test")
        runs.finish_run(session, run_id, exit_reason="finished", counters=counters, refusal_samples={})
        runs.start_run(session, site.id, trigger="test")
        run_totals.tally(session)
        job_id = queue.defer_once(session, queue.MATCH)
        assert job_id is not None
        queue.add_failure(session, job_id, queue.MATCH, {}, attempt=1, error="x", set_aside=False)
        alert_events.hold(session, site.id, "looks wrong")
        alert_events.raise_event(session, AlertKind.DISK_LOW, key="x")
        disk_forecast.add_sample(session, "m", queue.database_time(session), total=500, free=90)

    answer = a_client(engine).get("/metrics")

    found = values(answer.text)
    assert answer.headers["Content-Type"].startswith("text/plain")
    expected = {
        ("zhiwen_up",): 1,
        ("zhiwen_pages",): 2,
        ("zhiwen_hits",): 1,
        ("zhiwen_backlog_pages",): 2,
        ("zhiwen_crawl_total", "pages/fetched"): 8,
        ("zhiwen_refusals_total", "robots"): 3,
        ("zhiwen_runs_total", "finished"): 1,
        ("zhiwen_runs_going",): 1,
        ("zhiwen_jobs", "waiting", "match"): 1,
        ("zhiwen_job_failures_1d", "match"): 1,
        ("zhiwen_workers",): 0,
        ("zhiwen_sites_held",): 1,
        ("zhiwen_disk_free_bytes", "m"): 90,
        ("zhiwen_detections", "", "case"): 0,
    }
    assert {name: found.get(name) for name in expected} == expected
    assert found["zhiwen_database_bytes",] > 1_000_000
    assert found["zhiwen_jobs_age_seconds", "waiting", "match"] >= 0
    assert found["zhiwen_match_delay_seconds", "0.5"] > 0


class Clock:
    def __init__(self) -> None:
        self.now = 100.0
        self.read = 0

    def __call__(self) -> float:
        return self.now


def test_the_database_is_asked_once_in_a_quarter_of_a_minute(engine: Engine) -> None:
    clock = Clock()

    def read() -> Figures:
        clock.read += 1
        return read_from(engine)

    cached = Cached(read, clock)
    for _ in range(5):
        assert cached.figures() is not None
    assert clock.read == 1
    clock.now += 14.9
    cached.figures()
    assert clock.read == 1
    clock.now += 0.1
    cached.figures()
    assert clock.read == 2


def test_where_the_database_does_not_answer_the_last_figures_stay_and_that_is_reported(engine: Engine) -> None:
    clock, engines = Clock(), [engine]
    registry = CollectorRegistry()
    registry.register(StoreCollector(Cached(lambda: read_from(engines[-1]), clock)))
    assert values(generate_latest(registry).decode())["zhiwen_up",] == 1

    engines.append(make_engine(NOWHERE))
    clock.now += 60
    found = values(generate_latest(registry).decode())

    assert found["zhiwen_up",] == 0
    assert found["zhiwen_pages",] == 0
    clock.now += 60
    engines.append(engine)
    assert values(generate_latest(registry).decode())["zhiwen_up",] == 1


def test_a_database_that_never_answered_is_reported_and_its_address_is_not() -> None:
    answer = a_client(make_engine(NOWHERE)).get("/metrics")

    assert (answer.status_code, values(answer.text)) == (200, {("zhiwen_up",): 0.0})
    assert "hidden" not in answer.text


def seen(engine: Engine, ago: timedelta) -> None:
    statement = "INSERT INTO zhiwen_queue.procrastinate_workers (last_heartbeat) VALUES (now() - :ago)"
    with transaction(engine) as session:
        session.execute(text("DELETE FROM zhiwen_queue.procrastinate_workers"))
        session.execute(text(statement), {"ago": ago})


def test_ready_is_who_has_a_database_a_schema_and_a_worker(engine: Engine) -> None:
    client = a_client(engine)
    alone = client.get("/readyz")
    seen(engine, timedelta(minutes=10))
    stopped = client.get("/readyz")
    seen(engine, timedelta(seconds=20))
    ready = client.get("/readyz")

    assert (alone.status_code, alone.text) == (503, "database ok\nschema ok\nworker not seen lately\n")
    assert stopped.status_code == 503
    assert (ready.status_code, ready.text) == (200, "database ok\nschema ok\nworker ok\n")


@pytest.mark.parametrize("change", ["UPDATE alembic_version SET version_num = '0001'", "DROP TABLE alembic_version"])
def test_who_has_an_older_schema_is_not_ready(engine: Engine, change: str) -> None:
    with transaction(engine) as session:
        session.execute(text(change))

    answer = a_client(engine).get("/readyz")

    assert (answer.status_code, answer.text) == (503, "database ok\nschema not current\nworker unknown\n")


def test_who_has_no_database_is_not_ready_and_tells_no_address() -> None:
    answer = a_client(make_engine(NOWHERE)).get("/readyz")

    assert (answer.status_code, answer.text) == (503, "database unreachable\nschema unknown\nworker unknown\n")
