"""People at the desk: accounts, roles, passwords, browsers, the audit log."""

import re
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from flask.testing import FlaskClient
from sqlalchemy import Engine, update
from werkzeug.test import TestResponse

import admin
from admin.accounts.audit_labels import ACTS
from admin.identity.current_user import SESSION_LIFETIME
from storage.accounts import accounts, audit_log, sessions
from storage.accounts.audit_log import AuditFilter
from storage.engine import transaction
from storage.models.people import PasswordLink
from storage.records.accounts import AccountRecord
from storage.types import AccountRole
from tests.support.desk_client import NAME, PASSWORD, add_person, client_of_person, csrf_token, let_in, log_in, make_app
from zhiwen.commands.operations.serve import add_account

CHOSEN = "a bridge over the river"
_SECRET = re.compile(r'<code class="secret">([^<]+)</code>')


@pytest.fixture
def chief(engine: Engine) -> FlaskClient:
    """The browser of an administrator."""
    return client_of_person(engine, role=AccountRole.ADMINISTRATOR)


def send(client: FlaskClient, path: str, **form: str) -> TestResponse:
    return client.post(path, data={"csrf_token": csrf_token(client, "/account"), **form})


def account(engine: Engine, name: str = NAME) -> AccountRecord:
    with transaction(engine) as session:
        found = accounts.account_by_name(session, name)
    assert found is not None
    return found


def acts(engine: Engine) -> list[str]:
    with transaction(engine) as session:
        return [f"{event.act} {event.subject}" for event in audit_log.list_events(session, AuditFilter(), limit=50)]


def secret_in(answer: TestResponse) -> str:
    found = _SECRET.search(answer.text)
    assert answer.status_code == 200
    assert found is not None
    return found[1]


def add(client: FlaskClient, name: str = "小张", *, role: str = "reviewer", entrance: str = "link") -> TestResponse:
    return send(client, "/people", name=name, role=role, entrance=entrance, language="en", time_zone="Europe/Berlin")


def test_a_new_person_sets_a_password_by_a_link_that_opens_once(chief: FlaskClient, engine: Engine) -> None:
    link = secret_in(add(chief))
    assert link.startswith("http://localhost/set-password/")
    path = link.removeprefix("http://localhost")
    visitor = chief.application.test_client()
    assert "小张" in visitor.get(path).text

    form = {"csrf_token": csrf_token(visitor, path), "new": CHOSEN}
    assert visitor.post(path, data=form).location == "/login"

    assert visitor.get(path).status_code == 404
    assert "不能再用了" in visitor.get(path).text
    assert visitor.post(path, data=form | {"new": "another password"}).status_code == 404
    assert log_in(visitor, name="小张", password=CHOSEN).status_code == 302
    assert visitor.get("/hits").status_code == 200
    assert acts(engine)[-2:] == ["account.add 小张", f"session.begin {NAME}"]


def test_a_password_known_to_somebody_else_opens_nothing_until_it_is_changed(chief: FlaskClient) -> None:
    told = secret_in(add(chief, entrance="password"))
    person = chief.application.test_client()
    assert log_in(person, name="小张", password=told).status_code == 302

    assert person.get("/hits").location == "/account"
    assert person.get("/").location == "/account"
    refused = send(person, "/account/password", old=told, new=told)
    assert refused.status_code == 400
    assert send(person, "/account/password", old=told, new=CHOSEN).location == "/account"
    assert person.get("/hits").status_code == 200


def test_a_link_that_is_too_old_or_made_up_opens_nothing(chief: FlaskClient, engine: Engine) -> None:
    path = secret_in(add(chief)).removeprefix("http://localhost")
    with transaction(engine) as session:
        session.execute(update(PasswordLink).values(expires_at=datetime.now(UTC) - timedelta(seconds=1)))
    visitor = chief.application.test_client()

    for link in (path, "/set-password/x", "/set-password/%00", "/set-password/" + "x" * 5_000):
        assert visitor.get(link).status_code == 404


def test_a_weak_password_is_refused_by_the_link_with_the_reason(chief: FlaskClient) -> None:
    path = secret_in(add(chief)).removeprefix("http://localhost")
    visitor = chief.application.test_client()

    answer = visitor.post(path, data={"csrf_token": csrf_token(visitor, path), "new": "woaini1314520"})

    assert answer.status_code == 400
    assert "最容易被猜到" in answer.text
    assert visitor.get(path).status_code == 200, "it is not used up"


@pytest.mark.parametrize(
    ("form", "status"),
    [
        ({"name": ""}, 400),
        ({"name": "x" * 81}, 400),
        ({"name": "x" * 500}, 413),
        ({"name": NAME}, 409),
        ({"role": "emperor"}, 400),
        ({"entrance": "window"}, 400),
        ({"language": "xx"}, 400),
        ({"time_zone": "../etc/passwd"}, 400),
    ],
)
def test_what_makes_no_account_is_refused(
    chief: FlaskClient, engine: Engine, form: dict[str, str], status: int
) -> None:
    good = {"name": "小李", "role": "viewer", "entrance": "link", "language": "", "time_zone": ""}

    assert send(chief, "/people", **(good | form)).status_code == status
    with transaction(engine) as session:
        assert len(accounts.list_accounts(session)) == 1


