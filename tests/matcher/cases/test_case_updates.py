"""Cases through the worker: opened with the match, kept current, withdrawn when what they rest on is gone."""

from dataclasses import replace
from typing import Any

import pytest
from sqlalchemy import Engine

from matcher.cases.case_rule import CaseRule
from matcher.worker import backlog as worker
from matcher.worker import save_matches
from storage.accounts.accounts import add_account
from storage.cases import actions, detail, licences, listing
from storage.engine import transaction
from storage.matches import hits
from storage.pages import backlog_entry
from storage.records.cases import Actor, CasePageRecord, CaseRecord, LicenceTerms
from storage.records.pages import SavedPage
from storage.records.sites import SiteRecord
from storage.sites import sites
from storage.types import AccountRole, CaseQueue, CaseState, Credit, FoundBy, LicenceTerm, Rights, SiteRole, Standing
from tests.support.disguises import swap_homophones
from tests.support.factories import a_site, an_article, commit, story, text_of

WIRE = ("来源：新华社",)


@pytest.fixture
def paper(engine: Engine) -> SiteRecord:
    """A site of ours."""
    with transaction(engine) as session:
        return a_site(session, "县报", owner="县报社", role=SiteRole.ORIGINAL, rights=Rights.OWN)


@pytest.fixture
def copier(engine: Engine) -> SiteRecord:
    with transaction(engine) as session:
        return a_site(session, "抄写网", owner="抄写公司")


def work(engine: Engine, **options: Any) -> None:
    assert worker.work_off(engine, should_stop=lambda: False, **options).failed == 0


def judge_again(engine: Engine, *saved: SavedPage) -> None:
    with transaction(engine) as session:
        backlog_entry.enqueue(session, [item.version_id for item in saved])
    work(engine)


def our(engine: Engine, paper: SiteRecord, text: str, *, hours: float = 0, **fields: Any) -> SavedPage:
    return commit(engine, [an_article("https://县报.example/a", text, hours=hours, site_id=paper.id, **fields)])[0]


def a_copy(engine: Engine, name: str, seed: int, site: SiteRecord | None = None, **fields: Any) -> SavedPage:
    text = swap_homophones(story(), share=0.2, seed=seed)
    fields = {"hours": 5 + seed} | fields
    return commit(engine, [an_article(name, text, site_id=None if site is None else site.id, **fields)])[0]


def all_cases(engine: Engine) -> list[CaseRecord]:
    with transaction(engine) as session:
        return listing.list_cases(session)[::-1]


def pages_of(engine: Engine, case: CaseRecord) -> list[CasePageRecord]:
    with transaction(engine) as session:
        return detail.pages_of_case(session, case.id)


@pytest.mark.parametrize("ours_first", [True, False], ids=["ours stored first", "copy stored first"])
def test_a_copy_of_ours_is_a_case_whichever_is_compared_first(
    engine: Engine, paper: SiteRecord, ours_first: bool
) -> None:
    for is_ours in (ours_first, not ours_first):
        our(engine, paper, story()) if is_ours else a_copy(engine, "copy", 1)
        work(engine)

    (case,) = all_cases(engine)
    assert (case.our_url, case.other_name, case.state, case.queue) == (
        "https://县报.example/a",
        "copy.example",
        CaseState.NEW,
        CaseQueue.COPIED,
    )
    (page,) = pages_of(engine, case)
    assert page.chars > 700
    assert min(page.our_share, page.their_share) > 0.9
    assert (page.standing, page.credit) == (Standing.UNLICENSED, Credit.NONE)


def test_judging_again_changes_nothing(engine: Engine, paper: SiteRecord) -> None:
    saved = our(engine, paper, story()), a_copy(engine, "copy", 1)
    work(engine)
    before = all_cases(engine), pages_of(engine, all_cases(engine)[0])

    judge_again(engine, *saved)

    assert (all_cases(engine), pages_of(engine, all_cases(engine)[0])) == before


