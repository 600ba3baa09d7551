"""Time zones in the store that this machine does not know."""

from sqlalchemy import select
from sqlalchemy.orm import Session

from storage.models.operation import Schedule
from storage.models.sites import Site
from storage.time_zones import is_known


def unknown_zones(session: Session) -> list[tuple[str, str]]:
    """Sites whose time zone, or whose schedule's, this machine does not know; each with that name."""
    of_sites = session.execute(select(Site.name, Site.time_zone)).all()
    of_schedules = session.execute(
        select(Site.name, Schedule.time_zone)
        .join(Schedule, Schedule.site_id == Site.id)
        .where(Schedule.time_zone.is_not(None))
    ).all()
    return sorted({(site, name) for site, name in (*of_sites, *of_schedules) if name and not is_known(name)})
