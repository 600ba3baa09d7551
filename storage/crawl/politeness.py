"""How each site is crawled beyond its pace."""

from dataclasses import asdict

from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import Session

from storage.models.frontier import SiteManners
from storage.postgres.rows import record_of
from storage.records.crawl import Manners


def get_manners(session: Session, site_id: int) -> Manners:
    found = session.get(SiteManners, site_id)
    return Manners() if found is None else record_of(Manners, found)


def set_manners(session: Session, site_id: int, manners: Manners) -> None:
    values = asdict(manners)
    statement = insert(SiteManners).values(site_id=site_id, **values)
    session.execute(statement.on_conflict_do_update(index_elements=[SiteManners.site_id], set_=values))
