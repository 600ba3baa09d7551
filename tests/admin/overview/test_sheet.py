"""What the morning sheet counts, and its picture."""

from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from admin.overview.new_cases import HEIGHT, SPARK_DAYS, new_cases
from admin.overview.sheet import since_when
from storage.types import Severity

SHANGHAI = ZoneInfo("Asia/Shanghai")
NOW = datetime(2026, 3, 2, 0, 30, tzinfo=UTC)
"""Half past eight in the morning in Shanghai."""


@pytest.mark.parametrize(
    ("last_visit", "expected"),
    [
        (None, datetime(2026, 3, 1, tzinfo=SHANGHAI)),
        (datetime(2026, 2, 27, 9, tzinfo=UTC), datetime(2026, 2, 27, 9, tzinfo=UTC)),
        (NOW - timedelta(minutes=40), datetime(2026, 3, 2, tzinfo=SHANGHAI)),
    ],
    ids=["the first visit: since yesterday", "since the last visit", "a second look in the same morning"],
)
def test_from_when_on_something_is_new(last_visit: datetime | None, expected: datetime) -> None:
    assert since_when(last_visit, NOW, SHANGHAI) == expected


def test_the_picture_has_every_day_and_the_busiest_fills_it() -> None:
    today = date(2026, 3, 2)
    found = {
        (today, Severity.GRAVE): 3,
        (today, Severity.SLIGHT): 1,
        (today - timedelta(days=2), Severity.MIDDLING): 2,
        (today - timedelta(days=99), Severity.GRAVE): 50,
    }

    picture = new_cases(found, today)

    assert [day.total for day in picture.days] == [0] * (SPARK_DAYS - 3) + [2, 0, 4]
    grave, slight = picture.days[-1].parts
    assert (grave.y, grave.height) == (HEIGHT / 4, HEIGHT * 3 / 4), "the gravest at the foot"
    assert (slight.y, slight.height) == (0, HEIGHT / 4)
    assert picture.is_any
    assert not new_cases({}, today).is_any