def test_one_original_and_one_copying_owner_make_one_case(
    engine: Engine, paper: SiteRecord, copier: SiteRecord
) -> None:
    our(engine, paper, story())
    for number in range(2):
        a_copy(engine, f"https://抄写网.example/{number}", number, copier)
    a_copy(engine, "other", 2)
    work(engine)

    assert {(case.other_name, case.pages) for case in all_cases(engine)} == {("抄写公司", 2), ("other.example", 1)}


def test_every_owner_who_copied_to_the_letter_has_a_case_of_his_own(engine: Engine, paper: SiteRecord) -> None:
    """One text on many pages is one match: the cases are by owner all the same."""
    hosts = [f"host{number}" for number in range(save_matches.PAGES_SHOWN + 3)]
    commit(engine, [an_article(host, story(), hours=9) for host in hosts])
    work(engine)
    our(engine, paper, story())
    work(engine)
    commit(engine, [an_article("late", story(), hours=99)])
    work(engine)

    found = all_cases(engine)
    assert {case.other_name for case in found} == {f"{host}.example" for host in (*hosts, "late")}
    with transaction(engine) as session:
        urls = {hit.copy.url for hit in hits.list_hits(session) if hit.source.url == "https://县报.example/a"}
    assert urls == {f"https://{host}.example/a" for host in (*hosts, "late")}


def test_between_watched_sites_there_is_no_case(engine: Engine, copier: SiteRecord) -> None:
    commit(engine, [an_article("one", story())])
    a_copy(engine, "https://抄写网.example/1", 1, copier)
    work(engine)

    with transaction(engine) as session:
        assert hits.count_hits(session) == 1
    assert all_cases(engine) == []


def test_where_the_other_was_first_the_case_is_in_a_list_of_its_own(engine: Engine, paper: SiteRecord) -> None:
    our(engine, paper, story(), hours=99, credit_links=("https://first.example/a",))
    commit(engine, [an_article("first", story())])
    work(engine)

    (case,) = all_cases(engine)
    assert case.queue is CaseQueue.WE_MAY_BE_COPIER


def test_a_short_passage_makes_a_match_and_no_case(engine: Engine, paper: SiteRecord) -> None:
    our(engine, paper, story())
    commit(engine, [an_article("quoting", f"{text_of(1, chars=900)}{story()[200:300]}", hours=5)])
    work(engine)

    with transaction(engine) as session:
        assert hits.count_hits(session) == 1
    assert all_cases(engine) == []


def test_the_bounds_are_handed_in(engine: Engine, paper: SiteRecord) -> None:
    our(engine, paper, story())
    commit(engine, [an_article("quoting", f"{text_of(1, chars=900)}{story()[200:300]}", hours=5)])

    work(engine, rule=CaseRule(min_chars=80))

    assert len(all_cases(engine)) == 1


def test_a_wire_story_is_no_case_though_ours_and_the_copy_left_its_credit_out(
    engine: Engine, paper: SiteRecord
) -> None:
    commit(engine, [an_article("wire", story(), hours=-9, credit_lines=WIRE, rights=Rights.AGENCY)])
    our(engine, paper, story())
    a_copy(engine, "copy", 1)
    work(engine)

    with transaction(engine) as session:
        assert hits.count_hits(session) == 3
    assert all_cases(engine) == []


def test_a_story_that_another_owner_credits_to_an_agency_waits_in_a_list_of_its_own(
    engine: Engine, paper: SiteRecord
) -> None:
    our(engine, paper, story())
    a_copy(engine, "copy", 1)
    work(engine)
    assert [case.queue for case in all_cases(engine)] == [CaseQueue.COPIED]

    wire = an_article("wire", story(), credit_lines=WIRE, rights=Rights.AGENCY, found_by=FoundBy.IMPORT)
    commit(engine, [wire])
    work(engine)

    queues = {case.other_name: case.queue for case in all_cases(engine)}
    assert queues["copy.example"] is CaseQueue.AGENCY
    assert queues["wire.example"] is CaseQueue.COPIED, "its own statement alone is not believed"


