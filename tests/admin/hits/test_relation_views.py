"""What the desk says where two pages may have it from a third: on the hit, in the case, in place of a letter."""

import html
import re
from dataclasses import replace

import pytest
from flask.testing import FlaskClient
from sqlalchemy import Engine
from sqlalchemy import text as sql

from storage.accounts.api_tokens import TokenScope
from storage.engine import transaction
from storage.types import AccountRole, CaseState
from tests.support.api_tokens import bearer, token_of
from tests.support.cases import StoredCase, store_case
from tests.support.desk_client import COPY, SOURCE, add_person, client_of_person, make_app
from tests.support.factories import an_article, save, text_of

ATTACK = "https://third.example/a?<script>alert(1)</script>"


@pytest.fixture
def reviewer(engine: Engine) -> FlaskClient:
    return client_of_person(engine, role=AccountRole.REVIEWER)


def a_case(engine: Engine, *, third: str | None) -> StoredCase:
    """A confirmed case whose hit says that both have it from a third page."""
    made = store_case(engine, copy=replace(COPY, text=f"{COPY.text}1"), source=SOURCE)
    with transaction(engine) as session:
        page_id = None if third is None else save(session, an_article(third, text_of(1)))[0].page_id
        values = {"third": page_id, "state": CaseState.NEW, "id": made.id}
        session.execute(sql("UPDATE page_match SET relation = 'both_from_third', third_page_id = :third"), values)
        session.execute(sql('UPDATE "case" SET state = :state WHERE id = :id'), values)
    return made


def words(client: FlaskClient, path: str, *, status: int = 200) -> str:
    page = client.get(path)
    assert page.status_code == status
    return " ".join(html.unescape(re.sub(r"<[^>]*>", " ", page.text)).split())


def hit_id(engine: Engine) -> int:
    with engine.connect() as connection:
        return int(connection.execute(sql("SELECT id FROM page_match")).scalar_one())


def asked(engine: Engine) -> tuple[dict[str, str], FlaskClient]:
    """A program with a token, and its headers."""
    token = token_of(engine, add_person(engine, name="program"), [TokenScope.READ, TokenScope.DECIDE])
    return bearer(token), make_app(engine).test_client()


def test_the_hit_and_the_case_name_the_third_page(engine: Engine, reviewer: FlaskClient) -> None:
    case = a_case(engine, third=ATTACK)

    assert "双方可能都来自第三个页面。 https://third.example/a?<script>" in words(reviewer, f"/hits/{hit_id(engine)}")
    assert "<script>alert" not in reviewer.get(f"/hits/{hit_id(engine)}").text
    assert "可能都来自第三个页面" in words(reviewer, "/hits")
    shown = words(reviewer, f"/cases/{case.id}")
    assert "可能都来自第三个页面" in shown
    assert "https://third.example/a" in shown
    assert "<script>alert" not in reviewer.get(f"/cases/{case.id}").text


def test_without_a_stored_original_both_are_from_elsewhere(engine: Engine, reviewer: FlaskClient) -> None:
    case = a_case(engine, third=None)

    assert "例如同一原作的两个译本" in words(reviewer, f"/hits/{hit_id(engine)}")
    assert "可能都来自别处" in words(reviewer, f"/cases/{case.id}")


def test_there_is_no_letter_until_a_person_has_confirmed_the_case(engine: Engine, reviewer: FlaskClient) -> None:
    case = a_case(engine, third=ATTACK)
    headers, program = asked(engine)

    assert "通知书的内容可能不实" in words(reviewer, f"/cases/{case.id}/letter", status=409)
    assert program.get(f"/api/v1/cases/{case.id}", headers=headers).get_json()["no_letter"] == "from-third"

    body = {"to": "confirmed", "expected": "new"}
    moved = program.post(f"/api/v1/cases/{case.id}/decisions", headers=headers, json=body)
    assert moved.status_code == 200, moved.text
    assert program.get(f"/api/v1/cases/{case.id}", headers=headers).get_json()["no_letter"] is None


def test_the_api_names_the_relation_of_a_match(engine: Engine) -> None:
    a_case(engine, third=ATTACK)
    headers, program = asked(engine)

    (found,) = program.get("/api/v1/matches", headers=headers).get_json()["items"]

    assert (found["relation"], found["third"]) == ("both_from_third", ATTACK)
