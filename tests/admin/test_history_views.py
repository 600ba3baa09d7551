"""The pages of alerts: channels, rules, messages, held alerts; and feeds."""

import re
from xml.etree import ElementTree

import pytest
from flask.testing import FlaskClient
from sqlalchemy import Engine, select

from admin.web.services import Services
from storage.accounts import accounts
from storage.alerts import channels, history, rules
from storage.desk import saved_views
from storage.engine import transaction
from storage.jobs import alert_events
from storage.models.alerts import Alert, AlertEvent
from storage.models.sites import Site
from storage.records.alerts import AlertKind, MessageState, RuleTerms
from storage.types import AccountRole, CaseKind, CaseQueue, Credit, Severity
from tests.support.alerts import fill_alerts
from tests.support.case_actions import a_case, owned_cases
from tests.support.desk_client import add_person, app_with, csrf_token, let_in
from zhiwen.alerts.dispatcher import route_all

ATOM = "{http://www.w3.org/2005/Atom}"
TRIED: list[int] = []


@pytest.fixture
def client(engine: Engine) -> FlaskClient:
    """An administrator's browser, at a desk whose test messages always arrive at even channels."""
    TRIED.clear()

    def try_channel(channel_id: int) -> tuple[bool, str]:
        TRIED.append(channel_id)
        return (False, "It answered 500.") if channel_id % 2 else (True, "")

    app = app_with(Services(engine=engine, secret_key="for tests", try_channel=try_channel))
    add_person(engine, role=AccountRole.ADMINISTRATOR)
    found = app.test_client()
    let_in(found)
    return found


def post(client: FlaskClient, path: str, **data: object) -> tuple[int, str]:
    """Follows to the page after it; the status is the post's own."""
    answer = client.post(path, data={"csrf_token": csrf_token(client, "/alerts/feeds"), **data})
    return answer.status_code, client.get(answer.location).text if answer.location else answer.text


def a_channel(client: FlaskClient, name: str = "编辑部") -> str:
    """By the form of addresses; the page that answers."""
    status, page = post(
        client, "/alerts/channels", how="address", name=name, language="zh", address="https://hooks.example/s3cr3t-path"
    )
    assert status == 200
    return page


RULE = {
    "name": "严重", "channel": "1", "event": ["case-opened", "disk-low"], "when": "digest", "digest_at": "7:05",
    "time_zone": "Asia/Tokyo", "least": "grave", "queue": "both", "site": "", "owner": "", "view": "",
    "kind": ["near", "excerpt"], "credit": ["none"], "enabled": "1",
}  # fmt: skip


def test_a_webhook_is_added_with_a_secret_shown_once_and_a_rule_for_every_day(
    client: FlaskClient, engine: Engine
) -> None:
    page = a_channel(client)
    with transaction(engine) as session:
        (channel,), (rule,) = channels.list_channels(session), rules.list_rules(session)
        secret = channels.address_of(session, channel.id).secret
    assert secret in page
    assert rule.terms == RuleTerms("全部案件，每日汇总")
    assert rule.terms.digest_at == "08:30"
    for path in ("/alerts/channels", "/alerts/channels/1", "/alerts/rules", "/alerts", "/people/audit"):
        assert "s3cr3t" not in client.get(path).text
        assert secret not in client.get(path).text

    status, renewed = post(client, "/alerts/channels/1/secret")
    assert (status, secret in renewed) == (200, False)


def test_a_mailbox_is_added_by_its_fields(client: FlaskClient, engine: Engine) -> None:
    mail = {"how": "mail", "name": "邮箱", "language": "en", "host": "smtp.ours.example", "port": "", "security": "ssl",
            "user": "desk@ours.example", "password": "p@:/ w", "sender": "desk@ours.example",
            "recipients": "a@ours.example；b@ours.example"}  # fmt: skip
    status, page = post(client, "/alerts/channels", **mail)
    assert status == 302
    assert "a@ours.example, b@ours.example · smtp.ours.example" in page
    with transaction(engine) as session:
        assert "p%40%3A%2F%20w" in channels.address_of(session, 1).address
    assert post(client, "/alerts/channels", **mail | {"name": "x", "recipients": ""})[0] == 400
    assert post(client, "/alerts/channels", **mail | {"name": "x", "port": "99999"})[0] == 400
    assert post(client, "/alerts/channels", **mail)[0] == 409


WRONG_ADDRESSES = {
    "nonsense": "无法识别该地址",
    "syslog://": "本机",
    "https://a:b@hooks.example/": "不能带用户名和密码",
    "": "不是有效的地址",
}


def test_an_address_that_is_none_is_refused_with_the_reason_and_not_repeated(client: FlaskClient) -> None:
    for address, words in WRONG_ADDRESSES.items():
        status, page = post(client, "/alerts/channels", how="address", name="x", language="zh", address=address)
        assert (status, words in page) == (400, True), address
        assert not address or address not in page
        chat, mail = page.split('id="add-mail"')
        assert ('value="x"' in chat, 'value="x"' in mail) == (True, False)


