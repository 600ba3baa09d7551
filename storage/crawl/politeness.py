"""Politeness settings of sites besides their delay."""

from dataclasses import asdict

from sqlalchemy.orm import Session

from storage.models.frontier import SitePoliteness
from storage.postgres.rows import record_of
from storage.postgres.writes import upsert
from storage.records.crawl import Politeness


def get_politeness(session: Session, site_id: int) -> Politeness:
    found = session.get(SitePoliteness, site_id)
    return Politeness() if found is None else record_of(Politeness, found)


def set_politeness(session: Session, site_id: int, values: Politeness) -> None:
    upsert(session, SitePoliteness, {"site_id": site_id}, asdict(values))
