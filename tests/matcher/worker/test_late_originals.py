"""A site whose role or owner changes later: what that makes of the copies that are stored already."""

from dataclasses import replace

import pytest
from sqlalchemy import Engine

from storage.engine import transaction
from storage.matches import backlog
from storage.records.sites import SiteRecord
from storage.sites import sites
from storage.types import CaseState, Rights, SiteRole
from tests.matcher.cases.test_case_updates import a_copy, all_cases, our, work
from tests.support.factories import a_site, story


@pytest.fixture
def copier(engine: Engine) -> SiteRecord:
    with transaction(engine) as session:
        return a_site(session, "抄写网", owner="抄写公司")


def compare_with_role(engine: Engine, role: SiteRole) -> list[CaseState]:
    with transaction(engine) as session:
        sites.edit_site(session, "县报", replace(sites.get_site(session, "县报").settings, role=role))
    work(engine)
    return [case.state for case in all_cases(engine)]


def a_paper(engine: Engine, role: SiteRole) -> SiteRecord:
    with transaction(engine) as session:
        return a_site(session, "县报", owner="县报社", role=role, rights=Rights.OWN)


def test_a_site_that_becomes_ours_finds_what_was_copied_from_it_before(engine: Engine, copier: SiteRecord) -> None:
    our(engine, a_paper(engine, SiteRole.WATCHED), story())
    a_copy(engine, "https://抄写网.example/1", 1, copier)
    work(engine)
    assert all_cases(engine) == []

    assert compare_with_role(engine, SiteRole.ORIGINAL) == [CaseState.NEW]
    assert compare_with_role(engine, SiteRole.WATCHED) == [CaseState.WITHDRAWN]


def test_a_site_that_goes_to_the_owner_of_the_original_is_no_copier_any_more(
    engine: Engine, copier: SiteRecord
) -> None:
    our(engine, a_paper(engine, SiteRole.ORIGINAL), story())
    a_copy(engine, "https://抄写网.example/1", 1, copier)
    work(engine)
    assert [case.state for case in all_cases(engine)] == [CaseState.NEW]

    with transaction(engine) as session:
        sites.edit_site(session, "抄写网", copier.settings, owner="县报社")
    work(engine)

    assert [case.state for case in all_cases(engine)] == [CaseState.WITHDRAWN]


def test_a_change_of_anything_else_compares_nothing_again(engine: Engine, copier: SiteRecord) -> None:
    a_copy(engine, "https://抄写网.example/1", 1, copier)
    work(engine)

    with transaction(engine) as session:
        sites.edit_site(session, "抄写网", replace(copier.settings, delay_s=9.0))
        assert backlog.waiting(session) == 0