def test_hidden_characters_in_a_name_are_seen(chief: FlaskClient) -> None:
    add(chief, name="<b>张\u202e三</b>")

    page = chief.get("/people").text
    assert "&lt;b&gt;张" in page
    assert "U+202E" in page
    assert "<b>张" not in page


def test_a_role_taken_away_holds_at_once(chief: FlaskClient, engine: Engine) -> None:
    add_person(engine, name="second", role=AccountRole.ADMINISTRATOR)
    second = chief.application.test_client()
    let_in(second, name="second")
    assert second.get("/people").status_code == 200

    path = f"/people/{account(engine, 'second').id}"
    send(chief, path, role="viewer", enabled="1", language="", time_zone="")

    assert second.get("/people").status_code == 403
    assert second.get("/hits").status_code == 200
    assert acts(engine)[0] == "account.edit second"


def test_the_last_administrator_cannot_be_demoted_disabled_or_removed(chief: FlaskClient, engine: Engine) -> None:
    me = account(engine)
    add_person(engine, name="viewer", role=AccountRole.VIEWER)
    path = f"/people/{me.id}"

    answers = [
        send(chief, path, role="manager", enabled="1", language="", time_zone=""),
        send(chief, path, role="administrator", language="", time_zone=""),
        send(chief, f"{path}/remove", name=NAME),
    ]

    assert [answer.status_code for answer in answers] == [409] * 3
    assert all("最后一位管理员" in answer.text for answer in answers)
    assert account(engine) == me


def test_a_disabled_administrator_does_not_count_as_one(chief: FlaskClient, engine: Engine) -> None:
    add_person(engine, name="second", role=AccountRole.ADMINISTRATOR)
    path = f"/people/{account(engine, 'second').id}"
    assert send(chief, path, role="administrator", language="", time_zone="").status_code == 302

    me = f"/people/{account(engine).id}"
    assert send(chief, me, role="viewer", enabled="1", language="", time_zone="").status_code == 409


def test_to_remove_somebody_the_name_is_typed(chief: FlaskClient, engine: Engine) -> None:
    add_person(engine, name="leaver", role=AccountRole.REVIEWER)
    path = f"/people/{account(engine, 'leaver').id}"

    assert send(chief, f"{path}/remove", name="Leaver").status_code == 400
    assert chief.get(path).status_code == 200
    assert send(chief, f"{path}/remove", name="leaver").location == "/people"
    assert chief.get(path).status_code == 404
    assert acts(engine)[0] == "account.remove leaver"


def test_a_reset_password_throws_everybody_out_who_knew_the_old_one(chief: FlaskClient, engine: Engine) -> None:
    add_person(engine, name="second")
    second = chief.application.test_client()
    let_in(second, name="second")
    path = f"/people/{account(engine, 'second').id}"

    told = secret_in(send(chief, f"{path}/password", entrance="password"))

    assert second.get("/hits").status_code == 302
    assert log_in(second, name="second").status_code == 401
    assert log_in(second, name="second", password=told).status_code == 302


def test_a_change_of_ones_own_password_keeps_this_browser_only(chief: FlaskClient, engine: Engine) -> None:
    other = chief.application.test_client()
    let_in(other)

    wrong = send(chief, "/account/password", old="wrong password", new=CHOSEN)
    assert wrong.status_code == 400
    assert send(chief, "/account/password", old=PASSWORD, new=CHOSEN).location == "/account"

    assert chief.get("/hits").status_code == 200
    assert other.get("/hits").status_code == 302
    assert f"account.password {NAME}" in acts(engine)


def test_each_browser_is_listed_and_can_be_logged_out(chief: FlaskClient, engine: Engine) -> None:
    phone = chief.application.test_client()
    phone.environ_base["HTTP_USER_AGENT"] = "Mozilla/5.0 (Linux; Android 14) MicroMessenger/8.0 <script>"
    phone.environ_base["REMOTE_ADDR"] = "192.0.2.9"
    let_in(phone)
    page = chief.get("/account").text
    assert "WeChat · Android" in page
    assert "192.0.2.9" in page
    me = account(engine).id
    with transaction(engine) as session:
        since = datetime.now(UTC) - SESSION_LIFETIME
        found = {open_.address: open_.id for open_ in sessions.list_sessions(session, me, seen_since=since)}

    assert send(chief, f"/account/sessions/{found['192.0.2.9']}/end").location == "/account"
    assert phone.get("/hits").status_code == 302
    assert chief.get("/hits").status_code == 200
    assert send(chief, f"/account/sessions/{found['192.0.2.9']}/end").status_code == 404