def test_a_channel_is_tried_switched_off_renamed_and_removed(client: FlaskClient, engine: Engine) -> None:
    a_channel(client)
    a_channel(client, "二")
    assert "测试消息发送失败：接收方返回状态码 500。" in post(client, "/alerts/channels/1/test")[1]
    assert "测试消息已发送" in post(client, "/alerts/channels/2/test")[1]
    assert TRIED == [1, 2]

    edited = {"name": "总编室", "language": "en", "address": ""}
    assert "已停用" in post(client, "/alerts/channels/1", **edited)[1]
    assert post(client, "/alerts/channels/1", **edited | {"name": "二"})[0] == 409
    assert post(client, "/alerts/channels/1", **edited | {"address": "nonsense"})[0] == 400
    assert post(client, "/alerts/channels/1/remove", confirm="别的")[0] == 400
    assert post(client, "/alerts/channels/1/remove", confirm="总编室")[0] == 302
    with transaction(engine) as session:
        assert [channel.name for channel in channels.list_channels(session)] == ["二"]


def test_a_rule_is_added_changed_and_removed(client: FlaskClient, engine: Engine) -> None:
    a_channel(client)
    assert post(client, "/alerts/rules", **RULE)[0] == 302
    with transaction(engine) as session:
        terms = rules.get_rule(session, 2).terms
    assert terms == RuleTerms(
        "严重", frozenset({AlertKind.CASE_OPENED, AlertKind.DISK_LOW}), None, None, None, Severity.GRAVE,
        frozenset({CaseKind.NEAR, CaseKind.EXCERPT}), frozenset({Credit.NONE}), None, "07:05", "Asia/Tokyo",
    )  # fmt: skip
    page = client.get("/alerts/rules/2").text
    assert re.findall(r'name="(?:event|kind|credit)" value="([a-z-]+)" checked', page) == [
        "case-opened", "disk-low", "near", "excerpt", "none",
    ]  # fmt: skip

    assert "即时" in post(client, "/alerts/rules/2", **RULE | {"when": "at-once", "queue": "copied"})[1]
    with transaction(engine) as session:
        changed = rules.get_rule(session, 2).terms
    assert (changed.digest_at, changed.queue) == (None, CaseQueue.COPIED)
    assert post(client, "/alerts/rules/2/remove")[0] == 302
    assert client.get("/alerts/rules/2").status_code == 404


WRONG_RULES: list[dict[str, object]] = [
    {"name": ""},
    {"event": []},
    {"event": ["x"]},
    {"digest_at": "25:00"},
    {"time_zone": "Nowhere/Land"},
    {"site": "77"},
    {"owner": "77"},
    {"owner": "x"},
    {"view": "77"},
    {"channel": "77"},
    {"least": "x"},
    {"kind": ["x"]},
]


def test_a_rule_that_names_what_is_not_there_is_refused(client: FlaskClient, engine: Engine) -> None:
    a_channel(client)
    for wrong in WRONG_RULES:
        assert post(client, "/alerts/rules", **RULE | wrong)[0] == 400, wrong
    with transaction(engine) as session:
        assert len(rules.list_rules(session)) == 1


def test_what_is_held_is_shown_with_its_reason_and_sent_or_dropped(client: FlaskClient, engine: Engine) -> None:
    a_channel(client)
    with transaction(engine) as session:
        owned_cases(session, range(2))
        site_id = session.scalars(select(Site.id)).first()
        assert site_id is not None
        hold_id = alert_events.hold(session, site_id, "<b>42 %</b> 的页面有改动")
    page = client.get("/alerts").text
    assert "&lt;b&gt;42 %&lt;/b&gt; 的页面有改动" in page
    assert post(client, f"/alerts/holds/{hold_id}/drop")[0] == 302
    assert post(client, f"/alerts/holds/{hold_id}/drop")[0] == 404
    with transaction(engine) as session:
        assert alert_events.open_holds(session) == []
        hold_id = alert_events.hold(session, site_id, "again")
    assert post(client, f"/alerts/holds/{hold_id}/send")[0] == 302


def test_a_message_is_sent_again_or_dropped_once(client: FlaskClient, engine: Engine) -> None:
    with transaction(engine) as session:
        account = accounts.list_accounts(session)[0]
        (case_id,) = owned_cases(session, range(1))
        saved_views.save_view(session, account.id, name="全部", query="tab=all", is_shared=False)
        view_id = saved_views.views_for(session, account.id)[0].id
        site_id = session.scalars(select(Site.id)).first()
        assert site_id is not None
        ids = fill_alerts(session, account_id=account.id, view_id=view_id, site_id=site_id, case_id=case_id)
    page = client.get("/alerts").text
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page
    assert "U+202E" in page
    path = f"/alerts/messages/{ids['message_id']}"
    assert "正在重新发送" in post(client, f"{path}/retry")[1]
    assert post(client, f"{path}/drop")[0] == 302
    assert [post(client, f"{path}/{act}")[0] for act in ("retry", "drop")] == [404, 404]
    assert "不再发送" not in client.get("/alerts?state=sent").text
    with transaction(engine) as session:
        states = {message.id: message.state for message in history.list_messages(session)}
        assert states[ids["message_id"]] is MessageState.DROPPED


