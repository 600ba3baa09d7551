"""Accounts on platforms: pages are those of their account, until a person assigns it to an owner."""

from typing import Any

import pytest
from sqlalchemy.orm import Session

from storage.cases import account_owners, findings, listing
from storage.cases.lists.filters import CaseFilter
from storage.errors import NotKnown
from storage.pages import pages
from storage.records.sites import AccountRecord
from storage.sites import owners
from storage.types import SiteRole
from tests.support.case_actions import a_finding, a_page
from tests.support.factories import a_site

HOST = "mp.weixin.qq.com"


def copied_by(session: Session, number: int, account: str, name: str = "", **fields: Any) -> int:
    """A case about our page `number`, with a copy on the platform by that account; its id."""
    ours = a_page(session, f"https://ours.example/{number}", 2 * number)
    theirs = a_page(
        session,
        f"https://{HOST}/s/{number}",
        2 * number + 1,
        account=f"weixin:{account}",
        account_name=name,
        **fields,
    )
    page = pages.page_by_id(session, theirs.page_id)
    assert page is not None
    found = a_finding(
        ours,
        theirs,
        HOST,
        other_key=page.owner_key,
        other_owner_id=page.owner_id,
        other_account=page.account,
    )
    (case_id,) = findings.keep_findings(session, [found])
    return case_id


def names(session: Session, *, owner: str | None = None) -> dict[int, str]:
    return {case.id: case.other_name for case in listing.list_cases(session, CaseFilter(owner=owner), limit=50)}


def test_copies_on_one_platform_are_those_of_their_accounts(session: Session) -> None:
    first, second = copied_by(session, 1, "a", "江城记"), copied_by(session, 2, "b")
    assert names(session) == {first: "江城记", second: "weixin:b"}
    assert set(names(session, owner="江城记")) == {first}
    assert set(names(session, owner="weixin:b")) == {second}
    assert account_owners.list_accounts(session) == [
        AccountRecord("weixin:a", "江城记", 1),
        AccountRecord("weixin:b", "", 1),
    ]


def test_the_owner_of_a_platforms_site_is_not_that_of_its_pages(session: Session) -> None:
    platform = a_site(session, "公众号", owner="平台公司", host=HOST)
    case = copied_by(session, 1, "a", "江城记", site_id=platform.id)
    assert names(session) == {case: "江城记"}


def test_pages_of_our_own_account_stay_ours(session: Session) -> None:
    own = a_site(session, "我们的公众号", owner="县报社", role=SiteRole.ORIGINAL, host=HOST)
    saved = a_page(session, f"https://{HOST}/s/own", 1, account="weixin:own", account_name="县报", site_id=own.id)
    page = pages.page_by_id(session, saved.page_id)
    assert page is not None
    assert (page.owner_key, page.owner_name) == (f"owner:{own.owner_id}", "县报社")


def test_an_assigned_account_is_its_owners(session: Session) -> None:
    owner = owners.add_owner(session, "江城记")
    case = copied_by(session, 1, "a", "江城记")
    (proposed,) = account_owners.list_accounts(session)
    assert (proposed.owner_name, proposed.proposed_owner) == (None, "江城记")

    assert account_owners.assign_account(session, "weixin:a", "江城记") == 1
    assert account_owners.assign_account(session, "weixin:a", "江城记") == 0

    (assigned,) = account_owners.list_accounts(session)
    assert assigned.owner_name == "江城记"
    later = copied_by(session, 2, "a", "江城记")
    page = pages.get_page(session, f"https://{HOST}/s/2")
    assert page is not None
    assert page.owner_key == f"owner:{owner.id}"
    assert names(session, owner="江城记") == {case: "江城记", later: "江城记"}


def test_a_case_found_before_the_assignment_is_adopted_by_a_later_finding(session: Session) -> None:
    copied_by(session, 1, "a")
    owner = owners.add_owner(session, "某公司")
    ours = pages.get_page(session, "https://ours.example/1")
    theirs = pages.get_page(session, f"https://{HOST}/s/1")
    assert ours is not None
    assert theirs is not None
    first, second = (a_page(session, one.url, number) for one, number in ((ours, 2), (theirs, 3)))
    found = a_finding(
        first, second, HOST, other_key=f"owner:{owner.id}", other_owner_id=owner.id, other_account="weixin:a"
    )
    findings.keep_findings(session, [found])
    assert list(names(session).values()) == ["某公司"]


def test_unknown_owners_and_accounts_are_refused(session: Session) -> None:
    copied_by(session, 1, "a")
    owners.add_owner(session, "某公司")
    with pytest.raises(NotKnown):
        account_owners.assign_account(session, "weixin:a", "无名氏")
    with pytest.raises(NotKnown):
        account_owners.assign_account(session, "weixin:zzz", "某公司")
