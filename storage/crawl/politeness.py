"""How each site is crawled beyond its pace."""

from dataclasses import asdict

from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import Session

from storage.models.frontier import SiteManners
from storage.records.crawl import Manners


def get_manners(session: Session, site_id: int) -> Manners:
    found = session.get(SiteManners, site_id)
    if found is None:
        return Manners()
    return Manners(
        byte_budget=found.byte_budget,
        window_start=found.window_start,
        window_end=found.window_end,
        obey_noindex=found.obey_noindex,
        obey_noarchive=found.obey_noarchive,
    )


def set_manners(session: Session, site_id: int, manners: Manners) -> None:
    values = asdict(manners)
    statement = insert(SiteManners).values(site_id=site_id, **values)
    session.execute(statement.on_conflict_do_update(index_elements=[SiteManners.site_id], set_=values))
