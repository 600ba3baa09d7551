"""The ledger: everything that is stored, as a balance needs it."""

from datetime import timedelta

from sqlalchemy import update
from sqlalchemy.orm import Session

from crawler.outcomes.refusals import Refusal
from crawler.spider import revisit_policy
from crawler.spider.link_filter import entry
from storage.analytics.ledger import Captured, ledger, store_load
from storage.crawl import frontier
from storage.jobs import queue
from storage.models.cases import Case
from storage.records.crawl import UrlKind
from storage.takedowns import page_presence, recaptures
from storage.types import Sight
from tests.support.case_actions import a_case
from tests.support.factories import a_site, an_article, save, text_of


def test_it_says_of_every_address_what_became_of_it(session: Session) -> None:
    site = a_site(session, "甲")
    (saved,) = save(session, an_article("https://a.example/1", text_of(90)))
    (gone,) = save(session, an_article("https://a.example/2", text_of(91)))
    page_presence.record_gone(session, "https://a.example/2", queue.database_time(session), reason="404")
    frontier.add_urls(session, site.id, [entry("https://a.example/3", UrlKind.ARTICLE)])
    (claim,) = frontier.claim(session, site.id, run_id=1, limit=9)
    frontier.settle(session, revisit_policy.refused(claim, Refusal.LIST_PAGE, at=queue.database_time(session)))

    found = ledger(session)

    assert found.pages["https://a.example/1"] == (saved.page_id, False)
    assert found.pages["https://a.example/2"] == (gone.page_id, True)
    assert found.refused == {"https://a.example/3": "list-page"}
    assert (found.twice, found.without_fingerprint, found.set_aside) == (0, 0, 0)
    assert (found.waiting, found.versions) == (2, 2)


def test_pages_of_open_cases_are_still_to_be_captured_and_late_after_a_minute(session: Session) -> None:
    one, other = a_case(session, 1), a_case(session, 2)
    session.execute(update(Case).where(Case.id == other).values(opened_at=Case.opened_at - timedelta(seconds=90)))
    case = session.get_one(Case, one)
    at = case.opened_at + timedelta(seconds=20)
    recaptures.record(session, one, case.our_page_id, at=at, entry=1, refusal=None, sight=Sight.THERE)

    found = ledger(session)

    assert found.cases == 2
    assert (found.captured.uncaptured, found.captured.late) == (3, 1)
    assert found.captured.median_wait_s == 20
    assert 90 <= found.captured.longest_wait_s < 200
    assert store_load(session).pages == 4


def test_a_store_without_cases_waits_for_no_capture(session: Session) -> None:
    assert ledger(session).captured == Captured()
