"""The settings page: what holds and from where, changes with their former values, and who may."""

from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient
from sqlalchemy import Engine
from werkzeug.test import TestResponse

from storage.accounts import audit_log
from storage.desk import setting_changes
from storage.engine import transaction
from storage.jobs import queue
from storage.types import AccountRole
from tests.support.desk_client import add_person, csrf_token, let_in, store_hit
from zhiwen.config.settings import Settings
from zhiwen.serving import admin_on

ABOVE = {"crawl_hours": "ZHIWEN_CRAWL_HOURS"}


@pytest.fixture
def chief(engine: Engine, tmp_path: Path) -> FlaskClient:
    add_person(engine, role=AccountRole.ADMINISTRATOR)
    settings = Settings(tmp_path, crawl_hours=5.0, secret_key="x" * 40, backup_folder=tmp_path, given=ABOVE)
    client = admin_on(settings, engine).test_client()
    let_in(client)
    return client


def send(client: FlaskClient, path: str = "/settings", **fields: Any) -> TestResponse:
    return client.post(path, data={"csrf_token": csrf_token(client, "/account"), **fields})


def stored(engine: Engine) -> dict[str, str]:
    with transaction(engine) as session:
        return setting_changes.values(session)


def test_a_change_holds_is_shown_audited_and_put_back(chief: FlaskClient, engine: Engine) -> None:
    store_in(engine)
    assert send(chief, case_min_chars="240", case_min_share="0.3").status_code == 302

    assert stored(engine) == {"case_min_chars": "240"}
    assert 'value="240"' in chief.get("/settings").text
    assert "240" in chief.get("/analysis/thresholds").text
    with transaction(engine) as session:
        event = audit_log.list_events(session, audit_log.AuditFilter(), limit=1)[0]
    assert (event.act, event.subject, event.detail) == (
        "setting.change",
        "case_min_chars",
        {"before": "150", "after": "240"},
    )

    assert send(chief, case_min_chars="").status_code == 302
    assert stored(engine) == {}


def store_in(engine: Engine) -> None:
    with transaction(engine) as session:
        store_hit(session)


@pytest.mark.parametrize(
    ("fields", "rule", "shown"),
    [
        ({"backup_rule": "every 12 h"}, "every 12 h", "每 12 小时"),
        ({"backup_rule": "other", "other_backup_rule": "15 2 * * 1-5"}, "15 2 * * 1-5", "15 2 * * 1-5"),
    ],
)
def test_the_schedule_of_backups_is_chosen_from_a_list_or_typed(
    chief: FlaskClient, engine: Engine, fields: dict[str, str], rule: str, shown: str
) -> None:
    assert '<option value="30 3 * * *" selected>每天 03:30</option>' in chief.get("/settings").text
    assert send(chief, **fields).status_code == 302

    assert stored(engine) == {"backup_rule": rule}
    page = chief.get("/settings").text
    assert f'<option value="{fields["backup_rule"]}" selected>' in page
    assert page.count(shown) >= 2  # in the form and among the changes
    assert send(chief, backup_rule="30 3 * * *").status_code == 302
    assert stored(engine) == {}


@pytest.mark.parametrize(
    "fields",
    [
        {"case_min_chars": "many"}, {"case_min_share": "1.5"}, {"language": "de"}, {"time_zone": "Mars/Olympus"},
        {"backup_rule": "每6小时"}, {"user_agent": "指纹"}, {"disk_floor_mb": "-1"}, {"evidence_max_gb": "0"},
        {"case_min_chars": "9" * 400}, {"crawl_memory_mb": "1e9"}, {"case_min_share": "nan"},
        {"case_min_chars": "200", "case_min_share": "<b>"},
        {"backup_rule": "other", "other_backup_rule": "每6小时"},
    ],
)  # fmt: skip
def test_a_wrong_value_changes_nothing_and_is_answered_in_chinese(
    chief: FlaskClient, engine: Engine, fields: dict[str, str]
) -> None:
    answer = send(chief, **fields)

    assert answer.status_code == 400
    assert "有效值" in answer.text
    assert "it must be" not in answer.text
    assert stored(engine) == {}


def test_what_is_set_above_is_shown_and_cannot_be_changed(chief: FlaskClient, engine: Engine) -> None:
    page = chief.get("/settings").text

    assert "ZHIWEN_CRAWL_HOURS" in page
    assert "x" * 40 not in page
    assert send(chief, crawl_hours="6").status_code == send(chief, crawl_hours="").status_code == 400
    assert stored(engine) == {}


@pytest.mark.parametrize("fields", [{}, {"port": "80"}, {"secret_key": "y" * 40}, {"no_such": "1"}])
def test_what_the_desk_cannot_change_is_no_field(chief: FlaskClient, engine: Engine, fields: dict[str, str]) -> None:
    assert send(chief, **fields).status_code == 400
    assert stored(engine) == {}


def test_the_effect_is_counted_and_nothing_changed(chief: FlaskClient, engine: Engine) -> None:
    store_in(engine)
    for chars in ("5000", "", "many", "\0"):
        page = send(chief, "/settings/effect", case_min_chars=chars, case_min_share="0.9")
        assert page.status_code == 200
        assert "测算结果" in page.text
    assert stored(engine) == {}


def test_a_backup_and_the_index_are_jobs(chief: FlaskClient, engine: Engine) -> None:
    assert send(chief, "/settings/backup").status_code == 302
    assert send(chief, "/settings/text-index", wanted="1").status_code == 302

    with transaction(engine) as session:
        jobs = {(one.task, one.arguments.get("wanted")) for one in queue.list_jobs(session)}
    assert jobs == {("backup", None), ("text-index", True)}
    assert "备份排队中" in chief.get("/settings").text


def test_only_administrators_see_settings(engine: Engine, tmp_path: Path) -> None:
    app = admin_on(Settings(tmp_path, secret_key="x" * 40), engine)
    for role in AccountRole:
        add_person(engine, role=role, name=role)
        client = app.test_client()
        let_in(client, name=role)
        wanted = 200 if role is AccountRole.ADMINISTRATOR else 403
        assert client.get("/settings").status_code == wanted
        if wanted == 403:
            assert send(client, case_min_chars="1").status_code == 403
