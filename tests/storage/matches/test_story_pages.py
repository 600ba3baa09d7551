"""Which pages tell a story: its family, and who shares a part of it."""

from datetime import datetime

from sqlalchemy.orm import Session

from storage.matches import families, saving
from storage.matches.story_pages import MOST_PAGES, agency_pages_of_stories, story_of_page
from storage.pages import pages
from storage.records.matches import NewPageMatch
from storage.records.pages import PageRecord, SavedPage
from storage.types import Credit, Rights
from tests.support.factories import a_match, an_article, save, text_of


def saved_pages(session: Session, count: int) -> list[SavedPage]:
    return [saved for number in range(count) for saved in save(session, an_article(f"host{number}", text_of(number)))]


def page_of(session: Session, saved: SavedPage) -> PageRecord:
    page = pages.page_by_id(session, saved.page_id)
    assert page is not None
    return page


def matched(session: Session, copy: SavedPage, source: SavedPage) -> None:
    match_id, _ = saving.store_match(session, a_match(*sorted((copy.text_id, source.text_id))))
    found = NewPageMatch((copy.page_id, source.page_id), source.page_id, 0.8, (), Credit.NAMED)
    saving.store_page_match(session, match_id, found)


def test_the_family_and_the_matched_tell_it_and_nobody_else(session: Session) -> None:
    asked, kin, part, stranger = saved_pages(session, 4)
    families.join_family(session, {asked.text_id, kin.text_id})
    matched(session, kin, asked)
    matched(session, part, asked)
    matched(session, stranger, kin)

    story = story_of_page(session, page_of(session, asked))

    assert {told.page.id: told.in_family for told in story.pages} == {
        asked.page_id: True,
        kin.page_id: True,
        part.page_id: False,
    }
    assert {(link.copy_page_id, link.source_page_id) for link in story.links} == {
        (kin.page_id, asked.page_id),
        (part.page_id, asked.page_id),
    }
    assert not story.is_cut


def test_who_held_the_story_once_belongs_to_it(session: Session) -> None:
    asked, kin = saved_pages(session, 2)
    families.join_family(session, {asked.text_id, kin.text_id})
    save(session, an_article("host1", text_of(9), hours=1))

    assert len(story_of_page(session, page_of(session, asked)).pages) == 2


def test_a_page_without_a_family_is_its_own_story(session: Session) -> None:
    asked, _stranger = saved_pages(session, 2)

    story = story_of_page(session, page_of(session, asked))

    assert [told.page.id for told in story.pages] == [asked.page_id]
    assert (story.links, story.is_cut) == ((), False)


def test_of_the_same_text_on_very_many_pages_the_first_are_told_and_the_rest_counted_out(session: Session) -> None:
    asked, *_others = save(session, *(an_article(f"host{number}", text_of(1)) for number in range(MOST_PAGES + 1)))

    story = story_of_page(session, page_of(session, asked))

    assert len(story.pages) == MOST_PAGES
    assert story.is_cut


def test_pages_of_an_agency_are_told_by_text(session: Session) -> None:
    of_agency = [
        an_article(f"agency{number}", text_of(number), rights=Rights.AGENCY, hours=number) for number in (3, 4)
    ]
    ours, other, apart = saved_pages(session, 3)
    late, early = (saved for article in reversed(of_agency) for saved in save(session, article))
    families.join_family(session, {ours.text_id, other.text_id, late.text_id, early.text_id})

    told = agency_pages_of_stories(session, [ours.text_id, other.text_id, apart.text_id])

    first_seen_first = sorted((late.page_id, early.page_id), key=lambda number: (seen(session, number), number))
    assert {text: [page.id for page in found] for text, found in told.items()} == {
        ours.text_id: first_seen_first,
        other.text_id: first_seen_first,
    }
    assert agency_pages_of_stories(session, []) == {}


def seen(session: Session, page_id: int) -> datetime:
    page = pages.page_by_id(session, page_id)
    assert page is not None
    return page.first_seen_at
