"""What waits, what was fetched since the last visit, and the figures of the search."""

from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import Engine
from sqlalchemy.orm import Session

from storage.records.web_search import ArticleToAsk, NewFind, NewQuery, SearchFigures, SpentRecord
from storage.types import FindState, SiteRole
from storage.web_search import articles, finds, progress, queries
from storage.web_search.article_lock import held_article
from tests.support.factories import a_site, an_article, save, text_of

NOW = datetime.now(UTC)
OURS = "https://ours.example/1"


@pytest.fixture
def article(session: Session) -> ArticleToAsk:
    site = a_site(session, "ours", role=SiteRole.ORIGINAL)
    save(session, an_article(OURS, text_of(1), site_id=site.id))
    found = articles.article_at(session, OURS, now=NOW)
    assert found is not None
    return found


def found(session: Session, article: ArticleToAsk, number: int) -> list[int]:
    urls = [f"https://b.example/{one}" for one in range(number)]
    finds.save_finds(
        session,
        article.page_id,
        [NewFind(url, "b.example", "", "", ("one",), 1.0, FindState.WAITING) for url in urls],
    )
    return [one.id for one in finds.finds_of(session, article.page_id)]


def with_finds(session: Session, least: int, **more: int) -> list[str]:
    return progress.articles_with_finds(session, least=least, limit=9, **more)


def test_an_article_is_finished_until_a_handful_was_fetched(session: Session, article: ArticleToAsk) -> None:
    assert with_finds(session, 2) == []
    first, second, _ = found(session, article, 3)
    assert (with_finds(session, 2), with_finds(session, 2, site_id=article.site_id + 1)) == ([OURS], [])

    finds.settle(session, first, FindState.NO_COPY)
    assert (progress.fetched_since_visit(session, article.page_id), with_finds(session, 2)) == (1, [OURS])
    finds.settle(session, second, FindState.COPY)
    assert (progress.fetched_since_visit(session, article.page_id), with_finds(session, 2)) == (2, [])


def test_what_trouble_refused_waits_again_and_nothing_else(session: Session, article: ArticleToAsk) -> None:
    first, second, third = found(session, article, 3)
    finds.settle(session, first, FindState.REFUSED, reason="timeout")
    finds.settle(session, second, FindState.REFUSED, reason="robots")
    finds.settle(session, third, FindState.COPY)

    assert finds.wait_again(session, article.page_id, ["timeout"]) == 1
    assert [one.id for one in finds.waiting(session, article.page_id, limit=9)] == [first]


def test_an_address_on_a_host_is_that_of_a_copy_if_there_is_one(session: Session, article: ArticleToAsk) -> None:
    _, second = found(session, article, 2)
    assert finds.find_on(session, "b.example") == "https://b.example/0"
    finds.settle(session, second, FindState.COPY)

    assert finds.find_on(session, "b.example") == "https://b.example/1"
    assert finds.find_on(session, "nothing.example\x00") is None


def test_figures_count_queries_of_the_day_and_all_finds(session: Session, article: ArticleToAsk) -> None:
    queries.book(session, NewQuery("one", "a", article.site_id, article.page_id, 0.5))
    queries.book(session, NewQuery("other", "a", article.site_id, article.page_id))
    first, _ = found(session, article, 2)
    finds.settle(session, first, FindState.COPY)
    day, tomorrow = NOW - timedelta(hours=1), NOW + timedelta(days=1)

    assert progress.figures(session, day=day) == SearchFigures(queries_today=2, waiting=1, copies=1)
    assert progress.figures(session, day=tomorrow) == SearchFigures(0, 1, 1)
    assert queries.spent_by_service(session, day=tomorrow, month=day) == {
        "one": SpentRecord(0, 1, 0.5),
        "other": SpentRecord(0, 1, 0.0),
    }


def test_one_process_at_a_time_is_at_work_on_an_article(engine: Engine) -> None:
    with held_article(engine, 7) as first, held_article(engine, 7) as second, held_article(engine, 8) as other:
        assert (first, second, other) == (True, False, True)
    with held_article(engine, 7) as again:
        assert again
