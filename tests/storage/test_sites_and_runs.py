"""The smaller nouns of the store: sites, owners, families, people, runs, reports."""

from datetime import timedelta

import pytest
from sqlalchemy import select
from sqlalchemy.orm import Session

from storage.accounts import accounts, sessions
from storage.analytics import row_counts
from storage.column_types import to_signed, to_unsigned
from storage.crawl import runs
from storage.errors import NameTaken, NotKnown
from storage.matches import backlog, families
from storage.models.pages import TextFamily
from storage.models.people import Account
from storage.records.sites import SiteSettings
from storage.sites import owners, sites
from storage.types import AccountRole, Rights, SiteRole
from tests.support.factories import SEEN, a_fingerprint, a_site, an_article, save, save_fingerprints, text_of

FULL = SiteSettings(
    name="县报",
    start_urls=("https://county.example/", "https://county.example/news/"),
    hosts=("county.example", "m.county.example"),
    role=SiteRole.ORIGINAL,
    sitemaps=("https://county.example/sitemap.xml",),
    feeds=("https://county.example/feed",),
    allow=(r"/\d+\.html", "新闻"),
    deny=("/login",),
    delay_s=2.5,
    page_budget=300,
    time_zone="Asia/Urumqi",
    rights=Rights.OWN,
    enabled=False,
    extraction_rule={"content": "div.text", "remove": ["p.tail"]},
    browser=True,
)


def families_of(session: Session) -> dict[int, int]:
    session.expire_all()
    return {row.text_id: row.family_id for row in session.scalars(select(TextFamily))}


def test_a_site_comes_back_with_every_setting(session: Session) -> None:
    added = sites.add_site(session, FULL, owner="县报社")

    assert added.settings == FULL
    assert (added.name, added.owner_name) == ("县报", "县报社")
    assert sites.get_site(session, "县报") == added
    assert sites.list_sites(session) == [added]


def test_a_site_without_an_owner_is_its_own(session: Session) -> None:
    assert a_site(session, "甲").owner_name == "甲"


def test_two_sites_may_have_one_owner(session: Session) -> None:
    one, other = a_site(session, "甲", owner="集团"), a_site(session, "乙", owner="集团")

    assert one.owner_id == other.owner_id
    assert [owner.name for owner in owners.list_owners(session)] == ["集团"]


def test_a_name_that_is_taken_is_refused_and_nothing_changes(session: Session) -> None:
    first = a_site(session, "甲")

    with pytest.raises(NameTaken, match="already a site named '甲'"):
        a_site(session, "甲", host="another.example")
    assert sites.list_sites(session) == [first]


def test_a_site_is_renamed_and_given_away_but_not_onto_another(session: Session) -> None:
    a_site(session, "甲")
    a_site(session, "乙")
    settings = SiteSettings(name="丙", start_urls=("https://c.example/",), hosts=("c.example",))

    edited = sites.edit_site(session, "甲", settings, owner="新主人")

    assert (edited.name, edited.owner_name, edited.settings) == ("丙", "新主人", settings)
    with pytest.raises(NameTaken):
        sites.edit_site(session, "乙", settings)
    with pytest.raises(NotKnown, match="zhiwen site list"):
        sites.edit_site(session, "甲", settings)


def test_what_is_not_known_is_said_with_the_way_out(session: Session) -> None:
    with pytest.raises(NotKnown, match=r"no site '甲'.*zhiwen site list"):
        sites.get_site(session, "甲")
    with pytest.raises(NotKnown):
        sites.remove_site(session, "甲")
    with pytest.raises(NotKnown, match="zhiwen owner list"):
        owners.get_owner(session, "甲")
    with pytest.raises(NotKnown):
        owners.edit_owner(session, "甲", notes="x")


def test_a_host_belongs_to_the_site_that_claimed_it_first(session: Session) -> None:
    first = sites.add_site(session, FULL)
    a_site(session, "后来", host="m.county.example")

    assert sites.site_for_host(session, "m.county.example") == first
    assert sites.site_for_host(session, "county.example.evil.example") is None


def test_an_owner_keeps_what_is_not_edited(session: Session) -> None:
    added = owners.add_owner(session, "县报社", registration="京ICP备1号", complaint_address="legal@county.example")

    edited = owners.edit_owner(session, "县报社", notes="常联系")

    assert edited.registration == added.registration == "京ICP备1号"
    assert (edited.complaint_address, edited.notes) == ("legal@county.example", "常联系")
    with pytest.raises(NameTaken):
        owners.add_owner(session, "县报社")


def test_families_merge_under_the_lowest_text(session: Session) -> None:
    a, b, c, d, e = sorted(save_fingerprints(session, [a_fingerprint()] * 5))

    assert families.join_family(session, {d, e}) == d
    assert families.join_family(session, {b, c}) == b
    assert families.join_family(session, {c, e}) == b

    assert families_of(session) == {b: b, c: b, d: b, e: b}
    assert families.join_family(session, {e, a}) == a
    assert set(families_of(session).values()) == {a}


