"""Passwords of databases stand where they are hidden."""

from urllib.parse import urlencode

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import make_url

from storage.database_address import with_driver, with_password_in_place, without_driver
from storage.engine import check_server, make_engine
from storage.errors import DatabaseUnreachable

CASES = {
    "postgresql://h/d": "postgresql://h/d",
    "postgresql://u:p@h/d?sslmode=require": "postgresql://u:p@h/d?sslmode=require",
    "postgresql://h/d?user=u&password=SECRETPW": "postgresql://u:SECRETPW@h/d",
    "postgresql://u@h:5433/d?password=a%40b&sslmode=require": "postgresql://u:a%40b@h:5433/d?sslmode=require",
    "postgresql://u:old@h/d?password=new": "postgresql://u:new@h/d",
    "postgresql:///d?host=/run/x&password=p&user=u": "postgresql://u:p@/d?host=%2Frun%2Fx",
    "postgresql://h/d?password=": "postgresql://:@h/d",
    "nonsense": "nonsense",
}


@pytest.mark.parametrize("given_address", CASES)
def test_l3_a_password_in_the_query_is_put_before_the_host(given_address: str) -> None:
    assert with_password_in_place(given_address) == CASES[given_address]


def test_the_driver_is_named_once_and_taken_away_again() -> None:
    for address in ("postgres://u@h/d", "postgresql://u@h/d", "postgresql+psycopg2://u@h/d"):
        assert with_driver(address) == "postgresql+psycopg2://u@h/d"
        assert without_driver(with_driver(address)) == "postgresql://u@h/d"
    assert with_driver("sqlite:///x") == "sqlite:///x"
    assert with_driver("nonsense") == "nonsense"


@given(user=st.text(min_size=1), password=st.text(min_size=1))
def test_l3_user_and_password_stay_what_they_are_and_are_hidden(user: str, password: str) -> None:

    try:
        query = urlencode({"user": user, "password": password})
    except UnicodeEncodeError:
        return
    found = make_url(with_password_in_place(f"postgresql://h/d?{query}"))
    assert (found.username, found.password, dict(found.query)) == (user, password, {})


def test_l3_no_error_shows_a_password_of_the_query() -> None:
    engine = make_engine("postgresql+psycopg2://127.0.0.1:1/none?user=u&password=SECRETPW")
    with pytest.raises(DatabaseUnreachable) as refused:
        check_server(engine)
    assert "SECRETPW" not in str(refused.value)
    assert "SECRETPW" not in str(engine.url)
    engine.dispose()
