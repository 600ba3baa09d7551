"""Two pages that have it from a third: the hit says so, the case is closed, and copying beyond the third is accused."""

from typing import Any

import pytest
from sqlalchemy import Engine, delete

from matcher.worker import backlog as worker
from storage.accounts.accounts import add_account
from storage.cases import actions, handout, listing
from storage.engine import transaction
from storage.matches import hits
from storage.models.alerts import AlertEvent
from storage.models.pages import Page
from storage.pages import backlog_entry
from storage.records.cases import Actor, CaseRecord
from storage.records.matches import HitRecord
from storage.records.pages import Declared, SavedPage
from storage.records.sites import SiteRecord
from storage.types import AccountRole, CaseState, DateOrigin, Precision, Relation, Rights, SiteRole
from tests.support.disguises import swap_homophones
from tests.support.factories import SEEN, a_site, an_article, commit, story

OURS, THEIRS, AGENCY = "https://县报.example/a", "https://copy.example/a", "https://press.example/a"
EARLIER = Declared(SEEN.replace(day=1), Precision.MINUTE, DateOrigin.META)


@pytest.fixture
def paper(engine: Engine) -> SiteRecord:
    """A site of ours."""
    with transaction(engine) as session:
        return a_site(session, "县报", owner="县报社", role=SiteRole.ORIGINAL, rights=Rights.OWN)


def work(engine: Engine) -> None:
    assert worker.work_off(engine, should_stop=lambda: False).failed == 0


def ours(engine: Engine, paper: SiteRecord, text: str) -> SavedPage:
    dated = Declared(SEEN, Precision.MINUTE, DateOrigin.META)
    return commit(engine, [an_article(OURS, text, site_id=paper.id, declared=dated)])[0]


def theirs(engine: Engine, text: str, **fields: Any) -> SavedPage:
    return commit(engine, [an_article(THEIRS, text, hours=5, **fields)])[0]


def release(engine: Engine, text: str, **fields: Any) -> SavedPage:
    """The page from which both may have it."""
    known: dict[str, Any] = {"hours": -9, "declared": EARLIER}
    return commit(engine, [an_article(AGENCY, text, **(known | fields))])[0]


def hit_of(engine: Engine, *urls: str) -> HitRecord:
    with transaction(engine) as session:
        (found,) = (hit for hit in hits.list_hits(session) if {hit.copy.url, hit.source.url} == set(urls))
    return found


def the_case(engine: Engine) -> CaseRecord:
    with transaction(engine) as session:
        (found,) = (case for case in listing.list_cases(session) if case.other_name == "copy.example")
    return found


def test_what_both_have_from_a_release_is_no_copying_and_the_case_is_closed(engine: Engine, paper: SiteRecord) -> None:
    release(engine, story())
    ours(engine, paper, story())
    theirs(engine, swap_homophones(story(), share=0.1, seed=1))
    work(engine)

    found = hit_of(engine, OURS, THEIRS)
    assert (found.relation, found.third_url) == (Relation.BOTH_FROM_THIRD, AGENCY)
    assert any("both may have it from https://press.example/a" in reason for reason in found.reasons)
    assert hit_of(engine, OURS, AGENCY).relation is Relation.COPY
    case = the_case(engine)
    assert (case.state, case.pages) == (CaseState.WITHDRAWN, 1)
    assert case.chars > 700
    with transaction(engine) as session:
        (opened,) = actions.history(session, case.id)
        assert opened.details["why"] == "both-from-third"
        assert session.query(AlertEvent).filter_by(case_id=case.id).count() == 0


def test_who_copied_our_version_of_a_release_is_accused(engine: Engine, paper: SiteRecord) -> None:
    edited = swap_homophones(story(), share=0.1, seed=1)
    release(engine, story())
    ours(engine, paper, edited)
    theirs(engine, swap_homophones(edited, share=0.1, seed=2))
    work(engine)

    found = hit_of(engine, OURS, THEIRS)
    assert (found.relation, found.third_url) == (Relation.COPY, None)
    assert any("both also depart from https://press.example/a" in reason for reason in found.reasons)
    assert the_case(engine).state is CaseState.NEW


def test_a_passage_that_the_release_lacks_is_copied_from_us(engine: Engine, paper: SiteRecord) -> None:
    release(engine, story()[:500])
    ours(engine, paper, story())
    theirs(engine, story())
    work(engine)

    assert hit_of(engine, OURS, THEIRS).relation is Relation.COPY
    assert the_case(engine).state is CaseState.NEW


