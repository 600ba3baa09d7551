"""Pages of one story: which of them are ours, and which say that an agency wrote it."""

from collections.abc import Collection

from sqlalchemy import select
from sqlalchemy.dialects.postgresql import distinct_on
from sqlalchemy.orm import Session, aliased

from storage.models.pages import Page, PageVersion, TextFamily
from storage.models.sites import Site
from storage.pages.pages import pages_by_id
from storage.records.pages import PageRecord
from storage.types import Rights, SiteRole

MOST_WITNESSES = 50
"""Pages of an agency's story that are read, first seen first: a few are enough to know it for one."""


def originals_of_texts(session: Session, text_ids: Collection[int]) -> dict[int, list[PageRecord]]:
    """By text: of each owner the page on an original site that has held it longest."""
    statement = (
        select(Page.id)
        .ext(distinct_on(PageVersion.text_id, Site.owner_id))
        .join(PageVersion, PageVersion.page_id == Page.id)
        .join(Site, Site.id == Page.site_id)
        .where(PageVersion.text_id.in_(list(text_ids)), PageVersion.is_current, Site.role == SiteRole.ORIGINAL)
        .order_by(PageVersion.text_id, Site.owner_id, Page.first_seen_at, Page.id)
    )
    found: dict[int, list[PageRecord]] = {}
    for page in pages_by_id(session, session.scalars(statement).all()).values():
        found.setdefault(page.text_id, []).append(page)
    return found


def agency_pages_of_story(session: Session, text_id: int) -> list[PageRecord]:
    """Pages of the story that `text_id` belongs to whose rights are an agency's, first seen first."""
    of_text, kin = aliased(TextFamily, name="of_text"), aliased(TextFamily, name="kin")
    statement = (
        select(Page.id)
        .join(PageVersion, PageVersion.page_id == Page.id)
        .join(kin, kin.text_id == PageVersion.text_id)
        .join(of_text, of_text.family_id == kin.family_id)
        .where(of_text.text_id == text_id, PageVersion.is_current, PageVersion.rights == Rights.AGENCY)
        .order_by(Page.first_seen_at, Page.id)
        .limit(MOST_WITNESSES)
    )
    found = pages_by_id(session, session.scalars(statement).all())
    return sorted(found.values(), key=lambda page: (page.first_seen_at, page.id))
