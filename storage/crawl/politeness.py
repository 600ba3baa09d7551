"""Politeness settings of sites besides their delay."""

from dataclasses import asdict

from sqlalchemy.orm import Session

from storage.models.frontier import SitePoliteness
from storage.postgres.rows import record_of
from storage.postgres.writes import upsert
from storage.records.crawl import Manners


def get_manners(session: Session, site_id: int) -> Manners:
    found = session.get(SitePoliteness, site_id)
    return Manners() if found is None else record_of(Manners, found)


def set_manners(session: Session, site_id: int, manners: Manners) -> None:
    upsert(session, SitePoliteness, {"site_id": site_id}, asdict(manners))
