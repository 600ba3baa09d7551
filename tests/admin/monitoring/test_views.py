"""The monitoring page: sites outside their limits, detection latency, the lists behind numbers."""

from datetime import UTC, datetime, timedelta

import pytest
from flask.testing import FlaskClient
from sqlalchemy import Engine, update

from admin.monitoring.labels import measured
from storage.accounts import audit_log
from storage.accounts.audit_log import AuditFilter
from storage.backups import history
from storage.cases import findings
from storage.crawl import runs
from storage.engine import transaction
from storage.jobs import alert_events, queue
from storage.models.cases import CasePage
from storage.models.sites import CrawlRun
from storage.monitoring import disk_forecast, site_alarms
from storage.postgres.statement_stats import watching
from storage.records.monitoring import Measure
from storage.records.pages import Declared
from storage.types import AccountRole, DateOrigin, Precision
from tests.support.case_actions import a_finding, a_page
from tests.support.desk_client import client_of_person, csrf_token, make_app, store_hit
from tests.support.factories import a_site
from tests.support.monitoring import an_alarm

NOW = datetime.now(UTC)


def alarm_on(engine: Engine, measure: Measure = Measure.EMPTY, site: str = "<b>县报</b>") -> int:
    with transaction(engine) as session:
        return an_alarm(session, a_site(session, site, host=f"county-{measure}.example").id, measure)


def finds(engine: Engine, site: str, count: int) -> None:
    """So many copies on a site that was crawled before, each found ten minutes after it was first seen."""
    at = NOW - timedelta(hours=2)
    with transaction(engine) as session:
        their_site = a_site(session, site, host=f"{site}.example")
        run_id = runs.start_run(session, their_site.id, trigger="test")
        early = at - timedelta(days=2)
        session.execute(update(CrawlRun).where(CrawlRun.id == run_id).values(ended_at=early, exit_reason="finished"))
        for number in range(count):
            dated = {"declared": Declared(at - timedelta(days=1), Precision.MINUTE, DateOrigin.META)}
            ours = a_page(session, f"https://ours.example/{number}", 2 * number, fetched_at=early, **dated)
            copied = {"declared": Declared(at - timedelta(hours=22), Precision.MINUTE, DateOrigin.META)}
            theirs = a_page(
                session, f"https://{site}.example/{number}", 2 * number + 1, fetched_at=at, site_id=their_site.id,
                title="<b>抄来</b>", **copied,
            )  # fmt: skip
            findings.keep_findings(session, [a_finding(ours, theirs, f"copier{number}.example")])
        session.execute(update(CasePage).values(found_at=at + timedelta(minutes=10)))


def test_an_empty_store_says_that_all_is_as_usual_and_nobody_works(engine: Engine) -> None:
    page = client_of_person(engine).get("/health")

    assert page.status_code == 200
    assert "所有站点都正常" in page.text
    assert "zhiwen worker" in page.text


def test_the_page_tells_of_alarms_finds_queue_and_disks(engine: Engine) -> None:
    alarm_on(engine)
    finds(engine, "copier", 2)
    with transaction(engine) as session:
        queue.defer_once(session, queue.MATCH)
        now = queue.database_time(session)
        for days in (3, 2, 1, 0):
            disk_forecast.add_sample(
                session, "m1", now - timedelta(days=days), total=10**12, free=10**11 + days * 10**10
            )
        history.record(session, made_at=now, place="m1:/b", size=5)
    client = client_of_person(engine, language="en")

    page = client.get("/health").text

    assert "&lt;b&gt;县报&lt;/b&gt;" in page
    for words in ("Pages without an article", "90%", "≤ 20%", "10.0 min", "Compare", "Disk of m1", "full around"):
        assert words in page, words
    assert 'href="/health/finds?site=copier"' in page
    assert "Accept as normal" not in page, "a reviewer does not say so"


def test_every_number_leads_to_its_list(engine: Engine) -> None:
    finds(engine, "copier", 2)
    with transaction(engine) as session:
        store_hit(session)
    client = client_of_person(engine, language="en")

    everywhere, of_site = client.get("/health/finds").text, client.get("/health/finds?site=copier").text
    assert everywhere.count("10.0 min") == of_site.count("10.0 min") == 2
    assert "&lt;b&gt;抄来&lt;/b&gt;" in of_site
    assert "10.0 min" not in client.get("/health/finds?site=other").text
    home = client.get("/analysis/work").text
    assert 'href="/health/delays/1"' in home
    assert "Time to detection: median 10.0 min" in home
    assert client.get("/health/delays/1").text.count("data-row") == 2
    for step in ("0", "5", "before"):
        assert client.get(f"/health/delays/{step}").text.count("data-row") == 0
    for wrong in ("6", "-1", "x", "99999999999999999999999"):
        assert client.get(f"/health/delays/{wrong}").status_code == 404
    assert client.get("/health/finds?page=999999999&site=%00").status_code == 200


def accept(client: FlaskClient, alarm_id: int, **form: str) -> int:
    return client.post(f"/health/alarms/{alarm_id}/accept", data=form).status_code


def test_a_manager_takes_what_is_new_for_usual(engine: Engine) -> None:
    alarm_id, held = alarm_on(engine), alarm_on(engine, Measure.REWRITTEN, "held")
    client = client_of_person(engine, role=AccountRole.MANAGER)
    token = csrf_token(client, "/health")

    assert "设为新的正常值" in client.get("/health").text
    assert accept(client, alarm_id) == 400, "without the token of the form"
    assert accept(client, alarm_id, csrf_token=token) == 302
    assert accept(client, alarm_id, csrf_token=token) == 404
    assert accept(client, held, csrf_token=token) == 404, "its alerts are sent or dropped instead"
    with transaction(engine) as session:
        assert [alarm.measure for alarm in site_alarms.open_alarms(session)] == [Measure.REWRITTEN]
        assert [
            event.subject for event in audit_log.list_events(session, AuditFilter(act="alarm.accept"), limit=5)
        ] == ["<b>县报</b>: empty"]


def test_a_reviewer_may_not(engine: Engine) -> None:
    alarm_id = alarm_on(engine)
    client = client_of_person(engine, role=AccountRole.REVIEWER)

    assert accept(client, alarm_id, csrf_token=csrf_token(client, "/account")) == 403


def test_many_alarms_and_sites_cost_no_more_questions(engine: Engine) -> None:
    client = client_of_person(engine)
    alarm_on(engine)
    finds(engine, "copier", 1)
    client.get("/health")
    asked = []
    for number in range(2):
        with watching(engine) as watched:
            client.get("/health")
            asked.append(len(watched.seconds))
        for measure in (Measure.FAILED, Measure.LENGTH, Measure.ARTICLES):
            if not number:
                alarm_on(engine, measure, measure.value)
        if not number:
            finds(engine, "second", 4)

    assert asked[0] == asked[1]


def test_held_alerts_lead_to_where_they_are_released(engine: Engine) -> None:
    with transaction(engine) as session:
        alert_events.hold(session, a_site(session, "县报").id, "looks wrong")

    assert 'href="/alerts"' in client_of_person(engine).get("/health").text


@pytest.mark.parametrize(
    ("value", "measure", "words"), [(0.9, Measure.EMPTY, "90%"), (1_234.4, Measure.ARTICLES, "1,234")]
)
def test_values_are_written_as_people_do(engine: Engine, value: float, measure: Measure, words: str) -> None:
    with make_app(engine).test_request_context():
        assert measured(value, measure) == words
