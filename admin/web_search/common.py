"""What the pages of discovery share: the services of this installation, and its days and months."""

from datetime import datetime
from zoneinfo import ZoneInfo

from flask import abort

from admin.web.db_session import database
from admin.web.search_desk import SearchDesk
from admin.web.services import current_services
from crawler.web_search.declared import Declared
from storage.records.web_search import SpentRecord
from storage.web_search import queries

_NOT_THERE = 404


def search_desk() -> SearchDesk:
    """The search services; ends the request where this desk was started without."""
    found = current_services().search
    if found is None:
        abort(_NOT_THERE)
    return found


def declared_or_none() -> Declared | None:
    """What is declared about search services; None where this desk was started without."""
    found = current_services().search
    return None if found is None else found.declared()


def spent(*, service: str | None = None, site_id: int | None = None) -> SpentRecord:
    """What was booked today and this month, which begin in the installation's time zone, as budgets do."""
    day = datetime.now(ZoneInfo(current_services().time_zone)).replace(hour=0, minute=0, second=0, microsecond=0)
    return queries.spent(database(), day=day, month=day.replace(day=1), service=service, site_id=site_id)
