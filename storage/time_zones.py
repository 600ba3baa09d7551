"""The time zone that a name in the store means on this machine."""

from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from sqlalchemy import select
from sqlalchemy.orm import Session

from storage.models.operation import Schedule
from storage.models.sites import Site


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


def unknown_zones(session: Session) -> list[tuple[str, str]]:
    """Sites whose time zone, or whose schedule's, this machine does not know; each with that name."""
    of_sites = session.execute(select(Site.name, Site.time_zone)).all()
    of_schedules = session.execute(
        select(Site.name, Schedule.time_zone)
        .join(Schedule, Schedule.site_id == Site.id)
        .where(Schedule.time_zone.is_not(None))
    ).all()
    return sorted({(site, name) for site, name in (*of_sites, *of_schedules) if name and not is_known(name)})


def _known(name: str) -> ZoneInfo | None:
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return None
