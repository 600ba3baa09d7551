"""Exports are written to the audit log, and nothing else is."""

import pytest
from flask.testing import FlaskClient
from sqlalchemy import Engine

from storage.accounts import audit_log
from storage.accounts.audit_log import AuditFilter
from storage.engine import transaction
from storage.types import AccountRole
from tests.support.cases import store_case
from tests.support.desk_client import NAME, client_of_person, csrf_token


@pytest.fixture
def case_id(engine: Engine) -> int:
    return store_case(engine).id


@pytest.fixture
def viewer(engine: Engine, case_id: int) -> FlaskClient:
    assert case_id
    return client_of_person(engine, role=AccountRole.VIEWER)


def noted(engine: Engine) -> list[tuple[str, str, str, dict[str, str]]]:
    """Who, what, of what, with which details; the oldest first, without the log-in."""
    with transaction(engine) as session:
        found = audit_log.list_events(session, AuditFilter(), limit=100)
    return [
        (event.actor, event.act, event.subject, dict(event.detail))
        for event in reversed(found)
        if event.act != "session.begin"
    ]


@pytest.mark.parametrize(
    ("path", "act", "detail"),
    [
        ("evidence.zip", "evidence.bundle", {"kind": "zip"}),
        ("report?download=1&language=en", "evidence.report", {"kind": "html", "language": "en"}),
        ("statement?as=csv", "evidence.statement", {"kind": "csv", "language": "zh", "owner": "copier.example"}),
        ("statement?as=html", "evidence.statement", {"kind": "html", "language": "zh", "owner": "copier.example"}),
    ],
)
def test_files_of_a_case_are_noted(
    viewer: FlaskClient, engine: Engine, case_id: int, path: str, act: str, detail: dict[str, str]
) -> None:
    with viewer.get(f"/cases/{case_id}/{path}") as answer:
        assert answer.status_code == 200

    assert noted(engine) == [(NAME, act, f"#{case_id}", detail)]


def test_a_letter_is_noted_when_it_is_saved(viewer: FlaskClient, engine: Engine, case_id: int) -> None:
    path = f"/cases/{case_id}/letter"
    form = {"csrf_token": csrf_token(viewer, path), "text": "致贵社：", "as": "txt", "language": "zh", "sure": "1"}

    assert viewer.post(path, data=form).status_code == 200

    detail = {"kind": "txt", "language": "zh", "undecided": f"#{case_id}"}
    assert noted(engine) == [(NAME, "evidence.letter", f"#{case_id}", detail)]


def test_an_exported_list_is_noted_with_its_filters(viewer: FlaskClient, engine: Engine) -> None:
    assert viewer.get("/exports/hits.csv?kind=near&text=老桥&site=").status_code == 200

    assert noted(engine) == [(NAME, "list.export", "hits", {"kind": "csv", "query": "kind=near, text=老桥"})]


def test_what_is_read_on_the_desk_or_does_not_come_is_not_noted(
    viewer: FlaskClient, engine: Engine, case_id: int
) -> None:
    for path in (f"/cases/{case_id}/report", f"/cases/{case_id}/statement", f"/cases/{case_id}/letter", "/hits"):
        assert viewer.get(path).status_code == 200
    for path in ("/cases/987654321/evidence.zip", f"/cases/{case_id}/statement?as=exe", "/exports/secrets.csv"):
        assert viewer.get(path).status_code == 404

    assert noted(engine) == []


def test_the_log_tells_it_in_the_reader_s_language(engine: Engine, case_id: int) -> None:
    chief = client_of_person(engine, role=AccountRole.ADMINISTRATOR)
    chief.get(f"/cases/{case_id}/evidence.zip").close()

    assert "下载证据包" in chief.get("/audit").text
