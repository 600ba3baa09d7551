"""Pages that a search service returned: what they must share beyond a passage to be a copy of ours."""

from datetime import UTC, datetime
from typing import Any

import pytest
from sqlalchemy import Engine, select

from matcher.cases.shared_passage import shares_a_passage_only
from matcher.worker import backlog as worker
from storage.alerts import routing
from storage.cases import detail, listing
from storage.cases.open_by_site import open_cases_by_site
from storage.engine import transaction
from storage.matches import hits
from storage.models.alerts import AlertEvent
from storage.pages import backlog_entry
from storage.records.cases import CaseRecord
from storage.records.matches import HitFilter, Passage
from storage.records.pages import SavedPage
from storage.records.sites import SiteRecord
from storage.types import CaseQueue, FoundBy, Rights, SiteRole
from tests.support.factories import a_site, an_article, commit, facts, story, text_of

QUOTED = 260
"""Characters of ours that a page shares and that may be from elsewhere."""
OURS, SHORT = story(), text_of(5, chars=2_000)
CODE = "".join(
    f"public static void setNode{n}(Node node, int value) {{ node.next[{n}] = new Node(value); }}\n" for n in range(40)
)


def is_passage_only(ours: str, theirs: str, shared: int, *, at: int = 0, their_at: int = 0, **fields: Any) -> bool:
    """Of two texts that share `shared` characters from these places on."""
    passages = [Passage(at, at + shared, their_at, their_at + shared, 1.0)]
    page = facts("theirs", text=theirs, **({"found_by": FoundBy.SEARCH} | fields))
    return shares_a_passage_only(facts("ours", text=ours, role=SiteRole.ORIGINAL), page, passages)


@pytest.mark.parametrize(
    ("ours", "theirs", "shared", "expected"),
    [
        (4_000, 4_000, 900, True),
        (4_000, 4_000, 1_300, False),
        (4_000, 4_000, 1_700, False),
        (4_000, 700, 300, False),
        (700, 4_000, 300, False),
        (700, 700, 260, True),
        (4_000, 300, 140, True),
        (20_000, 20_000, 900, True),
        (20_000, 20_000, 1_000, False),
    ],
    ids=[
        "a passage",
        "much",
        "much of both",
        "of theirs",
        "of ours",
        "less of both",
        "a few words",
        "long",
        "long, much",
    ],
)
def test_a_page_that_a_search_returned_shares_two_fifths_or_a_thousand_characters(
    ours: int, theirs: int, shared: int, expected: bool
) -> None:
    assert is_passage_only(text_of(1, chars=ours), text_of(2, chars=theirs), shared) is expected


def test_program_code_is_no_part_of_two_fifths_or_a_thousand() -> None:
    ours, theirs = text_of(1, chars=2_000) + "\n" + CODE, text_of(2, chars=2_000) + "\n" + CODE
    where = {"at": 2_001, "their_at": 2_001}

    assert len(CODE) > 2_000
    assert is_passage_only(ours, theirs, len(CODE), **where)
    assert not is_passage_only(ours, theirs, len(CODE), **where, found_by=FoundBy.SPIDER)
    assert not is_passage_only(CODE, CODE, len(CODE)), "nothing but code"


@pytest.mark.parametrize("fields", [{"found_by": FoundBy.SPIDER}, {"found_by": FoundBy.HAND}, {"role": "watched"}])
def test_pages_of_watched_sites_and_others_are_judged_as_ever(fields: dict[str, Any]) -> None:
    assert not is_passage_only(text_of(1, chars=4_000), text_of(2, chars=4_000), 300, **fields)


@pytest.fixture
def paper(engine: Engine) -> SiteRecord:
    with transaction(engine) as session:
        return a_site(session, "县报", owner="县报社", role=SiteRole.ORIGINAL, rights=Rights.OWN)


def stored(engine: Engine, address: str, text: str, **fields: Any) -> SavedPage:
    return commit(engine, [an_article(address, text, **fields)])[0]


def our(engine: Engine, paper: SiteRecord) -> SavedPage:
    return stored(engine, "https://县报.example/a", OURS, site_id=paper.id)


def found(engine: Engine, address: str, text: str, **fields: Any) -> SavedPage:
    return stored(engine, address, text, hours=9, **({"found_by": FoundBy.SEARCH} | fields))


