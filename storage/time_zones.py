"""The time zone that a name in the store means on this machine."""

from zoneinfo import ZoneInfo, ZoneInfoNotFoundError


def zone_named(name: str, *others: str) -> ZoneInfo:
    """The zone of that name, else the first of `others` that this machine knows, else UTC.

    A name may be known where it was written and not here: an older table of zones, or a row from a foreign back-up.
    One such site must not stop what is done for all. `unknown_zones` tells of them.

    >>> zone_named("Mars/Olympus", "Asia/Shanghai").key
    'Asia/Shanghai'
    """
    return next((zone for zone in map(_known, (name, *others)) if zone is not None), ZoneInfo("UTC"))


def is_known(name: str) -> bool:
    return _known(name) is not None


def _known(name: str) -> ZoneInfo | None:
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return None
