"""What watching over itself leaves in a store, with names that a page must not take for markup."""

from datetime import date

from sqlalchemy import insert
from sqlalchemy.orm import Session

from storage.jobs import queue
from storage.models.watch import SiteAlarm
from storage.monitoring import disk_forecast
from storage.records.monitoring import Measure


def an_alarm(session: Session, site_id: int, measure: Measure = Measure.EMPTY) -> int:
    """An open alarm; its number."""
    values = {"measure": measure, "day": date(2026, 5, 4), "value": 0.9, "usual": 0.05, "high": 0.2}
    return session.execute(insert(SiteAlarm).values(site_id=site_id, **values).returning(SiteAlarm.id)).scalar_one()


def fill_watching(session: Session, *, site_id: int) -> dict[str, int]:
    """The numbers of what is there, by the names of the parameters of routes."""
    disk_forecast.add_sample(session, "<b>m</b>", queue.database_time(session), total=10**12, free=10**11)
    return {"alarm_id": an_alarm(session, site_id)}
