"""The audit log."""

from datetime import timedelta

import pytest
from sqlalchemy.orm import Session

from storage.accounts import accounts, audit_log
from storage.accounts.audit_log import AuditFilter
from storage.records.accounts import AccountRecord
from storage.types import AccountRole


def person(session: Session, name: str = "管理员") -> AccountRecord:
    return accounts.add_account(session, name=name, password_hash="x", role=AccountRole.MANAGER)


def listed(session: Session, where: AuditFilter | None = None, **options: int) -> list[str]:
    events = audit_log.list_events(session, where or AuditFilter(), limit=options.pop("limit", 50), **options)
    return [f"{event.actor}:{event.act}:{event.subject}" for event in events]


def test_what_was_done_stands_newest_first_with_who_did_it(session: Session) -> None:
    actor = person(session)
    audit_log.record(session, actor=actor, act="site.add", subject="县报")
    audit_log.record(session, actor=None, act="account.add", subject="审核员", detail={"role": "viewer"})

    events = audit_log.list_events(session, AuditFilter(), limit=50)

    assert [(event.actor, event.act, event.subject) for event in events] == [
        ("", "account.add", "审核员"),
        ("管理员", "site.add", "县报"),
    ]
    assert events[0].detail == {"role": "viewer"}


def test_it_is_filtered_by_person_act_noun_words_and_time(session: Session) -> None:
    one, other = person(session), person(session, "另一人")
    audit_log.record(session, actor=one, act="site.add", subject="县报")
    audit_log.record(session, actor=other, act="site.edit", subject="100%_报")
    audit_log.record(session, actor=other, act="case.decide", subject="#7")
    at = audit_log.list_events(session, AuditFilter(), limit=1)[0].at

    assert listed(session, AuditFilter(actor="管理员")) == ["管理员:site.add:县报"]
    assert listed(session, AuditFilter(act="site")) == ["另一人:site.edit:100%_报", "管理员:site.add:县报"]
    assert listed(session, AuditFilter(act="case.decide")) == ["另一人:case.decide:#7"]
    assert listed(session, AuditFilter(text="0%_")) == ["另一人:site.edit:100%_报"]
    assert listed(session, AuditFilter(since=at + timedelta(seconds=1))) == []
    assert listed(session, AuditFilter(until=at)) == []
    assert len(listed(session, AuditFilter(since=at))) == 3


def test_the_next_page_goes_on_where_the_last_one_ended(session: Session) -> None:
    for number in range(5):
        audit_log.record(session, actor=None, act="site.edit", subject=str(number))
    first = audit_log.list_events(session, AuditFilter(), limit=2)

    assert [event.subject for event in first] == ["4", "3"]
    assert listed(session, limit=2, before_id=first[-1].id) == [":site.edit:2", ":site.edit:1"]


def test_a_log_never_stands_in_the_way_of_a_change(session: Session) -> None:
    audit_log.record(
        session, actor=None, act="site.add", subject="a\0b\ud800" + "x" * 999, detail={"url": "\udfff" * 3_000}
    )
    session.flush()

    event = audit_log.list_events(session, AuditFilter(), limit=1)[0]
    assert event.subject.startswith("a\ufffdb?xxx")
    assert len(event.subject) == audit_log.LONGEST_SUBJECT
    assert len(event.detail["url"]) == audit_log.LONGEST_DETAIL


@pytest.mark.parametrize("act", ["", "add", "Site.add", "site.", ".add", "site.add.more", "site add"])
def test_an_act_is_a_noun_and_a_verb(session: Session, act: str) -> None:
    with pytest.raises(ValueError, match="is no act"):
        audit_log.record(session, actor=None, act=act, subject="x")
