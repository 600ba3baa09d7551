"""Articles that services may be asked about: published ones of ours, when they are due."""

from datetime import UTC, datetime, timedelta
from typing import Any

from sqlalchemy import Engine, text
from sqlalchemy.orm import Session

from storage.cases import licences
from storage.engine import transaction
from storage.matches import saving
from storage.records.cases import LicenceTerms
from storage.records.pages import Declared, NewArticle
from storage.records.sites import SiteRecord
from storage.records.web_search import ArticleToAsk
from storage.types import DateOrigin, FoundBy, Precision, SiteRole
from storage.web_search import articles
from tests.support.cases import store_case
from tests.support.factories import a_match, a_site, an_article, save, text_of

VISITS = tuple(timedelta(days=days) for days in (0, 1, 7, 30))
PUBLISHED = datetime(2026, 3, 1, 8, tzinfo=UTC)
DATED = Declared(PUBLISHED, Precision.MINUTE, DateOrigin.META)


def ours(session: Session, **fields: Any) -> SiteRecord:
    return a_site(session, "ours", owner="Us", role=SiteRole.ORIGINAL, **fields)


def of_ours(site: SiteRecord, number: int, *, published: datetime = PUBLISHED, **fields: Any) -> NewArticle:
    given = {"site_id": site.id, "declared": Declared(published, Precision.MINUTE, DateOrigin.META), **fields}
    return an_article(f"https://ours.example/{number}", text_of(number), **given)


def due(session: Session, site: SiteRecord, after: timedelta, *, limit: int = 9) -> list[ArticleToAsk]:
    return articles.articles_of_site(session, site.id, now=PUBLISHED + after, visits=VISITS, limit=limit)


def test_an_article_is_due_on_publishing_and_after_each_wait(session: Session) -> None:
    site = ours(session)
    (saved,) = save(session, of_ours(site, 1))

    (found,) = due(session, site, timedelta(hours=1))
    assert (found.url, found.done, found.was_copied, found.was_crawled) == ("https://ours.example/1", 0, False, True)

    articles.keep_visit(session, saved.page_id, done=1)
    assert due(session, site, timedelta(hours=23)) == []
    assert [one.done for one in due(session, site, timedelta(days=1))] == [1]
    assert [one.done for one in due(session, site, timedelta(days=400))] == [1]  # one visit for all missed ones
    articles.keep_visit(session, saved.page_id, done=4)
    assert due(session, site, timedelta(days=400)) == []


def test_the_newest_come_first(session: Session) -> None:
    site = ours(session)
    save(session, *(of_ours(site, number, published=PUBLISHED + timedelta(hours=number)) for number in range(3)))

    assert [one.url[-1] for one in due(session, site, timedelta(days=1), limit=2)] == ["2", "1"]


def test_only_published_articles_of_ours_are_asked_about(session: Session) -> None:
    site = ours(session)
    watched = a_site(session, "watched")
    later = PUBLISHED + timedelta(days=300)
    pages = save(
        session,
        of_ours(site, 1, published=later),
        of_ours(site, 2),
        of_ours(site, 3),
        an_article("file:///draft.txt", text_of(4), site_id=site.id, declared=DATED, found_by=FoundBy.IMPORT),
        an_article("https://elsewhere.example/", text_of(5), site_id=site.id, declared=DATED),
        an_article("https://watched.example/1", text_of(6), site_id=watched.id, declared=DATED),
        an_article("https://nobody.example/1", text_of(7), declared=DATED),
    )
    session.execute(text("UPDATE page SET gone_at = now() WHERE id = :id"), {"id": pages[1].page_id})
    withdrawn = "INSERT INTO original (site_id, external_id, page_id, gone_at) VALUES (:site, 'x', :page, now())"
    session.execute(text(withdrawn), {"site": site.id, "page": pages[2].page_id})

    assert due(session, site, timedelta(days=31)) == []
    assert [one.url for one in due(session, site, timedelta(days=301))] == ["https://ours.example/1"]
    assert articles.article_at(session, "https://ours.example/2", now=later) is None
    assert articles.article_at(session, "https://watched.example/1", now=later) is None
    assert articles.article_at(session, "https://ours.example/1", now=PUBLISHED) is None
    assert articles.article_at(session, "https://ours.example/1", now=later) is not None


def test_a_paused_site_is_not_asked_about(session: Session) -> None:
    site = ours(session, enabled=False)
    save(session, of_ours(site, 1))
    assert due(session, site, timedelta(days=1)) == []


def test_an_import_was_not_seen_on_the_web(session: Session) -> None:
    site = ours(session)
    save(session, of_ours(site, 1, found_by=FoundBy.IMPORT))
    assert [one.was_crawled for one in due(session, site, timedelta(days=1))] == [False]


def test_an_article_with_a_case_was_copied_before(engine: Engine) -> None:
    case = store_case(engine)
    with transaction(engine) as session:
        save(session, *(of_ours(site, 1) for site in [ours(session)]))
        session.execute(
            text("UPDATE page SET site_id = (SELECT site_id FROM page WHERE url = 'https://ours.example/1'),"
                 " host = 'ours.example' WHERE id = :id"),
            {"id": case.ours.page_id},
        )  # fmt: skip
        found = articles.articles_of_site(
            session, _site_id(session), now=datetime.now(UTC) + timedelta(days=1), visits=VISITS, limit=9
        )
    assert [(one.page_id == case.ours.page_id, one.was_copied) for one in found] == [(True, True), (False, False)]


def _site_id(session: Session) -> int:
    return int(session.execute(text("SELECT id FROM site WHERE name = 'ours'")).scalar_one())


def test_wording_of_known_copies_may_be_asked_for_and_that_of_other_texts_may_not(session: Session) -> None:
    site = ours(session)
    saved = save(
        session,
        of_ours(site, 1),
        of_ours(site, 2),
        an_article("copy", text_of(3)),
        an_article("other", text_of(4)),
    )
    mine, sister, copy, other = (one.text_id for one in saved)
    for matching in (sister, copy):
        saving.store_match(session, a_match(min(mine, matching), max(mine, matching)))

    elsewhere = articles.bodies_elsewhere(session, mine, {mine, sister, copy, other})
    assert sorted(elsewhere) == sorted([text_of(2), text_of(4)])


def test_hosts_of_ours_and_of_licensed_partners_are_known(session: Session) -> None:
    site = ours(session)
    a_site(session, "sister", owner="Us")
    a_site(session, "partner", owner="Partner")
    a_site(session, "former", owner="Former")
    save(session, of_ours(site, 1, author="王"))
    now = PUBLISHED + timedelta(days=9)
    ends = PUBLISHED + timedelta(days=3)
    licences.add_licence(session, LicenceTerms(owner="Us", copier="Partner"))
    licences.add_licence(session, LicenceTerms(author="王", copier="Former", valid_until=ends))
    (article,) = due(session, site, timedelta(days=9))

    assert articles.own_hosts(session) == {"ours.example", "sister.example"}
    assert articles.licensed_hosts(session, article, now=now) == {"partner.example"}
    assert articles.licensed_hosts(session, article, now=PUBLISHED) == {"partner.example", "former.example"}
