"""The first hour: five steps by what is stored, each done where it stands, put off and resumed."""

import pytest
from flask.testing import FlaskClient
from sqlalchemy import Engine

from admin.overview.setup_steps import setup_of
from storage.engine import transaction
from storage.letters import letterhead
from storage.records.sites import SiteSettings
from storage.sites import sites
from storage.types import AccountRole, OnboardingStep, SiteRole
from tests.support.desk_client import add_person, csrf_token, let_in, make_app

HERE = "/first-hour"


@pytest.fixture
def chief(engine: Engine) -> FlaskClient:
    return a_client(engine, AccountRole.ADMINISTRATOR)


def a_client(engine: Engine, role: AccountRole) -> FlaskClient:
    add_person(engine, role=role)
    client = make_app(engine).test_client()
    let_in(client)
    return client


def send(client: FlaskClient, path: str, **fields: str) -> str | None:
    return client.post(path, data={"csrf_token": csrf_token(client, "/account"), **fields}).location


def now_at(client: FlaskClient) -> str:
    _, _, after = client.get(HERE).text.partition('aria-current="step">')
    return after.partition("<h2>")[2].partition("</h2>")[0].strip()


def add_site(engine: Engine, name: str, role: SiteRole) -> None:
    with transaction(engine) as session:
        sites.add_site(session, SiteSettings(name=name, start_urls=(), hosts=(), role=role))


def test_the_steps_follow_what_is_stored_and_can_be_put_off(chief: FlaskClient, engine: Engine) -> None:
    assert now_at(chief) == "我方站点"
    assert "已完成 0 / 5" in chief.get("/").text
    add_site(engine, "县报", SiteRole.ORIGINAL)
    assert now_at(chief) == "我方文章"

    assert send(chief, f"{HERE}/skip", step="own-articles") == HERE
    assert now_at(chief) == "监测站点"
    assert send(chief, f"{HERE}/resume", step="own-articles") == HERE
    assert now_at(chief) == "我方文章"

    for step in ("own-articles", "watched-sites", "alerts", "letterhead"):
        send(chief, f"{HERE}/skip", step=step)
    assert now_at(chief) == ""
    assert "设置完成" in chief.get(HERE).text
    assert "初次设置" not in chief.get("/").text.partition("<main")[2]
    assert "县报" in chief.get(HERE).text


def test_a_site_a_channel_and_the_letterhead_are_entered_where_the_step_stands(
    chief: FlaskClient, engine: Engine
) -> None:
    site = {"name": "抄写网", "role": "watched", "rights": "unknown", "start_urls": "https://copier.example/",
            "rule": "adaptive", "time_zone": "Asia/Shanghai", "next": HERE}  # fmt: skip
    assert send(chief, "/sites", **site) == HERE
    address = "https://qyapi.weixin.qq.com/cgi-bin/webhook/send?key=693a91f6-7eac-4bc4-97a0-0ec2b1fa5aaa"
    assert send(chief, "/alerts/channels", how="address", name="群", language="zh", address=address, next=HERE) == HERE
    fields = {"organisation": "县报社", "contact": "林编辑", "outbox_minutes": "10", "next": HERE}
    assert send(chief, "/letters/settings", **fields) == HERE

    page = chief.get(HERE).text
    assert "已完成 3 / 5" in page
    assert 'value="县报社"' in page
    with transaction(engine) as session:
        assert letterhead.letterhead(session).contact == "林编辑"


@pytest.mark.parametrize("wanted", ["https://evil.example/", "//evil.example", "/\\evil.example", "javascript:x", "\0"])
def test_a_form_never_leads_elsewhere(chief: FlaskClient, wanted: str) -> None:
    location = send(chief, "/letters/settings", organisation="县报社", outbox_minutes="10", next=wanted)
    assert location == "/letters/settings"


def test_a_manager_does_the_first_steps_and_sees_who_does_the_others(engine: Engine) -> None:
    manager = a_client(engine, AccountRole.MANAGER)

    page = manager.get(HERE).text

    assert "由管理员完成" in page
    assert 'action="/alerts/channels"' not in page
    assert a_reviewer_gets(engine) == 403


def a_reviewer_gets(engine: Engine) -> int:
    add_person(engine, role=AccountRole.REVIEWER, name="reviewer")
    client = make_app(engine).test_client()
    let_in(client, name="reviewer")
    return client.get(HERE).status_code


def test_a_step_put_off_and_then_done_is_done() -> None:
    setup = setup_of({OnboardingStep.ALERTS}, {OnboardingStep.ALERTS, OnboardingStep.OWN_SITE})

    assert [(one.is_done, one.is_skipped) for one in setup.steps] == [
        (False, True), (False, False), (False, False), (True, False), (False, False),
    ]  # fmt: skip
    assert next(one.step for one in setup.steps if one.is_next) is OnboardingStep.OWN_ARTICLES
    assert not setup.is_over
