"""Documents are dated by the calendar of the desk (D16): yesterday's date on a letter of this morning is untrue."""

import csv
import io
import re
import zipfile
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import docx
import pytest
from flask.testing import FlaskClient
from sqlalchemy import Engine
from sqlalchemy import text as sql

from admin.evidence.letter_drafts import DEADLINE_DAYS
from storage.accounts import accounts
from storage.engine import transaction
from storage.types import AccountRole, Precision
from tests.support.cases import StoredCase, store_case
from tests.support.desk_client import COPY, add_person, csrf_token, let_in, make_app

EAST, WEST = "Pacific/Kiritimati", "Pacific/Midway"
"""UTC+14 and UTC−11: at any moment the calendar of one of them shows another day than UTC's."""


def another_day() -> str:
    """A zone whose calendar shows another day than UTC's now, for an hour to come."""
    return EAST if datetime.now(UTC).hour >= 10 else WEST


@pytest.fixture
def zone() -> str:
    return another_day()


@pytest.fixture
def case(engine: Engine) -> StoredCase:
    made = store_case(engine)
    with engine.begin() as connection:
        connection.execute(sql("UPDATE \"case\" SET state = 'confirmed', touched = true"))
    return made


@pytest.fixture
def viewer(engine: Engine, zone: str) -> FlaskClient:
    account = add_person(engine, role=AccountRole.VIEWER)
    with transaction(engine) as session:
        accounts.set_preferences(session, account.id, language="zh", time_zone=zone)
    client = make_app(engine).test_client()
    let_in(client)
    return client


def today_in(zone: str) -> date:
    return datetime.now(ZoneInfo(zone)).date()


def test_the_zone_of_these_tests_has_another_day_than_utc(zone: str) -> None:
    assert today_in(zone) != datetime.now(UTC).date()


def test_a_letter_is_dated_by_the_calendar_of_the_desk(viewer: FlaskClient, case: StoredCase, zone: str) -> None:
    page = viewer.get(f"/cases/{case.id}/letter").text
    days = re.findall(r"^(\d{4}-\d\d-\d\d)\b|在 (\d{4}-\d\d-\d\d) 前", page, re.MULTILINE)

    assert {day for found in days for day in found if day} == {
        today_in(zone).isoformat(),
        (today_in(zone) + timedelta(days=DEADLINE_DAYS)).isoformat(),
    }


@pytest.mark.parametrize(
    "path",
    ["/cases/{}/report?download=1", "/cases/{}/evidence.zip", "/cases/{}/statement?as=csv", "/exports/cases.csv"],
)
def test_files_are_named_by_the_day_at_the_desk(viewer: FlaskClient, case: StoredCase, zone: str, path: str) -> None:
    name = viewer.get(path.format(case.id)).headers["Content-Disposition"]

    assert f"{today_in(zone):%Y%m%d}" in name


def test_the_readme_of_a_bundle_names_the_zone_of_its_time(viewer: FlaskClient, case: StoredCase, zone: str) -> None:
    with zipfile.ZipFile(io.BytesIO(viewer.get(f"/cases/{case.id}/evidence.zip").data)) as package:
        readme = package.read("README.txt").decode()

    assert len(re.findall(rf"{today_in(zone)} \d\d:\d\d:\d\d \({zone}\)", readme)) == 2
    assert "UTC" not in readme


def test_a_word_file_says_when_it_was_written_and_by_whom_it_was_not(viewer: FlaskClient, case: StoredCase) -> None:
    """The library's template claims the year 2013 and an author of its own."""
    form = {
        "csrf_token": csrf_token(viewer, f"/cases/{case.id}/letter"),
        "text": "抬头",
        "as": "docx",
        "language": "zh",
    }
    about = docx.Document(io.BytesIO(viewer.post(f"/cases/{case.id}/letter", data=form).data)).core_properties

    assert about.created is not None
    assert abs(about.created.replace(tzinfo=UTC) - datetime.now(UTC)) < timedelta(minutes=10)
    assert about.author == ""
    assert "python" not in about.comments


def test_a_deadline_in_an_export_is_the_day_that_the_desk_shows(engine: Engine, viewer: FlaskClient, zone: str) -> None:
    made = store_case(engine)
    day = today_in(zone) + timedelta(days=3)
    after = datetime(day.year, day.month, day.day, tzinfo=ZoneInfo(zone)) + timedelta(days=1)
    with engine.begin() as connection:
        connection.execute(
            sql("UPDATE \"case\" SET deadline = :at, state = 'notified' WHERE id = :id"), {"at": after, "id": made.id}
        )

    (row,) = csv.DictReader(io.StringIO(viewer.get("/exports/cases.csv?tab=all").data.decode("utf-8-sig")))

    assert f"截至 {day}" in viewer.get("/cases?tab=notified").text
    assert row["期限"].startswith(f"{day} 23:59:59")


def test_a_report_is_no_more_exact_than_the_page(engine: Engine, viewer: FlaskClient) -> None:
    """“Since” printed 08:00 for a page that states a day and no time."""
    made = store_case(engine, copy=replace(COPY, precision=Precision.DAY))

    page = viewer.get(f"/cases/{made.id}/report").text
    since = re.search(r"起始时间</th><td><time[^>]*>([^<]*)</time>", page)

    assert since is not None
    assert re.fullmatch(r"\d{4}-\d\d-\d\d", since[1])
