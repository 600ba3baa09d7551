"""Accounts, sessions, links and failed log-ins as they are stored."""

import threading
from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import Engine
from sqlalchemy.orm import Session

from storage.accounts import accounts, audit_log, login_attempts, sessions
from storage.accounts.audit_log import AuditFilter
from storage.engine import transaction
from storage.errors import LastAdministrator, NotKnown
from storage.records.accounts import AccountRecord
from storage.types import AccountRole

NOW = datetime(2026, 3, 1, 9, 0, tzinfo=UTC)
NIGHT = timedelta(hours=12)
ADMINISTRATOR = AccountRole.ADMINISTRATOR


def person(session: Session, name: str = "甲", role: AccountRole = AccountRole.VIEWER) -> AccountRecord:
    return accounts.add_account(session, name=name, password_hash="x", role=role)


def begin(session: Session, account: AccountRecord, *, at: datetime = NOW, browser: str = "Firefox") -> str:
    return sessions.begin_session(
        session, account.id, browser=browser, address="192.0.2.1", at=at, forget_before=at - NIGHT
    )


def whose(session: Session, secret: str, *, at: datetime = NOW) -> str | None:
    found = sessions.account_of_session(session, secret, at=at, seen_since=at - NIGHT)
    return None if found is None else found[0].name


def test_a_session_lasts_while_it_is_used_and_ends_after_a_night(session: Session) -> None:
    secret = begin(session, person(session))
    for hours in (8, 16, 24):
        assert whose(session, secret, at=NOW + timedelta(hours=hours)) == "甲"

    assert whose(session, secret, at=NOW + timedelta(hours=36)) is None
    assert whose(session, secret + "x") is whose(session, "") is None


def test_what_a_browser_says_of_itself_is_kept_short_and_harmless(session: Session) -> None:
    account = person(session)
    begin(session, account, browser="Firefox\0\u202e\ud800" + "x" * 999)

    found = sessions.list_sessions(session, account.id, seen_since=NOW - NIGHT)[0]
    assert found.browser.startswith("Firefox\ufffd\ufffd\ufffdxxx")
    assert len(found.browser) == 400


def test_old_sessions_are_cleared_away_by_new_ones(session: Session) -> None:
    account = person(session)
    begin(session, account, at=NOW - timedelta(days=2))
    begin(session, account)

    assert len(sessions.list_sessions(session, account.id, seen_since=NOW - timedelta(days=9))) == 1


def test_the_list_of_people_counts_open_sessions_and_shows_waiting_links(session: Session) -> None:
    account, other = person(session), person(session, "乙")
    begin(session, account)
    begin(session, account)
    expires_at = NOW + timedelta(hours=1)
    sessions.make_password_link(session, other.id, expires_at=expires_at)

    found = {summary.account.name: summary for summary in accounts.summaries(session, seen_since=NOW - NIGHT)}

    assert (found["甲"].open_sessions, found["甲"].link_expires_at) == (2, None)
    assert (found["乙"].open_sessions, found["乙"].link_expires_at) == (0, expires_at)


def test_a_second_link_takes_the_first_back(session: Session) -> None:
    account = person(session)
    first = sessions.make_password_link(session, account.id, expires_at=NOW + NIGHT)
    second = sessions.make_password_link(session, account.id, expires_at=NOW + NIGHT)

    assert sessions.account_of_link(session, first, at=NOW) is None
    assert sessions.account_of_link(session, second, at=NOW) == account
    assert sessions.account_of_link(session, second, at=NOW + NIGHT) is None


def test_what_a_removed_person_did_keeps_the_name(session: Session) -> None:
    person(session, "chief", ADMINISTRATOR)
    account = person(session)
    secret = begin(session, account)
    audit_log.record(session, actor=account, act="site.add", subject="县报")
    session.flush()

    accounts.remove_account(session, account.id)

    assert [event.actor for event in audit_log.list_events(session, AuditFilter(), limit=5)] == ["甲"]
    assert whose(session, secret) is None
    for account_id in (account.id, 0):
        with pytest.raises(NotKnown):
            accounts.remove_account(session, account_id)
        with pytest.raises(NotKnown):
            accounts.set_preferences(session, account_id, language="", time_zone="")


def test_two_administrators_cannot_remove_each_other_at_once(engine: Engine) -> None:
    with transaction(engine) as session:
        ids = [person(session, name, ADMINISTRATOR).id for name in ("one", "two")]
    refused: list[int] = []
    both_begin = threading.Barrier(2)

    def remove(account_id: int) -> None:
        both_begin.wait(60)
        try:
            with transaction(engine) as session:
                accounts.remove_account(session, account_id)
        except LastAdministrator:
            refused.append(account_id)

    threads = [threading.Thread(target=remove, args=(account_id,)) for account_id in ids]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)

    with transaction(engine) as session:
        assert [account.id for account in accounts.list_accounts(session)] == refused
    assert len(refused) == 1


def test_attempts_at_the_same_moment_see_each_other(engine: Engine) -> None:
    attempts = []
    for _ in range(3):
        with transaction(engine) as session:
            attempts.append(login_attempts.begin_attempt(session, "甲", "192.0.2.1", at=NOW))
    with transaction(engine) as session:
        counted = login_attempts.failures(session, "甲", "192.0.2.1", since=NOW - timedelta(minutes=15))
        assert (counted.by_name, counted.by_address) == (3, 3)
        elsewhere = login_attempts.failures(session, "乙", "192.0.2.1", since=NOW - timedelta(minutes=15))
        assert (elsewhere.by_name, elsewhere.by_address) == (0, 3)

        login_attempts.forget_attempt(session, attempts[0])
        assert login_attempts.failures(session, "甲", "x", since=NOW - timedelta(minutes=15)).by_name == 2
        login_attempts.forget_name(session, "甲")
        assert login_attempts.failures(session, "甲", "192.0.2.1", since=NOW - timedelta(minutes=15)).by_address == 0


def test_failures_are_forgotten_after_a_day(session: Session) -> None:
    login_attempts.begin_attempt(session, "甲", "192.0.2.1", at=NOW - timedelta(days=2))
    login_attempts.begin_attempt(session, "甲", "192.0.2.1", at=NOW)

    assert login_attempts.failures(session, "甲", "192.0.2.1", since=NOW - timedelta(days=9)).by_name == 1