def quoting(number: int) -> str:
    """A text of its own that has a passage of ours."""
    own = text_of(number, chars=1_600)
    return f"{own[:800]}{OURS[300 : 300 + QUOTED]}{own[800:]}"


def work(engine: Engine) -> None:
    assert worker.work_off(engine, should_stop=lambda: False).failed == 0


def judge_again(engine: Engine, *saved: SavedPage) -> None:
    with transaction(engine) as session:
        backlog_entry.enqueue(session, [item.version_id for item in saved])
    work(engine)


def all_cases(engine: Engine) -> list[CaseRecord]:
    with transaction(engine) as session:
        return listing.list_cases(session)[::-1]


@pytest.mark.parametrize("ours_first", [True, False])
def test_a_passage_on_a_page_that_a_search_returned_goes_to_a_list_of_its_own(
    engine: Engine, paper: SiteRecord, ours_first: bool
) -> None:
    for is_ours in (ours_first, not ours_first):
        our(engine, paper) if is_ours else found(engine, "quoting", quoting(1))
        work(engine)
    stored(engine, "watched", quoting(2), hours=9)
    work(engine)

    queues = {case.other_name: case.queue for case in all_cases(engine)}
    assert queues == {"quoting.example": CaseQueue.SHARED_PASSAGE, "watched.example": CaseQueue.COPIED}
    with transaction(engine) as session:
        listed = hits.list_hits(session, HitFilter(text="县报.example"))
        in_cases = hits.list_hits(session, HitFilter(open_case=True))
        assert open_cases_by_site(session)[paper.id] == 1
    assert {"quoting.example", "watched.example"} <= {hit.copy.host for hit in listed}, "it is found all the same"
    assert {hit.copy.host for hit in in_cases} == {"watched.example"}


def test_another_page_with_a_passage_takes_no_copy_out_of_its_list(engine: Engine, paper: SiteRecord) -> None:
    our(engine, paper)
    copy = found(engine, "https://copier.example/copy", OURS)
    work(engine)
    passage = found(engine, "https://copier.example/quoting", quoting(1))
    work(engine)

    (case,) = all_cases(engine)
    assert case.queue is CaseQueue.COPIED
    judge_again(engine, passage, copy)
    judge_again(engine, copy, passage)
    (case,) = all_cases(engine)
    assert case.queue is CaseQueue.COPIED
    with transaction(engine) as session:
        assert len(detail.pages_of_case(session, case.id)) == 2


def events(engine: Engine) -> list[str]:
    with transaction(engine) as session:
        return [key.partition(":")[0] for key in session.scalars(select(AlertEvent.key))]


@pytest.mark.parametrize("order", [("a", "b"), ("b", "a")])
def test_a_copy_beside_a_passage_is_a_case_and_alerted_once(
    engine: Engine, paper: SiteRecord, order: tuple[str, str]
) -> None:
    found(engine, f"https://copier.example/{order[0]}", quoting(1))
    found(engine, f"https://copier.example/{order[1]}", OURS)
    our(engine, paper)
    work(engine)

    (case,) = all_cases(engine)
    assert case.queue is CaseQueue.COPIED
    assert events(engine) == ["case-opened"]


def test_a_page_that_becomes_a_copy_leaves_the_list_and_is_alerted_then(engine: Engine, paper: SiteRecord) -> None:
    our(engine, paper)
    found(engine, "https://copier.example/a", quoting(1))
    work(engine)
    assert [case.queue for case in all_cases(engine)] == [CaseQueue.SHARED_PASSAGE]
    with transaction(engine) as session:
        routing.route(session, (), {}, now=datetime.now(UTC), time_zone="UTC")

    found(engine, "https://copier.example/a", OURS)
    work(engine)

    (case,) = all_cases(engine)
    assert case.queue is CaseQueue.COPIED
    assert events(engine) == ["case-opened", "case-opened"]


def test_a_page_whose_host_is_watched_since_is_judged_as_any_the_next_time(engine: Engine, paper: SiteRecord) -> None:
    our(engine, paper)
    found(engine, "https://copier.example/a", quoting(1))
    work(engine)
    with transaction(engine) as session:
        site = a_site(session, "copier", host="copier.example")

    judge_again(engine, stored(engine, "https://copier.example/a", quoting(1), hours=30, site_id=site.id))

    assert [case.queue for case in all_cases(engine)] == [CaseQueue.COPIED]
