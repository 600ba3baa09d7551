"""Prepared statements answer as others do, on every connection, and whatever happened on it before."""

import pytest
from sqlalchemy import Engine, text
from sqlalchemy.exc import DBAPIError
from sqlalchemy.orm import Session

from storage.engine import transaction
from storage.postgres.prepared_statements import Prepared

SUM = Prepared(
    "a_sum",
    {"numbers": "integer[]", "more": "bigint", "word": "text"},
    "SELECT sum(n)::integer + :more AS total, :word AS word, 7 % 4 AS rest, :more::text AS same"
    " FROM unnest(:numbers) AS n",
)
ASKED = {"numbers": "{1,2,3}", "more": 4, "word": "版权'; DROP TABLE page; --:more $1 %s"}


def made(session: Session) -> list[str]:
    return list(session.scalars(text("SELECT name FROM pg_prepared_statements WHERE name = 'a_sum'")))


def test_a_prepared_statement_is_made_once_and_takes_its_parameters_by_name(session: Session) -> None:
    for _ in range(3):
        assert SUM.execute(session, ASKED).one() == (10, ASKED["word"], 3, "4")

    assert made(session) == ["a_sum"]


def test_each_connection_makes_its_own_and_keeps_it_when_a_transaction_is_rolled_back(engine: Engine) -> None:
    with Session(engine) as one, Session(engine) as other:
        SUM.execute(one, ASKED)
        assert made(other) == []
        assert SUM.execute(other, ASKED).one().total == 10
        one.rollback()
        assert SUM.execute(one, ASKED).one().total == 10
        assert made(one) == ["a_sum"]
    engine.dispose()
    with transaction(engine) as session:
        assert SUM.execute(session, ASKED).one().total == 10


def test_one_that_cannot_be_prepared_is_tried_anew(session: Session) -> None:
    later = Prepared("later", {}, "SELECT count(*) AS rows FROM comes_later")
    with pytest.raises(DBAPIError, match="comes_later"), session.begin_nested():
        later.execute(session, {})

    session.execute(text("CREATE TABLE comes_later AS SELECT 1 AS one"))

    assert later.execute(session, {}).one().rows == 1