def test_a_viewer_reads_and_changes_nothing_and_sees_no_channels(engine: Engine) -> None:
    app = app_with(Services(engine=engine, secret_key="for tests"))
    add_person(engine, role=AccountRole.VIEWER)
    with app.test_client() as client:
        let_in(client)
        assert [client.get(path).status_code for path in ("/alerts", "/alerts/rules", "/alerts/feeds")] == [200] * 3
        assert client.get("/alerts/channels").status_code == 403
        assert post(client, "/alerts/rules", **RULE)[0] == 403
        assert "请联系管理员" in client.get("/alerts").text


def test_a_saved_list_is_a_feed_for_whoever_knows_its_address_until_it_is_revoked(
    client: FlaskClient, engine: Engine
) -> None:
    with transaction(engine) as session:
        account = accounts.list_accounts(session)[0]
        saved_views.save_view(session, account.id, name="大篇<幅>", query="tab=all&share=50", is_shared=False)
        view_id = saved_views.views_for(session, account.id)[0].id
        a_case(session, 1, title="标题 <b>&\u202e\x0b", our_share=0.9)
        a_case(session, 2, our_share=0.1)
    _status, page = post(client, "/alerts/feeds", view=view_id)
    found = re.search(r"http://localhost(/feeds/[\w-]+\.atom)", page)
    assert found is not None
    address = found[1]
    assert address not in client.get("/alerts/feeds").text, "it is shown once"

    reader = client.application.test_client()
    answer = reader.get(address)
    assert (answer.status_code, answer.content_type) == (200, "application/atom+xml; charset=utf-8")
    feed = ElementTree.fromstring(answer.data)  # noqa: S314  # of our own making
    (entry,) = feed.findall(f"{ATOM}entry")
    assert feed.findtext(f"{ATOM}title") == "指纹 · 大篇<幅>"
    assert entry.findtext(f"{ATOM}title") == "copier1.example: 标题 <b>&⟪U+202E⟫⟪U+000B⟫"
    assert entry.findtext(f"{ATOM}id") == "http://localhost/cases/1"
    again = reader.get(address, headers={"If-None-Match": answer.headers["ETag"]})
    assert (again.status_code, again.data) == (304, b"")
    assert reader.post(address).status_code == 302, "to the log-in"
    assert reader.get("/cases").status_code == 302, "the address opens nothing else"

    assert post(client, "/alerts/feeds/1/remove")[0] == 302
    assert reader.get(address).status_code == 404
    assert post(client, "/alerts/feeds/1/remove")[0] == 404


def test_a_feed_ends_with_the_account_and_with_the_sharing_of_its_list(client: FlaskClient, engine: Engine) -> None:
    other = add_person(engine, role=AccountRole.VIEWER, name="乙")
    with transaction(engine) as session:
        saved_views.save_view(session, other.id, name="乙的", query="tab=all", is_shared=True)
        view_id = saved_views.views_for(session, other.id)[0].id
    page = post(client, "/alerts/feeds", view=view_id)[1]
    address = re.findall(r"/feeds/[\w-]+\.atom", page)[0]
    assert client.get(address).status_code == 200
    with transaction(engine) as session:
        saved_views.save_view(session, other.id, name="乙的", query="tab=all", is_shared=False)
    assert client.get(address).status_code == 404
    assert post(client, "/alerts/feeds", view=view_id)[0] == 404, "and nobody makes one of what he may not see"


def test_a_rule_with_a_saved_list_tells_of_what_stands_in_it(client: FlaskClient, engine: Engine) -> None:
    a_channel(client)
    with transaction(engine) as session:
        account = accounts.list_accounts(session)[0]
        saved_views.save_view(session, account.id, name="大篇幅", query="tab=all&share=50", is_shared=False)
        view_id = saved_views.views_for(session, account.id)[0].id
        rules.remove_rule(session, 1)
    assert (
        post(client, "/alerts/rules", **RULE | {"view": view_id, "least": "slight", "kind": [], "credit": []})[0] == 302
    )
    with transaction(engine) as session:
        a_case(session, 1, our_share=0.9)
        a_case(session, 2, our_share=0.1)
    route_all(engine, "Asia/Shanghai")
    with transaction(engine) as session:
        told = session.scalars(select(AlertEvent.case_id).join(Alert, Alert.event_id == AlertEvent.id))
        assert list(told) == [1]
