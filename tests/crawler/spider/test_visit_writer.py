"""Articles and outcomes of visits, written together, leave the store as if each had been written by itself."""

import asyncio
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from typing import Any

import pytest
from sqlalchemy import Engine, text

from crawler.spider import frontier_client, revisit_policy
from crawler.spider.crawl_store import CrawlStore, Kept, VisitedArticle, save_all
from crawler.spider.visit_writer import VisitWriter
from crawler.urls.canonical import identity_of
from fingerprint.compute import fingerprint_text
from storage.crawl import frontier
from storage.engine import transaction
from storage.errors import StoreFailed
from storage.records.crawl import Claim, FoundUrl, UrlKind
from tests.support.evidence.evidence import a_response
from tests.support.factories import a_site, an_article, text_of

PAGES = 6


@pytest.fixture
def store(clean_database_url: str) -> Iterator[CrawlStore]:
    store = CrawlStore(clean_database_url)
    yield store
    store.close()


def found(number: int, **fields: Any) -> FoundUrl:
    url = f"https://copier.example/{number}"
    return FoundUrl(url, identity_of(url), **fields)


def claims_of(engine: Engine) -> tuple[int, list[Claim]]:
    """A site of some pages, all claimed."""
    with transaction(engine) as session:
        site = a_site(session, "copier")
        frontier.add_urls(session, site.id, [found(number) for number in range(PAGES)])
        claims = frontier.claim(session, site.id, run_id=1, limit=PAGES)
        return site.id, sorted(claims, key=lambda claim: claim.url)


def visited(site_id: int, claim: Claim, body: str, *links: FoundUrl, **fields: Any) -> VisitedArticle:
    article = an_article(claim.url, body, site_id=site_id, etag=f'"{claim.id}"')
    response = a_response(1, url=claim.url)
    return VisitedArticle(article, fingerprint_text(body), ((claim.url, response),), claim, links, **fields)


def some_articles(site_id: int, claims: Sequence[Claim]) -> list[VisitedArticle]:
    """Two with one text, two with one address, links that both have, one in two parts, one known to be whole."""
    return [
        visited(site_id, claims[0], text_of(0), found(10, link_depth=2), found(11, link_depth=1)),
        visited(site_id, claims[1], text_of(1), found(10, link_depth=1), found(12, link_depth=1)),
        visited(site_id, claims[2], text_of(0), later_parts=(found(20, kind=UrlKind.ARTICLE),)),
        visited(site_id, claims[1], text_of(3), found(13, kind=UrlKind.FEED)),
        visited(site_id, claims[4], text_of(4), whole=f"{text_of(4)}\n{text_of(5)}"),
    ]


_STORED = """
    SELECT page.url, page.etag, sha256, is_current, site_id, backlog.page_version_id IS NOT NULL
    FROM page JOIN page_version ON page_id = page.id JOIN text ON text.id = text_id
    LEFT JOIN backlog ON page_version_id = page_version.id ORDER BY page.url, sha256
"""
_FRONTIER = """
    SELECT url, kind, state, tier, link_depth, due_at > now(), leased_until IS NOT NULL, attempts, refusal, etag,
           visits, changes, visited_at
    FROM frontier_url ORDER BY identity
"""


def rows(engine: Engine) -> list[list[tuple[Any, ...]]]:
    with engine.connect() as connection:
        return [[tuple(row) for row in connection.execute(text(asked))] for asked in (_STORED, _FRONTIER)]


def news(kept: Sequence[Kept]) -> list[str]:
    return [one.news for one in kept]


def test_articles_saved_together_are_as_if_each_had_been_saved_by_itself(engine: Engine) -> None:
    written = []
    for together in (False, True):
        with engine.connect() as connection, connection.begin():
            connection.execute(text("TRUNCATE site, page, text CASCADE"))
        site_id, claims = claims_of(engine)
        items = some_articles(site_id, claims)
        groups = [items] if together else [[item] for item in items]
        kept = []
        for group in groups:
            with transaction(engine) as session:
                kept += save_all(session, group)
        stored, at_frontier = rows(engine)
        written.append(
            (news(kept), [row[:1] + row[2:4] + row[5:] for row in stored], [_unnumbered(row) for row in at_frontier])
        )

    assert written[0] == written[1]
    assert written[0][0] == ["new", "new", "new", "changed", "new"]


def _unnumbered(row: tuple[Any, ...]) -> tuple[Any, ...]:
    """A row of the frontier without its ETag, which holds the number of the claim."""
    return (*row[:9], row[9] is None, *row[10:])


def test_articles_and_outcomes_of_other_visits_are_one_transaction(store: CrawlStore) -> None:
    site_id, claims = claims_of(store.engine)
    items = [visited(site_id, claim, text_of(number)) for number, claim in enumerate(claims[:3])]
    at = datetime.now(UTC)
    seen: list[int] = []

    async def write() -> list[Any]:
        writer = VisitWriter(store)
        settled = frontier_client.settle
        visit = revisit_policy.leads_elsewhere(claims[3], at=at)
        return await asyncio.gather(
            *map(writer.save, items),
            writer.do(lambda session: settled(session, site_id, visit)),
            writer.do(lambda session: seen.append(session.scalar(text("SELECT count(DISTINCT xmin::text) FROM page")))),
        )

    kept = asyncio.run(write())[:3]

    assert news(kept) == ["new"] * 3
    assert seen == [1]
    states = {row[0]: row[2] for row in rows(store.engine)[1]}
    assert [states[claim.url] for claim in claims[:5]] == ["seen", "seen", "seen", "alias", "new"]


REFUSE = """
    CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      IF NEW.url LIKE '%/1' THEN RAISE SQLSTATE '22000' USING MESSAGE = 'not this one'; END IF;
      RETURN NEW;
    END $$;
    CREATE TRIGGER refuse BEFORE INSERT ON page FOR EACH ROW EXECUTE FUNCTION refuse()
"""


def test_an_article_that_the_database_refuses_takes_no_other_along(store: CrawlStore) -> None:
    site_id, claims = claims_of(store.engine)
    with store.engine.begin() as connection:
        connection.execute(text(REFUSE))
    items = [visited(site_id, claim, text_of(number)) for number, claim in enumerate(claims[:3])]

    async def write() -> list[Any]:
        return await asyncio.gather(*map(VisitWriter(store).save, items), return_exceptions=True)

    outcomes = asyncio.run(write())

    with store.engine.begin() as connection:
        connection.execute(text("DROP FUNCTION refuse CASCADE"))
    refused = [
        item.article.url for item, outcome in zip(items, outcomes, strict=True) if isinstance(outcome, StoreFailed)
    ]
    assert refused == ["https://copier.example/1"]
    stored, at_frontier = rows(store.engine)
    assert {row[0] for row in stored} == {item.article.url for item in items} - set(refused)
    leased = {row[0] for row in at_frontier if row[6]}
    assert leased == {*refused, *(claim.url for claim in claims[3:])}