@pytest.mark.parametrize(
    "fields",
    [{"hours": 9, "declared": Declared()}, {"declared": Declared(), "hours": 0.1}],
    ids=["seen later", "nobody knows"],
)
def test_a_third_page_that_was_not_first_explains_nothing(
    engine: Engine, paper: SiteRecord, fields: dict[str, Any]
) -> None:
    release(engine, story(), **fields)
    ours(engine, paper, story())
    theirs(engine, story())
    work(engine)

    assert hit_of(engine, OURS, THEIRS).relation is Relation.COPY
    assert the_case(engine).state is CaseState.NEW


def test_another_page_of_ours_explains_nothing(engine: Engine, paper: SiteRecord) -> None:
    commit(engine, [an_article("https://县报.example/draft", story(), hours=-9, declared=EARLIER, site_id=paper.id)])
    ours(engine, paper, story())
    theirs(engine, story())
    work(engine)

    with transaction(engine) as session:
        assert {hit.relation for hit in hits.list_hits(session)} == {Relation.COPY}


def test_a_release_that_is_stored_late_closes_the_case(engine: Engine, paper: SiteRecord) -> None:
    ours(engine, paper, story())
    theirs(engine, story())
    work(engine)
    assert the_case(engine).state is CaseState.NEW

    release(engine, story())
    work(engine)

    found = hit_of(engine, OURS, THEIRS)
    assert (found.relation, found.third_url) == (Relation.BOTH_FROM_THIRD, AGENCY)
    case = the_case(engine)
    assert case.state is CaseState.WITHDRAWN
    with transaction(engine) as session:
        moved = actions.history(session, case.id)[-1]
    assert (moved.actor, moved.from_state, moved.to_state) == ("", CaseState.NEW, CaseState.WITHDRAWN)
    assert moved.details["why"] == "both-from-third"


def test_a_version_that_goes_beyond_the_release_opens_the_case(engine: Engine, paper: SiteRecord) -> None:
    release(engine, story())
    ours(engine, paper, story())
    theirs(engine, story())
    work(engine)
    assert the_case(engine).state is CaseState.WITHDRAWN

    edited = swap_homophones(story(), share=0.1, seed=1)
    ours(engine, paper, edited)
    theirs(engine, edited)
    work(engine)

    case = the_case(engine)
    assert case.state is CaseState.NEW
    with transaction(engine) as session:
        assert session.query(AlertEvent).filter_by(case_id=case.id).count() == 1


def test_a_person_reopens_such_a_case_and_it_stays_open_and_names_the_page_only_when_confirmed(
    engine: Engine, paper: SiteRecord
) -> None:
    release(engine, story())
    saved = ours(engine, paper, story())
    theirs(engine, story())
    work(engine)
    case = the_case(engine)
    with transaction(engine) as session:
        account = add_account(session, name="lin", password_hash="x", role=AccountRole.REVIEWER)
        lin = Actor(account.id, account.name)
        actions.move_case(session, case.id, CaseState.REVIEWING, expected=CaseState.WITHDRAWN, actor=lin)
        backlog_entry.enqueue(session, [saved.version_id])
    work(engine)

    assert the_case(engine).state is CaseState.REVIEWING
    assert [line.from_third for line in lines(engine, case.id)] == [True]
    with transaction(engine) as session:
        actions.move_case(session, case.id, CaseState.CONFIRMED, expected=CaseState.REVIEWING, actor=lin)
    assert [line.from_third for line in lines(engine, case.id)] == [False]


def lines(engine: Engine, case_id: int) -> list[handout.CopyLine]:
    with transaction(engine) as session:
        return handout.lines_of_cases(session, [case_id], limit=9)[case_id]


def test_judging_again_changes_nothing(engine: Engine, paper: SiteRecord) -> None:
    saved = [release(engine, story()), ours(engine, paper, story()), theirs(engine, story())]
    work(engine)
    before = hit_of(engine, OURS, THEIRS), the_case(engine)

    for one in saved:
        with transaction(engine) as session:
            backlog_entry.enqueue(session, [one.version_id])
        work(engine)

    assert (hit_of(engine, OURS, THEIRS), the_case(engine)) == before


def test_between_watched_sites_the_third_page_is_named_too_until_it_is_deleted(engine: Engine) -> None:
    third = release(engine, story())
    theirs(engine, story())
    commit(engine, [an_article("other", story(), hours=5)])
    work(engine)
    assert hit_of(engine, "https://other.example/a", THEIRS).third_url == AGENCY

    with transaction(engine) as session:
        session.execute(delete(Page).where(Page.id == third.page_id))

    found = hit_of(engine, "https://other.example/a", THEIRS)
    assert (found.relation, found.third_url) == (Relation.BOTH_FROM_THIRD, None)
