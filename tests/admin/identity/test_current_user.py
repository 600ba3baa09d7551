"""Log-in, log-out, sessions, and what guards them."""

from collections.abc import Sequence
from datetime import UTC, datetime

import pytest
from argon2 import PasswordHasher
from flask.testing import FlaskClient
from sqlalchemy import Engine, select, update

from admin.auth.login_attempts import FAILURES_BY_ADDRESS, FAILURES_BY_NAME, WINDOW
from admin.auth.passwords import hash_password, is_outdated
from admin.identity.current_user import SESSION_LIFETIME
from storage.accounts import accounts, login_attempts
from storage.engine import transaction
from storage.models.people import DeskSession
from tests.support.desk_client import NAME, PASSWORD, add_person, csrf_token, log_in, make_app


@pytest.fixture
def client(engine: Engine) -> FlaskClient:
    """A browser that nobody has logged in with; the account exists."""
    add_person(engine)
    return make_app(engine).test_client()


def mistype(engine: Engine, times: int, *, names: Sequence[str] = (NAME,)) -> None:
    """As after so many wrong passwords of each name, by what the desk records of them: to look at one is slow on
    purpose. The last ones of a limit are typed.
    """
    for name in names:
        for _ in range(times):
            with transaction(engine) as session:
                login_attempts.begin_attempt(session, name, "127.0.0.1", at=datetime.now(UTC))


def is_logged_in(client: FlaskClient) -> bool:
    return client.get("/hits").status_code == 200


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


def test_a_new_password_ends_every_session(client: FlaskClient, engine: Engine) -> None:
    log_in(client)
    with transaction(engine) as session:
        account = accounts.account_by_name(session, NAME)
        assert account is not None
        accounts.change_password(session, account.id, hash_password("another password"))

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
    allowed = FAILURES_BY_NAME

    answers = [log_in(client, password="wrong password").status_code for _ in range(allowed + 1)]

    assert answers == [401] * allowed + [429]
    assert log_in(client).status_code == 429, "now even the right one has to wait"
    assert log_in(client, name="somebody else").status_code == 401, "other people are not locked out"


def test_logging_in_often_locks_nobody_out(client: FlaskClient) -> None:
    allowed = FAILURES_BY_NAME

    assert {log_in(client.application.test_client()).status_code for _ in range(allowed + 2)} == {302}


def test_the_language_follows_the_account_until_it_is_switched(engine: Engine) -> None:
    add_person(engine, language="en")
    client = make_app(engine).test_client()
    assert "登录" in client.get("/login").text

    log_in(client)
    assert ">Matches<" in client.get("/hits").text

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
    assert ">Matches<" in page


def test_an_unknown_language_is_refused(client: FlaskClient) -> None:
    assert client.post("/language", data={"csrf_token": csrf_token(client), "language": "xx"}).status_code == 400


def test_many_names_from_one_address_lock_the_address(client: FlaskClient, engine: Engine) -> None:
    names = [f"nobody {number}" for number in range(FAILURES_BY_ADDRESS + 1)]
    mistype(engine, 1, names=names[:-4])

    answers = [log_in(client, name=name).status_code for name in names[-4:]]

    assert answers == [401] * 3 + [429]
    assert log_in(client).status_code == 429, "whoever else is behind this address has to wait, too"
    elsewhere = client.application.test_client()
    elsewhere.environ_base["REMOTE_ADDR"] = "192.0.2.7"
    assert log_in(elsewhere).status_code == 302


def test_a_restart_and_a_second_process_forget_no_failure(client: FlaskClient, engine: Engine) -> None:
    mistype(engine, FAILURES_BY_NAME - 1)
    log_in(client, password="wrong password")

    answer = log_in(make_app(engine).test_client())

    assert answer.status_code == 429
    assert "尝试次数过多" in answer.text


def test_a_name_that_is_nobodys_is_locked_like_one_that_is(client: FlaskClient, engine: Engine) -> None:
    mistype(engine, FAILURES_BY_NAME - 2, names=("nobody",))
    for _ in range(2):
        assert "用户名或密码不正确" in log_in(client, name="nobody").text

    assert log_in(client, name="nobody").status_code == 429


def test_waiting_is_not_prolonged_by_trying_on(client: FlaskClient, engine: Engine) -> None:
    mistype(engine, FAILURES_BY_NAME - 1)
    answers = [log_in(client, password="wrong password").status_code for _ in range(4)]
    assert answers == [401, 429, 429, 429]

    with transaction(engine) as session:
        counted = login_attempts.failures(session, NAME, "127.0.0.1", since=datetime.now(UTC) - WINDOW)
        assert counted.by_name == FAILURES_BY_NAME
        later = login_attempts.failures(session, NAME, "127.0.0.1", since=datetime.now(UTC))
        assert (later.by_name, later.by_address) == (0, 0), "and it ends"


def test_the_right_password_forgives_what_was_mistyped(client: FlaskClient, engine: Engine) -> None:
    mistype(engine, FAILURES_BY_NAME - 2)
    log_in(client, password="wrong password")
    assert log_in(client).status_code == 302

    mistype(engine, FAILURES_BY_NAME - 1)
    visitor = client.application.test_client()
    assert log_in(visitor, password="wrong password").status_code == 401


def test_a_disabled_account_stays_outside_and_gets_no_reason(client: FlaskClient, engine: Engine) -> None:
    log_in(client)
    with transaction(engine) as session:
        account = accounts.account_by_name(session, NAME)
        assert account is not None
        accounts.edit_account(session, account.id, role=account.role, enabled=False, language="", time_zone="")

    assert not is_logged_in(client)
    answer = log_in(client)
    assert answer.status_code == 401
    assert "用户名或密码不正确" in answer.text


def test_a_password_hashed_by_weaker_parameters_is_hashed_again(client: FlaskClient, engine: Engine) -> None:
    weak = PasswordHasher(time_cost=1, memory_cost=1024).hash(PASSWORD)
    with transaction(engine) as session:
        account = accounts.account_by_name(session, NAME)
        assert account is not None
        accounts.rehash_password(session, account.id, weak)

    assert log_in(client).status_code == 302
    with transaction(engine) as session:
        stored = accounts.account_by_name(session, NAME)
    assert stored is not None
    assert not is_outdated(stored.password_hash)
    assert is_logged_in(client), "the same password: nobody is logged out"


def test_a_session_ends_after_a_night(client: FlaskClient, engine: Engine) -> None:
    log_in(client)
    with transaction(engine) as session:
        session.execute(update(DeskSession).values(last_seen_at=datetime.now(UTC) - SESSION_LIFETIME))

    assert not is_logged_in(client)


def test_a_cookie_copied_before_logging_out_opens_nothing_after(client: FlaskClient) -> None:
    log_in(client)
    copied = client.get_cookie("zhiwen_session")
    assert copied is not None
    client.post("/logout", data={"csrf_token": csrf_token(client, "/hits")})

    thief = client.application.test_client()
    thief.set_cookie("zhiwen_session", copied.value)
    assert not is_logged_in(thief)


def test_the_database_alone_lets_nobody_in(client: FlaskClient, engine: Engine) -> None:
    log_in(client)
    with transaction(engine) as session:
        stored = session.scalars(select(DeskSession.token_hash)).one()
    thief = client.application.test_client()
    with thief.session_transaction() as forged:
        forged["_user_id"] = stored

    assert not is_logged_in(thief)
