"""Log-in, log-out, sessions, and what guards them."""

from collections.abc import Iterator

import pytest
from flask.testing import FlaskClient
from sqlalchemy import Engine

from admin.auth import PasswordRefused, hash_password, verify
from admin.login import FAILURES_BY_NAME
from storage import people
from storage.engine import make_engine, transaction
from tests.admin_desk import NAME, PASSWORD, add_person, csrf_token, log_in, make_app


@pytest.fixture
def desk_engine(clean_database_url: str) -> Iterator[Engine]:
    engine = make_engine(clean_database_url)
    yield engine
    engine.dispose()


@pytest.fixture
def client(desk_engine: Engine) -> FlaskClient:
    """A browser that nobody has logged in with; the account exists."""
    add_person(desk_engine)
    return make_app(desk_engine).test_client()


def is_logged_in(client: FlaskClient) -> bool:
    return client.get("/hits").status_code == 200


def test_a_password_is_verified_against_its_own_hash_only() -> None:
    hashed = hash_password(PASSWORD)

    assert hashed.startswith("$argon2id$")
    assert hashed != hash_password(PASSWORD), "each hash has a salt of its own"
    assert verify(hashed, PASSWORD)
    assert not verify(hashed, PASSWORD + " ")


@pytest.mark.parametrize("password_hash", ["", "x", "$argon2id$v=19$m=65536,t=3,p=4$", "plain text", "密码"])
def test_a_hash_that_is_none_verifies_nothing(password_hash: str) -> None:
    assert not verify(password_hash, PASSWORD)


@pytest.mark.parametrize("password", ["", "1234567", "x" * 1_025])
def test_a_password_too_short_or_too_long_is_refused(password: str) -> None:
    with pytest.raises(PasswordRefused, match="8 to 1024 characters"):
        hash_password(password)


def test_the_right_password_opens_the_desk_and_is_noted(client: FlaskClient) -> None:
    answer = log_in(client)

    assert (answer.status_code, answer.location) == (302, "/")
    assert is_logged_in(client)


def test_anything_else_does_not_and_names_no_reason(client: FlaskClient) -> None:
    for name, password in ((NAME, "wrong password"), ("nobody", PASSWORD), ("", ""), (NAME, ""), ("a\0b", PASSWORD)):
        answer = log_in(client, name=name, password=password)

        assert answer.status_code == 401
        assert "用户名或密码不正确" in answer.text
        assert not is_logged_in(client)


def test_logging_out_closes_the_desk(client: FlaskClient) -> None:
    log_in(client)

    answer = client.post("/logout", data={"csrf_token": csrf_token(client, "/hits")})

    assert answer.location == "/login"
    assert not is_logged_in(client)


def test_a_session_cannot_be_ended_by_a_link(client: FlaskClient) -> None:
    log_in(client)

    assert client.get("/logout").status_code == 405
    assert is_logged_in(client)


def test_a_new_password_ends_every_session(client: FlaskClient, desk_engine: Engine) -> None:
    log_in(client)
    with transaction(desk_engine) as session:
        account = people.account_by_name(session, NAME)
        assert account is not None
        people.change_password(session, account.id, hash_password("another password"))

    assert not is_logged_in(client)
    assert log_in(client).status_code == 401
    assert log_in(client, password="another password").status_code == 302


def test_a_forged_session_cookie_opens_nothing(client: FlaskClient) -> None:
    client.set_cookie("zhiwen_session", "eyJfdXNlcl9pZCI6IjE6eCJ9.aaaaaa.bbbbbbbbbbbbbbbbbbbbbbbbbbb")

    assert not is_logged_in(client)


def test_a_session_without_the_account_and_its_token_opens_nothing(client: FlaskClient) -> None:
    for session_id in ("", "1", "1:", "x:y", "1:wrong", "1:密", "999:x", "-1:x", "９:x", "²:x", "9" * 30 + ":x"):
        with client.session_transaction() as session:
            session["_user_id"] = session_id

        assert not is_logged_in(client), session_id


def test_a_form_without_its_token_is_refused(client: FlaskClient) -> None:
    log_in(client)

    for path in ("/login", "/logout", "/language"):
        answer = client.post(path, data={"name": NAME, "password": PASSWORD, "language": "en"})

        assert answer.status_code == 400
        assert "表单已过期" in answer.text


def test_a_log_in_leads_where_one_wanted_to_go(client: FlaskClient) -> None:
    closed = client.get("/hits?site=县报&page=2")
    assert closed.location.startswith("/login?next=")
    assert 'name="next" value="/hits?site=' in client.get(closed.location).text

    assert log_in(client, next_path="/hits?page=2").location == "/hits?page=2"


def test_a_log_in_never_leads_to_a_stranger(client: FlaskClient) -> None:
    for target in ("https://evil.example/", "//evil.example/", "/\\evil.example", "javascript:alert(1)"):
        visitor = client.application.test_client()
        assert log_in(visitor, next_path=target).location == "/"
        assert visitor.get("/login", query_string={"next": target}).location == "/"
        form = {"csrf_token": csrf_token(visitor, "/hits"), "language": "en", "next": target}
        assert visitor.post("/language", data=form).location == "/"


def test_too_many_wrong_passwords_lock_the_name_for_a_while(client: FlaskClient) -> None:
    allowed = int(FAILURES_BY_NAME.split(maxsplit=1)[0])

    answers = [log_in(client, password="wrong password").status_code for _ in range(allowed + 1)]

    assert answers == [401] * allowed + [429]
    assert log_in(client).status_code == 429, "now even the right one has to wait"
    assert log_in(client, name="somebody else").status_code == 401, "other people are not locked out"


def test_logging_in_often_locks_nobody_out(client: FlaskClient) -> None:
    allowed = int(FAILURES_BY_NAME.split(maxsplit=1)[0])

    assert {log_in(client.application.test_client()).status_code for _ in range(allowed + 2)} == {302}


def test_the_language_follows_the_account_until_it_is_switched(desk_engine: Engine) -> None:
    add_person(desk_engine, language="en")
    client = make_app(desk_engine).test_client()
    assert "登录" in client.get("/login").text

    log_in(client)
    assert ">Hits<" in client.get("/hits").text

    token = csrf_token(client, "/hits")
    answer = client.post("/language", data={"csrf_token": token, "language": "zh", "next": "/hits?page=1"})
    assert answer.location == "/hits?page=1"
    assert ">命中<" in client.get("/hits").text


def test_the_language_chosen_at_the_door_stays_inside(client: FlaskClient) -> None:
    client.post("/language", data={"csrf_token": csrf_token(client), "language": "en"})
    assert "Log in" in client.get("/login").text

    log_in(client)
    page = client.get("/hits").text
    assert 'lang="en"' in page
    assert ">Hits<" in page


def test_an_unknown_language_is_refused(client: FlaskClient) -> None:
    assert client.post("/language", data={"csrf_token": csrf_token(client), "language": "xx"}).status_code == 400
