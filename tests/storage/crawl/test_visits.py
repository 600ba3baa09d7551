"""Results of visits that are stored together."""

from datetime import UTC, datetime, timedelta
from typing import Any

from sqlalchemy import text
from sqlalchemy.orm import Session

from storage.crawl import frontier
from storage.crawl.visits import settle_all
from storage.records.crawl import FoundUrl, History, Tier, UrlKind, UrlState, Visit
from tests.support.factories import a_site

AT = datetime(2026, 5, 4, 8, 0, tzinfo=UTC)

VISITS: list[dict[str, Any]] = [
    {"kind": UrlKind.ARTICLE, "state": UrlState.SEEN, "tier": Tier.REVISIT, "etag": "\"a, 'b' {c}\"", "attempts": 2},
    {"kind": UrlKind.LIST, "state": UrlState.SEEN, "tier": Tier.LIST, "history": History(3, 1, 86_400.5)},
    {"kind": UrlKind.ARTICLE, "state": UrlState.REFUSED, "tier": Tier.REVISIT, "refusal": "too-short"},
    {
        "kind": UrlKind.FEED,
        "state": UrlState.GONE,
        "tier": Tier.ENTRY,
        "last_modified": "Mon, 04 May 2026 08:00:00 GMT",
    },
]


def visits_of(session: Session, site_name: str) -> list[Visit]:
    """One visit of each kind, of claimed addresses of a site of its own."""
    site = a_site(session, site_name)
    frontier.add_urls(session, site.id, [FoundUrl(f"https://a.example/{n}", n) for n in range(len(VISITS))])
    claims = sorted(frontier.claim(session, site.id, run_id=1, limit=9), key=lambda claim: claim.url)
    return [
        Visit(claim.id, f"{claim.url}?新", at=AT, due_at=AT + timedelta(days=number), **fields)
        for number, (claim, fields) in enumerate(zip(claims, VISITS, strict=True))
    ]


def rows(session: Session, visits: list[Visit]) -> list[tuple[Any, ...]]:
    asked = text("SELECT * FROM frontier_url WHERE id = ANY(:ids) ORDER BY identity")
    found = session.execute(asked, {"ids": [visit.id for visit in visits]}).mappings()
    return [tuple(value for name, value in row.items() if name not in ("id", "site_id")) for row in found]


def test_visits_settled_together_are_as_if_each_had_been_settled_by_itself(session: Session) -> None:
    alone, together = visits_of(session, "alone"), visits_of(session, "together")

    for visit in alone:
        frontier.settle(session, visit)
    settle_all(session, together)

    assert rows(session, together) == rows(session, alone)


def test_nothing_to_settle_is_nothing_to_do(session: Session) -> None:
    (visit, *_) = visits_of(session, "a")
    before = rows(session, [visit])

    settle_all(session, [])

    assert rows(session, [visit]) == before
