"""Time zones: the viewer's, and what a day named in a form means in it."""

from datetime import date, datetime, timedelta
from functools import cache
from zoneinfo import ZoneInfo, available_timezones

from admin.identity.current_user import current_account
from admin.web.services import desk


@cache
def zone_names() -> tuple[str, ...]:
    """Those that may be chosen, places first by continent."""
    return tuple(sorted(name for name in available_timezones() if "/" in name or name == "UTC"))


def is_zone(name: str) -> bool:
    return name in zone_names()


def viewer_zone() -> str:
    """The account's, else the installation's."""
    account = current_account()
    return account.time_zone if account is not None and is_zone(account.time_zone) else desk().time_zone


def start_of_day(text: str | None, *, days_later: int = 0) -> datetime | None:
    """The first moment of the day `2026-03-01` in the viewer's zone, or of one some days later.

    None for no day; raises ValueError for what is none.
    """
    if not text:
        return None
    try:
        day = date.fromisoformat(text) + timedelta(days=days_later)
        return datetime(day.year, day.month, day.day, tzinfo=ZoneInfo(viewer_zone()))
    except OverflowError as error:
        raise ValueError(text) from error
