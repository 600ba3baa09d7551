"""Time zones by name, tolerant of names that this machine does not know."""

from zoneinfo import ZoneInfo, ZoneInfoNotFoundError


def zone_named(name: str, *others: str) -> ZoneInfo:
    """Return the zone `name`, else the first of `others` known on this machine, else UTC.

    A name may be unknown here: an older zone table, or a row from a foreign backup. One such site must not stop the
    work for all sites; `storage.jobs.schedules.unknown_zones` lists them.

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
