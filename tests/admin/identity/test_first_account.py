"""The first account by a one-time code from the log."""

from datetime import UTC, datetime, timedelta

import pytest
from flask.testing import FlaskClient
from sqlalchemy import Engine, update
from werkzeug.test import TestResponse

from admin.auth.first_code import code_of, is_code, log_code, opened_code
from storage.accounts import accounts, first_account
from storage.engine import transaction
from storage.models.people import FirstAccountCode
from storage.types import AccountRole
from tests.support.desk_client import add_person, csrf_token, make_app

KEY = "for tests"
NAME, PASSWORD = "林编辑", "a bridge and a teahouse"


@pytest.fixture
def client(engine: Engine) -> FlaskClient:
    return make_app(engine).test_client()


def told(engine: Engine) -> str:
    """The line that the log gets."""
    lines: list[str] = []
    log_code(engine, KEY, address="https://desk.example", say=lines.append)
    return "\n".join(lines)


def code_in(line: str) -> str:
    return line.partition("the code ")[2].split(" ")[0]


def send(client: FlaskClient, code: str, *, name: str = NAME, password: str = PASSWORD) -> TestResponse:
    token = csrf_token(client, "/first-account")
    return client.post("/first-account", data={"csrf_token": token, "code": code, "name": name, "password": password})


def test_the_code_of_the_log_makes_an_administrator_and_lets_in(client: FlaskClient, engine: Engine) -> None:
    assert 'href="/first-account"' in client.get("/login").text
    line = told(engine)
    assert line.startswith("Nobody can log in yet. Open https://desk.example/first-account")

    answer = send(client, code_in(line))

    assert (answer.status_code, answer.location) == (302, "/first-hour")
    assert client.get("/first-hour").status_code == 200
    with transaction(engine) as session:
        (account,) = accounts.list_accounts(session)
    assert (account.name, account.role) == (NAME, AccountRole.ADMINISTRATOR)
    assert told(engine) == ""


def test_the_code_works_once_and_the_page_is_gone_with_an_account(client: FlaskClient, engine: Engine) -> None:
    code = code_in(told(engine))
    send(client, code)
    other = make_app(engine).test_client()

    assert other.get("/first-account").location == "/login"
    token = csrf_token(other)
    data = {"csrf_token": token, "code": code, "name": "somebody", "password": PASSWORD}
    assert other.post("/first-account", data=data).status_code == 404


def test_it_is_gone_as_soon_as_the_command_line_added_an_account(client: FlaskClient, engine: Engine) -> None:
    code = code_in(told(engine))
    token = csrf_token(client, "/first-account")
    add_person(engine)

    data = {"csrf_token": token, "code": code, "name": NAME, "password": PASSWORD}
    assert client.post("/first-account", data=data).status_code == 404


def test_all_processes_know_the_same_code_and_none_without_the_key(engine: Engine) -> None:
    assert code_in(told(engine)) == code_in(told(engine))
    found = opened_code(engine)
    assert found is not None
    assert not is_code("another key", found.nonce, code_of(KEY, found.nonce))


def test_an_expired_code_is_refused_and_the_page_tells_a_new_one(
    client: FlaskClient, engine: Engine, caplog: pytest.LogCaptureFixture
) -> None:
    expired = code_in(told(engine))
    with transaction(engine) as session:
        session.execute(update(FirstAccountCode).values(expires_at=datetime.now(UTC) - timedelta(seconds=1)))

    client.get("/first-account")

    fresh = code_in(caplog.messages[-1])
    assert fresh != expired
    assert send(client, expired).status_code == 401
    assert send(client, fresh).status_code == 302


@pytest.mark.parametrize("code", ["", "0000-0000-0000", "\0", "密" * 12, "a" * 10_000, "'; DROP TABLE account;--"])
def test_a_wrong_code_makes_nothing_whatever_it_is(client: FlaskClient, engine: Engine, code: str) -> None:
    assert send(client, code).status_code in (401, 413)
    with transaction(engine) as session:
        assert not accounts.list_accounts(session)


@pytest.mark.parametrize(
    ("name", "password"), [("", PASSWORD), ("林" * 81, PASSWORD), (NAME, "short"), (NAME, "1234567890")]
)
def test_what_is_wrong_with_name_or_password_leaves_the_code_in_force(
    client: FlaskClient, engine: Engine, name: str, password: str
) -> None:
    code = code_in(told(engine))

    answer = send(client, code, name=name, password=password)

    assert answer.status_code == 400
    assert 'role="alert"' in answer.text
    assert password not in answer.text.replace(code, "")
    assert send(client, code).status_code == 302


def test_attempts_are_limited(client: FlaskClient) -> None:
    token = csrf_token(client, "/first-account")
    data = {"csrf_token": token, "code": "0000-0000-0000", "name": NAME, "password": PASSWORD}

    answers = [client.post("/first-account", data=data).status_code for _ in range(12)]

    assert answers[-1] == 429


def test_of_two_who_send_the_code_at_once_one_gets_the_account(engine: Engine) -> None:
    found = opened_code(engine)
    assert found is not None
    now = datetime.now(UTC)
    with transaction(engine) as session:
        assert first_account.take_code(session, found.nonce, now=now)
    with transaction(engine) as session:
        assert not first_account.take_code(session, found.nonce, now=now)


def test_a_code_is_read_as_people_write_it() -> None:
    code = code_of(KEY, b"\x01" * 16)

    assert len(code) == len("XXXX-XXXX-XXXX")
    for written in (code, code.lower(), code.replace("-", ""), f"  {code.replace('-', ' ')} ", code.replace("0", "O")):
        assert is_code(KEY, b"\x01" * 16, written)
    assert not is_code(KEY, b"\x01" * 16, code[:-1])
    assert not is_code(KEY, b"\x02" * 16, code)