def test_an_agencys_page_that_comes_late_withdraws_the_case(engine: Engine, paper: SiteRecord) -> None:
    our(engine, paper, story())
    a_copy(engine, "copy", 1)
    work(engine)
    assert [case.state for case in all_cases(engine)] == [CaseState.NEW]

    commit(engine, [an_article("wire", story(), hours=-9, credit_lines=WIRE, rights=Rights.AGENCY)])
    work(engine)

    (case,) = all_cases(engine)
    assert case.state is CaseState.WITHDRAWN
    with transaction(engine) as session:
        left = [event for event in actions.history(session, case.id) if event.details]
    assert left[-1].details["why"] == "wire-story"


def test_a_copier_who_adds_an_agencys_name_later_stays_in_his_case(engine: Engine, paper: SiteRecord) -> None:
    our(engine, paper, story())
    a_copy(engine, "copy", 1, credit_lines=WIRE, rights=Rights.AGENCY)
    work(engine)

    assert [case.state for case in all_cases(engine)] == [CaseState.NEW]


def test_a_match_that_vanished_withdraws_an_untouched_case_and_no_other(engine: Engine, paper: SiteRecord) -> None:
    saved = our(engine, paper, story())
    copies = [a_copy(engine, f"copy{number}", number) for number in range(2)]
    work(engine)
    with transaction(engine) as session:
        account = add_account(session, name="lin", password_hash="x", role=AccountRole.REVIEWER)
        decided = all_cases(engine)[0]
        lin = Actor(account.id, account.name)
        actions.move_case(session, decided.id, CaseState.CONFIRMED, expected=CaseState.NEW, actor=lin)

    with transaction(engine) as session:  # the site is found to be no original at all
        before = sites.get_site(session, "县报").settings
        sites.edit_site(session, "县报", replace(before, role=SiteRole.WATCHED))
    judge_again(engine, saved, *copies)

    assert {case.id: case.state for case in all_cases(engine)} == {
        decided.id: CaseState.CONFIRMED,
        all_cases(engine)[1].id: CaseState.WITHDRAWN,
    }


def test_a_licence_settles_the_case_and_its_end_brings_it_back(
    engine: Engine, paper: SiteRecord, copier: SiteRecord
) -> None:
    our(engine, paper, story())
    a_copy(engine, "https://抄写网.example/1", 1, copier)
    work(engine)
    with transaction(engine) as session:
        granted = licences.add_licence(session, LicenceTerms(owner="县报社", copier="抄写公司"))
        assert licences.requeue_licensed(session, granted) == 1
    work(engine)
    assert [case.state for case in all_cases(engine)] == [CaseState.LICENSED]

    with transaction(engine) as session:
        licences.requeue_licensed(session, licences.remove_licence(session, granted.id))
    work(engine)
    assert [case.state for case in all_cases(engine)] == [CaseState.NEW]


def test_a_licensed_repost_never_opens_a_case_and_a_breach_names_its_terms(
    engine: Engine, paper: SiteRecord, copier: SiteRecord
) -> None:
    with transaction(engine) as session:
        licences.add_licence(session, LicenceTerms(owner="县报社", copier="抄写公司", requires=Credit.NAMED))
    our(engine, paper, story())
    good = "https://抄写网.example/good"
    a_copy(engine, good, 1, copier, credit_lines=("来源：县报",))
    work(engine)
    assert all_cases(engine) == []

    a_copy(engine, "https://抄写网.example/bad", 2, copier)
    work(engine)

    (case,) = all_cases(engine)
    (page,) = pages_of(engine, case)
    assert (page.their_url.rpartition("/")[2], page.standing, page.broken_terms) == (
        "bad",
        Standing.BREACH,
        (LicenceTerm.NO_CREDIT,),
    )


def test_one_text_on_two_pages_of_ours_is_one_original(engine: Engine, paper: SiteRecord) -> None:
    our(engine, paper, story())
    commit(engine, [an_article("https://县报.example/again", story(), hours=1, site_id=paper.id)])
    a_copy(engine, "copy", 1)
    work(engine)

    assert [case.our_url for case in all_cases(engine)] == ["https://县报.example/a"]
