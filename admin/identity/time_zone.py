"""Time zones: the viewer's, and dates of forms in it."""

from datetime import date, datetime, timedelta
from functools import cache
from zoneinfo import ZoneInfo, available_timezones

from admin.identity.current_user import current_account
from admin.web.services import current_services


@cache
def zone_names() -> tuple[str, ...]:
    """Time zones to choose from, by continent and place."""
    return tuple(sorted(name for name in available_timezones() if "/" in name or name == "UTC"))


def is_zone(name: str) -> bool:
    return name in zone_names()


def viewer_zone() -> str:
    """The time zone of the account, else of the installation."""
    account = current_account()
    return account.time_zone if account is not None and is_zone(account.time_zone) else current_services().time_zone


def start_of_day(text: str | None, *, days_later: int = 0) -> datetime | None:
    """The first moment of the date `2026-03-01` in the viewer's zone, or of one some days later.

    None for no date; raises ValueError for an invalid one.
    """
    if not text:
        return None
    try:
        day = date.fromisoformat(text) + timedelta(days=days_later)
        return datetime(day.year, day.month, day.day, tzinfo=ZoneInfo(viewer_zone()))
    except OverflowError as error:
        raise ValueError(text) from error
