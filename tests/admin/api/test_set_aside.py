"""Setting texts aside for programs: the effect first, then the act, with the rights of the token."""

import pytest
from flask.testing import FlaskClient
from sqlalchemy import Engine
from werkzeug.test import TestResponse

from matcher.worker.backlog import work_off
from storage.accounts.api_tokens import TokenScope
from storage.cases import listing
from storage.engine import transaction
from storage.types import CaseState, Rights, SiteRole
from tests.support.api_tokens import bearer, token_of
from tests.support.desk_client import add_person, make_app
from tests.support.factories import a_site, an_article, save, story, text_of

PARAGRAPH = story()[:360]


@pytest.fixture
def client(engine: Engine) -> FlaskClient:
    with transaction(engine) as session:
        ours = a_site(session, "河畔", owner="河畔社", role=SiteRole.ORIGINAL, host="ours.example", rights=Rights.OWN)
        other = a_site(session, "抄写网", owner="抄写公司", host="other.example")
        around = [f"{text_of(number)[:300]}\n{PARAGRAPH}\n{text_of(number)[300:]}" for number in (1, 2)]
        save(
            session,
            an_article("https://ours.example/1", around[0], site_id=ours.id),
            an_article("https://other.example/1", around[1], hours=2, site_id=other.id),
        )
    assert work_off(engine, should_stop=lambda: False).failed == 0
    return make_app(engine).test_client()


@pytest.fixture
def token(engine: Engine, client: FlaskClient) -> str:
    return token_of(engine, add_person(engine), frozenset({TokenScope.READ, TokenScope.DECIDE}))


def post(client: FlaskClient, token: str, path: str = "", **body: object) -> TestResponse:
    return client.post(f"/api/v1/set-aside{path}", json=body, headers=bearer(token))


def states(engine: Engine) -> list[CaseState]:
    with transaction(engine) as session:
        return [case.state for case in listing.list_cases(session)]


def test_the_effect_is_asked_for_then_it_is_done_listed_and_withdrawn(
    client: FlaskClient, engine: Engine, token: str
) -> None:
    asked = post(client, token, text=PARAGRAPH).get_json()
    assert (asked["id"], asked["hits_gone"], states(engine)) == (None, 1, [CaseState.NEW])
    unsure = post(client, token, text=PARAGRAPH, act=True)
    assert (unsure.status_code, unsure.get_json()["type"]) == (409, "urn:zhiwen:problem:large-part")

    done = post(client, token, text=PARAGRAPH, act=True, confirm=True, scope="site", site="抄写网", note="样稿")
    assert done.status_code == 200
    assert states(engine) == [CaseState.WITHDRAWN]

    (listed,) = client.get("/api/v1/set-aside", headers=bearer(token)).get_json()["items"]
    assert (listed["text"], listed["site"], listed["taken_back"]) == (PARAGRAPH, "抄写网", 1)
    path = f"/{listed['id']}/withdraw"
    assert post(client, token, path).get_json() == {"id": listed["id"], "cases": 1}
    assert states(engine) == [CaseState.NEW]
    assert post(client, token, path).status_code == 409


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({}, 422),
        ({"text": "短"}, 422),
        ({"text": "字" * 20_001}, 422),
        ({"text": PARAGRAPH, "scope": "nowhere"}, 422),
        ({"text": PARAGRAPH, "scope": "site"}, 422),
        ({"text": PARAGRAPH, "scope": "owner", "owner": "'; DROP TABLE owner; --"}, 422),
        ({"text": "\ud800" * 30}, 422),
    ],
)
def test_what_cannot_be_set_aside_is_refused(
    client: FlaskClient, token: str, body: dict[str, str], status: int
) -> None:
    assert post(client, token, **body).status_code == status


def test_reading_is_not_enough_and_an_unknown_text_is_not_found(
    client: FlaskClient, engine: Engine, token: str
) -> None:
    reading = token_of(engine, add_person(engine, name="读者"), frozenset({TokenScope.READ}))

    assert post(client, reading, text=PARAGRAPH).status_code == 403
    assert post(client, token, "/99/withdraw").status_code == 404
