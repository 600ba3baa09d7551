"""Pages of one story: who copied whom, which are ours, and which an agency wrote."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Final

from sqlalchemy import func, literal, or_, select
from sqlalchemy.dialects.postgresql import distinct_on
from sqlalchemy.orm import Session, aliased

from storage.matches.filters import copy_page_id
from storage.models.matches import Match, PageMatch
from storage.models.pages import Page, PageVersion, TextFamily
from storage.models.sites import Site
from storage.pages.pages import pages_by_id
from storage.postgres.rows import columns_of, records_of
from storage.records.pages import PageRecord
from storage.types import Credit, MatchKind, Rights, SiteRole

MOST_PAGES: Final = 150
"""Pages of a story, first seen first: more cannot be distinguished in a picture."""
MOST_MATCHED: Final = 50
"""Pages that match the query page, highest score first."""
MOST_LINKS: Final = 2_000


@dataclass(frozen=True, slots=True)
class StoryLink:
    """A hit: `copy_page_id` copied from `source_page_id`, as far as known."""

    hit_id: int
    copy_page_id: int
    source_page_id: int
    kind: MatchKind
    score: float
    confidence: float
    credit: Credit


@dataclass(frozen=True, slots=True)
class StoryPage:
    """`in_family`: it holds the whole story; else it shares a part with the query page."""

    page: PageRecord
    in_family: bool


@dataclass(frozen=True, slots=True)
class Story:
    """`is_cut`: a bound left out pages or links."""

    pages: tuple[StoryPage, ...]
    links: tuple[StoryLink, ...]
    is_cut: bool


def story_of_page(session: Session, page: PageRecord) -> Story:
    """The pages that hold or held a text of the page's family, and those that match it."""
    family = _pages_of_family(session, page.text_id)
    matched = _matched_pages(session, page.id)
    wanted = {page.id, *family[:MOST_PAGES], *matched[:MOST_MATCHED]}
    links = _links(session, wanted)
    known = pages_by_id(session, wanted)
    of_family = {page.id, *family}
    return Story(
        tuple(StoryPage(found, number in of_family) for number, found in sorted(known.items())),
        tuple(links[:MOST_LINKS]),
        len(family) > MOST_PAGES or len(matched) > MOST_MATCHED or len(links) > MOST_LINKS,
    )


def _pages_of_family(session: Session, text_id: int) -> list[int]:
    related, of_text = aliased(TextFamily, name="related"), aliased(TextFamily, name="of_text")
    texts = (
        select(related.text_id)
        .join(of_text, of_text.family_id == related.family_id)
        .where(of_text.text_id == text_id)
        .union(select(literal(text_id)))
    )
    holds = select(PageVersion.page_id).where(PageVersion.text_id.in_(texts))
    statement = select(Page.id).where(Page.id.in_(holds)).order_by(Page.first_seen_at, Page.id).limit(MOST_PAGES + 1)
    return list(session.scalars(statement))


def _matched_pages(session: Session, page_id: int) -> list[int]:
    statement = (
        select(PageMatch.low_page_id, PageMatch.high_page_id)
        .join(Match, Match.id == PageMatch.match_id)
        .where(or_(PageMatch.low_page_id == page_id, PageMatch.high_page_id == page_id))
        .order_by(Match.score.desc(), PageMatch.id)
        .limit(MOST_MATCHED + 1)
    )
    return [high if low == page_id else low for low, high in session.execute(statement)]


def _links(session: Session, page_ids: Collection[int]) -> list[StoryLink]:
    """Highest score first."""
    wanted = list(page_ids)
    statement = (
        select(*columns_of(StoryLink, PageMatch, Match, hit_id=PageMatch.id, copy_page_id=copy_page_id))
        .join(Match, Match.id == PageMatch.match_id)
        .where(PageMatch.low_page_id.in_(wanted), PageMatch.high_page_id.in_(wanted))
        .order_by(Match.score.desc(), PageMatch.id)
        .limit(MOST_LINKS + 1)
    )
    return records_of(StoryLink, session.execute(statement))


MOST_WITNESSES = 50
"""Pages of an agency's story that are read, first seen first: a few are enough to recognise it."""


def originals_of_texts(session: Session, text_ids: Collection[int]) -> dict[int, list[PageRecord]]:
    """By text id: for each owner, the page on an original site that has held the text longest."""
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


def agency_pages_of_stories(session: Session, text_ids: Collection[int]) -> dict[int, list[PageRecord]]:
    """By text id, the pages of its story whose rights are an agency's, first seen first; texts without one are left
    out.
    """
    of_text, related = aliased(TextFamily, name="of_text"), aliased(TextFamily, name="related")
    pages = (
        select(of_text.text_id, Page.id.label("page_id"), Page.first_seen_at)
        .distinct()
        .join(PageVersion, PageVersion.page_id == Page.id)
        .join(related, related.text_id == PageVersion.text_id)
        .join(of_text, of_text.family_id == related.family_id)
        .where(of_text.text_id.in_(list(text_ids)), PageVersion.is_current, PageVersion.rights == Rights.AGENCY)
        .subquery()
    )
    first = pages.c.first_seen_at, pages.c.page_id
    place = func.row_number().over(partition_by=pages.c.text_id, order_by=first).label("place")
    each = select(pages.c.text_id, pages.c.page_id, place).subquery()
    wanted = select(each.c.text_id, each.c.page_id).where(each.c.place <= MOST_WITNESSES)
    rows = session.execute(wanted.order_by(each.c.text_id, each.c.place)).all()
    known = pages_by_id(session, {row.page_id for row in rows})
    found: dict[int, list[PageRecord]] = {}
    for row in rows:
        found.setdefault(row.text_id, []).append(known[row.page_id])
    return found
