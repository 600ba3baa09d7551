"""Records are read from rows by the names of their columns."""

from dataclasses import dataclass
from datetime import UTC, datetime

import pytest
from sqlalchemy import func, literal, select, text
from sqlalchemy.orm import Session

from storage.models.sites import Owner
from storage.postgres.rows import columns_of, record_of, record_or_none, records_of
from storage.types import Severity


@dataclass(frozen=True, slots=True)
class Part:
    at: datetime | None = None
    words: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Whole:
    id: int
    name: str
    part: Part
    severity: Severity | None = None
    digest: bytes = b""
    grades: frozenset[Severity] = frozenset()


AT = datetime(2026, 3, 1, tzinfo=UTC)
PART = columns_of(Part, at=literal(AT), words=func.string_to_array("a b", " "))


def test_columns_are_read_by_name_whatever_their_order(session: Session) -> None:
    columns = columns_of(Whole, id=literal(7), name=literal("n"), part=PART, severity=literal("grave"),
                         digest=func.decode("00ff", "hex"),
                         grades=func.string_to_array("slight grave", " "))  # fmt: skip
    expected = Whole(
        7, "n", Part(AT, ("a", "b")), Severity.GRAVE, b"\x00\xff", frozenset({Severity.SLIGHT, Severity.GRAVE})
    )
    for chosen in (columns, columns[::-1]):
        assert records_of(Whole, session.execute(select(*chosen))) == [expected]


def test_a_field_with_a_default_and_no_column_keeps_its_default(session: Session) -> None:
    row = session.execute(text("SELECT 'n' AS name, 7 AS id, NULL AS part_at, 1 AS of_nobody")).one()
    assert record_of(Whole, row) == Whole(7, "n", Part())


def test_an_object_is_read_by_its_attributes_and_what_is_known_goes_first() -> None:
    owner = Owner(id=3, name="江城日报社")
    assert record_of(Whole, owner, part=Part(), name="another") == Whole(3, "another", Part())


def test_null_stays_none_and_no_row_is_no_record(session: Session) -> None:
    columns = columns_of(Whole, id=literal(7), name=literal("n"), part=PART, severity=func.nullif("", ""),
                         digest=func.decode("", "hex"), grades=func.string_to_array("", " "))  # fmt: skip
    found = record_or_none(Whole, session.execute(select(*columns)))
    assert found is not None
    assert found.severity is None
    assert record_or_none(Whole, session.execute(select(*columns).where(literal(False)))) is None


def test_a_field_that_nothing_fills_is_named() -> None:
    with pytest.raises(TypeError, match=r"Whole\.part"):
        columns_of(Whole, Owner, severity=literal("grave"))
    with pytest.raises(TypeError, match="no field nobody"):
        columns_of(Part, at=literal(AT), words=literal(None), nobody=literal(1))


def test_a_row_without_a_column_that_is_needed_is_refused(session: Session) -> None:
    row = session.execute(text("SELECT 7 AS id")).one()
    with pytest.raises(TypeError, match="nothing named name for Whole"):
        record_of(Whole, row, part=Part())
