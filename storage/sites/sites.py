"""Sites, with the pages they own."""

from collections.abc import Collection
from dataclasses import asdict
from functools import cache
from typing import Any

from sqlalchemy import Select, delete, func, null, select, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import Session

from storage.errors import NameTaken, NotKnown
from storage.models.pages import Page
from storage.models.sites import Owner, Site
from storage.pages.backlog_entry import enqueue_site
from storage.pages.case_references import page_is_in_case
from storage.pages.pages import text_ids_of_site
from storage.pages.saving import remove_orphan_texts
from storage.postgres.rows import columns_of, record_or_none, records_of
from storage.records.sites import SiteRecord, SiteSettings

_LISTS = ("start_urls", "hosts", "sitemaps", "feeds", "allow", "deny")


def add_site(session: Session, settings: SiteSettings, *, owner: str | None = None) -> SiteRecord:
    """Adds a site. An unknown owner is created; without `owner` it has the name of the site. Raises NameTaken."""
    values = _columns(settings) | {"owner_id": _owner_id(session, owner or settings.name)}
    added = session.scalar(insert(Site).values(**values).on_conflict_do_nothing().returning(Site.id))
    if added is None:
        raise NameTaken("site", settings.name)
    return get_site(session, settings.name)


def get_site(session: Session, name: str) -> SiteRecord:
    """Raises NotKnown."""
    found = record_or_none(SiteRecord, session.execute(_sites().where(Site.name == name)))
    if found is None:
        raise NotKnown("site", name, "List them with: zhiwen site list")
    return found


def site_by_id(session: Session, site_id: int) -> SiteRecord | None:
    return record_or_none(SiteRecord, session.execute(_sites().where(Site.id == site_id)))


def sites_of_owners(session: Session) -> dict[int, int]:
    """Number of sites by owner id."""
    rows = session.execute(select(Site.owner_id, func.count()).group_by(Site.owner_id))
    return dict(rows.all())


def count_pages(session: Session, site_id: int, *, most: int) -> int:
    """Number of pages of a site, counted up to `most`: a large site has millions."""
    some = select(Page.id).where(Page.site_id == site_id).limit(most).subquery()
    return session.scalar(select(func.count()).select_from(some)) or 0


def count_pages_of_each(session: Session, site_ids: Collection[int], *, most: int) -> dict[int, int]:
    """Number of pages by id of a site, each counted up to `most`, in one query."""
    some = select(Page.id).where(Page.site_id == Site.id).limit(most).correlate(Site).subquery()
    counted = select(func.count()).select_from(some).scalar_subquery()
    rows = session.execute(select(Site.id, counted).where(Site.id.in_(site_ids)))
    return {site_id: count or 0 for site_id, count in rows}


def count_pages_in_cases(session: Session, site_id: int, *, most: int) -> int:
    """Number of its pages that cases refer to, which stay when the site is removed; counted up to `most`."""
    some = select(Page.id).where(Page.site_id == site_id, page_is_in_case()).limit(most).subquery()
    return session.scalar(select(func.count()).select_from(some)) or 0


def list_sites(session: Session) -> list[SiteRecord]:
    return records_of(SiteRecord, session.execute(_sites().order_by(Site.name)))


def edit_site(session: Session, name: str, settings: SiteSettings, *, owner: str | None = None) -> SiteRecord:
    """Replaces the settings of the site `name`; it may get a new name that is free. Raises NotKnown, NameTaken.

    If its role or owner changes, its pages are compared with the whole store again.
    """
    site = session.scalar(select(Site).where(Site.name == name).with_for_update())
    if site is None:
        raise NotKnown("site", name, "List them with: zhiwen site list")
    if settings.name != name and session.scalar(select(Site.id).where(Site.name == settings.name)) is not None:
        raise NameTaken("site", settings.name)
    before = (site.role, site.owner_id)
    for column, value in _columns(settings).items():
        setattr(site, column, value)
    if owner is not None:
        site.owner_id = _owner_id(session, owner)
    session.flush()
    if (site.role, site.owner_id) != before:
        enqueue_site(session, site.id)
    return get_site(session, settings.name)


def remove_site(session: Session, name: str) -> int:
    """Removes a site with its pages, and texts that are on no other page. Returns the number of pages removed.

    Pages that cases refer to stay; the site stays with them and is disabled.
    """
    site_id = session.scalar(select(Site.id).where(Site.name == name).with_for_update())
    if site_id is None:
        raise NotKnown("site", name, "List them with: zhiwen site list")
    texts = text_ids_of_site(session, site_id)
    of_site = Page.site_id == site_id
    removed = session.scalars(delete(Page).where(of_site, ~page_is_in_case()).returning(Page.id)).all()
    if session.scalar(select(Page.id).where(of_site).limit(1)) is None:
        session.execute(delete(Site).where(Site.id == site_id))
    else:
        session.execute(update(Site).where(Site.id == site_id).values(enabled=False))
    remove_orphan_texts(session, texts)
    return len(removed)


def site_for_host(session: Session, host: str) -> SiteRecord | None:
    """The site of `host`; the oldest if there are several."""
    of_host = _sites().where(Site.hosts.contains([host])).order_by(Site.id).limit(1)
    return record_or_none(SiteRecord, session.execute(of_host))


def _owner_id(session: Session, name: str) -> int:
    # DO UPDATE returns and locks the row even if another transaction has just added it.
    statement = insert(Owner).values(name=name, registration="", complaint_address="", notes="")
    return session.scalars(
        statement.on_conflict_do_update(index_elements=[Owner.name], set_={"name": name}).returning(Owner.id)
    ).one()


def _columns(settings: SiteSettings) -> dict[str, object]:
    columns = {name: list(value) if name in _LISTS else value for name, value in asdict(settings).items()}
    # None would be stored as JSON null, not as SQL NULL.
    return columns | {"extraction_rule": settings.extraction_rule or null()}


@cache
def _sites() -> Select[*tuple[Any, ...]]:
    settings = columns_of(SiteSettings, Site)
    return select(*columns_of(SiteRecord, Site, owner_name=Owner.name, settings=settings)).join(Owner)