def test_joining_a_family_again_changes_nothing(session: Session) -> None:
    one, other = sorted(save_fingerprints(session, [a_fingerprint()] * 2))

    assert [families.join_family(session, pair) for pair in ({one, other}, {other, one}, {one})] == [one] * 3
    assert families_of(session) == {one: one, other: one}


def test_an_account_is_found_by_name_and_by_id_and_added_once(session: Session) -> None:
    added = accounts.add_account(session, name="审核员", password_hash="x", role=AccountRole.REVIEWER, language="zh")

    assert accounts.account_by_name(session, "审核员") == accounts.account_by_id(session, added.id) == added
    assert (added.enabled, added.role, added.language) == (True, AccountRole.REVIEWER, "zh")
    with pytest.raises(NameTaken):
        accounts.add_account(session, name="审核员", password_hash="y", role=AccountRole.VIEWER)
    assert accounts.list_accounts(session) == [added]
    assert accounts.account_by_name(session, "没有人") is accounts.account_by_id(session, added.id + 1) is None


def test_a_new_password_ends_every_session(session: Session) -> None:
    before = accounts.add_account(session, name="甲", password_hash="x", role=AccountRole.VIEWER)
    other = accounts.add_account(session, name="乙", password_hash="x", role=AccountRole.VIEWER)
    for account in (before, other):
        sessions.begin_session(
            session, account.id, browser="", address="192.0.2.1", at=SEEN, forget_before=SEEN - timedelta(hours=1)
        )

    accounts.change_password(session, before.id, "new")

    session.expire_all()
    after = accounts.account_by_id(session, before.id)
    assert after is not None
    assert after.password_hash == "new"
    open_sessions = [
        len(sessions.list_sessions(session, account.id, seen_since=SEEN - timedelta(hours=1)))
        for account in (before, other)
    ]
    assert open_sessions == [0, 1]
    assert accounts.account_by_id(session, other.id) == other


def test_a_login_is_noted(session: Session) -> None:
    added = accounts.add_account(session, name="甲", password_hash="x", role=AccountRole.VIEWER)

    accounts.record_login(session, added.id, SEEN)

    assert session.scalar(select(Account.last_login_at)) == SEEN


def test_a_run_shows_how_far_it_came_before_it_ends(session: Session) -> None:
    site = a_site(session, "甲")
    run_id = runs.start_run(session, site.id, trigger="by hand")
    runs.record_run(session, run_id, counters={"pages": 3}, refusal_samples={})

    session.expire_all()
    going = runs.get_run(session, run_id)
    assert going is not None
    assert (going.site_name, going.trigger, going.ended_at, dict(going.counters)) == (
        "甲",
        "by hand",
        None,
        {"pages": 3},
    )

    refused = {"robots": ["https://甲.example/x"]}
    runs.finish_run(session, run_id, exit_reason="finished", counters={"pages": 5}, refusal_samples=refused)

    session.expire_all()
    ended = runs.get_run(session, run_id)
    assert ended is not None
    assert ended.ended_at is not None
    assert (ended.exit_reason, dict(ended.counters)) == ("finished", {"pages": 5})
    assert ended.refusal_samples == {"robots": ("https://甲.example/x",)}


def test_runs_are_listed_newest_first_and_by_site(session: Session) -> None:
    one, other = a_site(session, "甲"), a_site(session, "乙")
    ids = [runs.start_run(session, site.id, trigger="schedule") for site in (one, other, one)]

    assert [run.id for run in runs.list_runs(session)] == ids[::-1]
    assert [run.id for run in runs.list_runs(session, site="甲")] == [ids[2], ids[0]]
    assert [run.id for run in runs.list_runs(session, limit=1)] == [ids[2]]
    assert runs.get_run(session, ids[2] + 1) is None


def test_the_summary_counts_what_is_there(session: Session) -> None:
    assert (row_counts.summary(session).texts, row_counts.summary(session).newest) == (0, None)
    site = a_site(session, "甲")
    saved = save(
        session,
        an_article("甲", text_of(1), site_id=site.id),
        an_article("乙", text_of(1), hours=4),
        an_article("丙", text_of(2)),
    )
    backlog.done(session, [saved[0].version_id])

    found = row_counts.summary(session)

    assert (found.texts, found.pages, found.sites, found.backlog) == (2, 3, 1, 2)
    assert found.newest == SEEN + timedelta(hours=4)
    assert (found.matches, found.hits) == (0, 0)


@pytest.mark.parametrize("value", [0, 1, (1 << 63) - 1, 1 << 63, (1 << 64) - 1])
def test_unsigned_numbers_go_through_the_signed_form_and_back(value: int) -> None:
    assert to_unsigned(to_signed(value)) == value
    assert -(1 << 63) <= to_signed(value) < 1 << 63


@pytest.mark.parametrize("value", [-1, 1 << 64])
def test_a_number_beyond_64_bits_is_refused(value: int) -> None:
    with pytest.raises(ValueError, match="does not fit in 64 unsigned bits"):
        to_signed(value)
