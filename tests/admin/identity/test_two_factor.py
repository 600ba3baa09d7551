"""Two-factor login: enrolment, codes that are valid once, removal, and reset by an administrator."""

import re
from datetime import UTC, datetime, timedelta

import pyotp
import pytest
from flask.testing import FlaskClient
from sqlalchemy import Engine

from admin.auth.login_attempts import FAILURES_BY_NAME
from admin.auth.totp import STEP_S, made_secret, matching_step, qr_path
from storage.accounts import audit_log, two_factor
from storage.accounts.audit_log import AuditFilter
from storage.engine import transaction
from storage.records.accounts import AccountRecord
from storage.types import AccountRole
from tests.support.desk_client import NAME, PASSWORD, add_person, csrf_token, log_in, make_app

NOW = datetime(2026, 3, 1, 12, 0, 10, tzinfo=UTC)


@pytest.mark.parametrize(("off_s", "is_good"), [(0, True), (-STEP_S, True), (STEP_S, True), (3 * STEP_S, False)])
def test_a_phone_may_go_half_a_minute_wrong(off_s: int, is_good: bool) -> None:
    secret = made_secret()
    code = pyotp.TOTP(secret).at(NOW + timedelta(seconds=off_s))

    step = matching_step(secret, f"{code[:3]} {code[3:]}", NOW)

    assert step == (int(NOW.timestamp()) // STEP_S + off_s // STEP_S if is_good else None)


@pytest.mark.parametrize("code", ["", "12345", "1234567", "abcdef", "１２３４５６", "-12345", "0x1234"])
def test_what_is_no_code_is_none(code: str) -> None:
    assert matching_step(made_secret(), code, NOW) is None


def test_the_picture_is_a_square_with_a_margin() -> None:
    path, width = qr_path("otpauth://totp/Zhiwen:a?secret=AAAA")

    assert width > 21 + 8
    assert path.startswith("M4 4h1v1h-1z")


def put_on(client: FlaskClient, engine: Engine, account: AccountRecord) -> tuple[str, list[str]]:
    """Through the pages; the secret and the recovery codes. The code that was typed is of two steps ago."""
    token = csrf_token(client, "/account")
    begun = client.post("/account/two-factor", data={"csrf_token": token, "password": PASSWORD})
    assert begun.location == "/account/two-factor"
    page = client.get("/account/two-factor").text
    with transaction(engine) as session:
        found = two_factor.second_step(session, account.id)
    assert found is not None
    assert found.secret in page.replace(" ", "")
    wrong = client.post("/account/two-factor/confirm", data={"csrf_token": token, "code": "000000x"})
    assert wrong.status_code == 400
    code = pyotp.TOTP(found.secret).at(datetime.now(UTC) - timedelta(seconds=STEP_S))
    answer = client.post("/account/two-factor/confirm", data={"csrf_token": token, "code": code})
    codes = re.findall(r"<li><code>([^<]+)</code>", answer.text)
    assert len(set(codes)) == two_factor.RECOVERY_CODES
    assert answer.headers["Cache-Control"] == "no-store"
    return found.secret, codes


def type_code(client: FlaskClient, code: str) -> int:
    form = {"csrf_token": csrf_token(client, "/login/code"), "code": code}
    return client.post("/login/code", data=form).status_code


def is_in(client: FlaskClient) -> bool:
    return client.get("/account").status_code == 200


def acts(engine: Engine) -> list[str]:
    with transaction(engine) as session:
        return [event.act for event in audit_log.list_events(session, AuditFilter(), limit=50)][::-1]


def test_the_password_alone_opens_nothing_and_each_code_opens_once(engine: Engine) -> None:
    account, app = add_person(engine), make_app(engine)
    owner, phone, thief = app.test_client(), app.test_client(), app.test_client()
    log_in(owner)
    secret, codes = put_on(owner, engine, account)

    first = log_in(phone, next_path="/cases")
    assert (first.status_code, first.location) == (302, "/login/code?next=/cases")
    assert not is_in(phone)
    # Of the coming half minute: that of the present one may pass while the test runs.
    code = pyotp.TOTP(secret).at(datetime.now(UTC) + timedelta(seconds=STEP_S))
    assert type_code(phone, code) == 302
    assert is_in(phone)

    log_in(thief)
    assert type_code(thief, code) == 401
    assert type_code(thief, codes[0].upper().replace("-", " ")) == 302
    assert is_in(thief)
    another = app.test_client()
    log_in(another)
    assert type_code(another, codes[0]) == 401
    assert not is_in(another)
    assert acts(engine) == ["session.begin", "two-factor.begin", "session.begin", "session.begin"]


def test_codes_cannot_be_guessed_for_long(engine: Engine) -> None:
    account, app = add_person(engine), make_app(engine)
    owner, thief = app.test_client(), app.test_client()
    log_in(owner)
    _secret, codes = put_on(owner, engine, account)
    log_in(thief)

    answers = [type_code(thief, "000000x") for _ in range(FAILURES_BY_NAME + 1)]

    assert answers == [401] * FAILURES_BY_NAME + [429]
    # The right one comes too late, from elsewhere too; and the password is asked for as before.
    assert type_code(thief, codes[0]) == 429
    assert log_in(app.test_client()).status_code == 302


def test_a_code_is_asked_for_only_after_the_password(engine: Engine) -> None:
    add_person(engine)
    client = make_app(engine).test_client()

    assert client.get("/login/code").location == "/login"
    form = {"csrf_token": csrf_token(client), "code": "123456"}
    assert client.post("/login/code", data=form).location == "/login"


def test_it_is_taken_off_with_the_password(engine: Engine) -> None:
    account, client = add_person(engine), make_app(engine).test_client()
    log_in(client)
    _secret, codes = put_on(client, engine, account)
    token = csrf_token(client, "/account")

    def ask(path: str, password: str) -> str:
        return client.post(path, data={"csrf_token": token, "password": password}, follow_redirects=True).text

    assert "当前密码不正确" in ask("/account/two-factor/remove", "wrong")
    renewed = re.findall(r"<li><code>([^<]+)</code>", ask("/account/two-factor/codes", PASSWORD))
    assert set(renewed).isdisjoint(codes)
    ask("/account/two-factor/remove", PASSWORD)

    other = make_app(engine).test_client()
    assert log_in(other).location == "/"
    assert is_in(other)


def test_an_administrator_resets_it(engine: Engine) -> None:
    account, app = add_person(engine), make_app(engine)
    owner, chief = app.test_client(), app.test_client()
    log_in(owner)
    put_on(owner, engine, account)
    add_person(engine, name="chief", role=AccountRole.ADMINISTRATOR)
    log_in(chief, name="chief")
    path = f"/people/{account.id}"
    assert "关闭两步验证" in chief.get(path).text

    answer = chief.post(f"{path}/two-factor/remove", data={"csrf_token": csrf_token(chief, path)})

    assert answer.status_code == 302
    assert not is_in(owner)
    assert log_in(owner, name=NAME).location == "/"
    assert "two-factor.reset" in acts(engine)
