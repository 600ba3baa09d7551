"""A match that rests on one passage of many of our articles is provisional, whichever page came first."""

import pytest
from sqlalchemy import Engine

from matcher.worker import backlog as worker
from storage.cases import detail, listing
from storage.engine import transaction
from storage.matches import hits
from storage.records.pages import NewArticle
from storage.types import Rights, SiteRole
from tests.support.factories import a_site, an_article, save, story, text_of

PARAGRAPH = story()[:250]


def around(number: int) -> str:
    text = text_of(number, chars=900)
    return f"{text[:450]}\n{PARAGRAPH}\n{text[450:]}"


def stored(engine: Engine, *, ours: int, theirs_first: bool) -> None:
    with transaction(engine) as session:
        own = a_site(session, "河畔", owner="河畔", role=SiteRole.ORIGINAL, host="ours.example", rights=Rights.OWN)
        other = a_site(session, "抄写网", owner="抄写公司", host="other.example")
        site_of = {"ours": own.id, "other": other.id}
        mine = [one_of("ours", number, site_of) for number in range(ours)]
        theirs = [one_of("other", 50, site_of)]
        # Of sites that are no longer young, nothing else would make it provisional.
        crowd = [an_article(f"https://{host}.example/{n}", text_of(n + 1_000 * len(host)), site_id=site_of[host])
                 for host in site_of for n in range(100, 152)]  # fmt: skip
        for found in (crowd, theirs, mine) if theirs_first else (crowd, mine, theirs):
            save(session, *found)
    assert worker.work_off(engine, should_stop=lambda: False).failed == 0


def one_of(host: str, number: int, site_of: dict[str, int]) -> NewArticle:
    hours = 9 if host == "other" else 0
    return an_article(f"https://{host}.example/{number}", around(number), site_id=site_of[host], hours=hours)


@pytest.mark.parametrize("theirs_first", [False, True])
def test_one_passage_of_five_articles_of_ours_is_provisional_and_says_why(engine: Engine, theirs_first: bool) -> None:
    stored(engine, ours=5, theirs_first=theirs_first)

    with transaction(engine) as session:
        found = hits.list_hits(session)
        cases = listing.list_cases(session)
        pages = [page for case in cases for page in detail.pages_of_case(session, case.id)]

    assert len(found) == len(cases) == 5
    assert all(hit.evidence.provisional and hit.evidence.in_our_articles == 5 for hit in found)
    assert all(page.provisional and page.in_our_articles == 5 for page in pages)


def test_a_passage_of_fewer_of_our_articles_is_not(engine: Engine) -> None:
    stored(engine, ours=4, theirs_first=False)

    with transaction(engine) as session:
        found = hits.list_hits(session)

    assert len(found) == 4
    assert not any(hit.evidence.provisional or hit.evidence.in_our_articles for hit in found)