def test_nobody_ends_another_persons_session_by_its_number(chief: FlaskClient, engine: Engine) -> None:
    stranger_account = add_person(engine, name="stranger", role=AccountRole.VIEWER)
    stranger = chief.application.test_client()
    let_in(stranger, name="stranger")
    with transaction(engine) as session:
        since = datetime.now(UTC) - SESSION_LIFETIME
        mine = sessions.list_sessions(session, account(engine).id, seen_since=since)[0].id

    assert send(stranger, f"/account/sessions/{mine}/end").status_code == 404
    assert send(chief, f"/people/{stranger_account.id}/sessions/{mine}/end").status_code == 404
    assert chief.get("/hits").status_code == 200


def test_all_browsers_of_a_person_can_be_logged_out_at_once(chief: FlaskClient, engine: Engine) -> None:
    other = chief.application.test_client()
    let_in(other)

    assert send(chief, "/account/sessions/end-others").location == "/account"
    assert (chief.get("/hits").status_code, other.get("/hits").status_code) == (200, 302)

    send(chief, f"/people/{account(engine).id}/sessions/end")
    assert chief.get("/hits").status_code == 302


def test_language_and_time_zone_are_ones_own_choice(chief: FlaskClient, engine: Engine) -> None:
    assert "Asia/Shanghai" in chief.get("/hits").text

    assert send(chief, "/account/preferences", language="en", time_zone="Europe/Berlin").status_code == 302

    page = chief.get("/hits").text
    assert ">Matches<" in page
    assert "Times in Europe/Berlin" in page
    assert send(chief, "/account/preferences", language="en", time_zone="/etc/passwd").status_code == 400


def test_the_audit_log_is_filtered_and_says_what_it_did_not_understand(chief: FlaskClient, engine: Engine) -> None:
    add(chief, name="小张")
    add(chief, name="小李")

    everything = chief.get("/audit").text.partition("<tbody>")[2]
    assert everything.index("小李") < everything.index("小张"), "the newest first"
    found = chief.get("/audit", query_string={"text": "小张", "act": "account.add", "since": "2020-01-01"}).text
    assert "小张" in found
    assert "小李" not in found.partition("</form>")[2].partition("</thead>")[2]
    assert "没有符合" in chief.get("/audit", query_string={"until": "2020-01-01"}).text
    for wrong in ({"since": "yesterday"}, {"until": "9999-12-31"}, {"act": "x"}):
        answer = chief.get("/audit", query_string=wrong)
        assert answer.status_code == 200
        assert "未能识别" in answer.text


def test_the_audit_log_says_codes_in_words_and_leaves_names_as_they_are(chief: FlaskClient, engine: Engine) -> None:
    with transaction(engine) as session:
        audit_log.record(session, actor=None, act="case.move", subject="#1", detail={"from": "new", "to": "confirmed"})
        audit_log.record(session, actor=None, act="case.assign", subject="#1", detail={"to": "mail"})
        audit_log.record(
            session, actor=None, act="account.edit", subject="a", detail={"role": "viewer", "by": "unheard"}
        )

    page = chief.get("/audit").text

    for words in (
        "原状态：<bdi>新案件",
        "改为：<bdi>已确认",
        "改为：<bdi>mail",
        "角色：<bdi>查看者",
        "<bdi>unheard",
    ):
        assert words in page


def test_the_audit_log_goes_on_to_older_pages(chief: FlaskClient, engine: Engine) -> None:
    with transaction(engine) as session:
        for number in range(230):
            audit_log.record(session, actor=None, act="account.edit", subject=f"subject-{number:03}")
    seen: list[str] = []
    path = "/audit?act=account.edit"
    while path:
        page = chief.get(path).text
        seen += re.findall(r"subject-\d{3}", page)
        older = re.search(r'href="(/audit\?[^"]*before=[^"]*)"', page)
        path = older[1].replace("&amp;", "&") if older else ""

    assert list(dict.fromkeys(seen)) == [f"subject-{number:03}" for number in reversed(range(230))]


def test_only_administrators_see_people_and_the_log(engine: Engine) -> None:
    app = make_app(engine)
    for role in AccountRole:
        add_person(engine, name=role, role=role)
        client = app.test_client()
        let_in(client, name=role)
        wanted = 200 if role is AccountRole.ADMINISTRATOR else 403
        paths = ("/people", f"/people/{account(engine, role).id}", "/audit")
        assert [client.get(path).status_code for path in paths] == [wanted] * 3
        assert ("/people" in client.get("/hits").text) is (wanted == 200)


def test_every_act_that_the_desk_writes_down_has_a_word() -> None:
    sources = "".join(path.read_text("utf-8") for path in Path(admin.__file__).parent.rglob("*.py"))
    written = set(re.findall(r'act="([a-z.-]+)"', sources))

    assert len(written) > 20
    assert written - set(ACTS) == set(), "give it a word in admin/web/labels.py"


def test_what_is_done_on_the_command_line_stands_in_the_log_without_a_name(engine: Engine) -> None:
    add_account(engine, "lin", CHOSEN, AccountRole.ADMINISTRATOR)

    with transaction(engine) as session:
        event = audit_log.list_events(session, AuditFilter(), limit=1)[0]
    assert (event.actor, event.act, event.subject) == ("", "account.add", "lin")
