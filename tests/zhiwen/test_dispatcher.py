"""Alerts from the case to the mailbox: real mail and web servers, a real child process, a real store."""

import hashlib
import hmac
import json
import os
import re
import signal
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from ipaddress import ip_network
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Engine, select, update
from sqlalchemy.orm import Session

from admin.alerts.channel_registry import read_address
from admin.alerts.message_text import Place
from admin.alerts.orders import Order, Outcome
from storage.alerts import channels, history, outbox, rules
from storage.engine import transaction
from storage.jobs import alert_events
from storage.models.alerts import Alert
from storage.models.sites import Site
from storage.records.alerts import AlertKind, AlertState, MessageRecord, MessageState, RuleTerms
from storage.types import CaseState, Severity
from tests.support.alert_receivers import Hook, Mailbox, mail_server, web_server
from tests.support.case_actions import a_case, owned_cases, set_columns
from tests.support.processes.worker_process import stop, until, worker
from zhiwen.alerts.dispatcher import AlertsDone, compose, deliver, route_all, try_channel, work_off
from zhiwen.alerts.sender_client import Sender
from zhiwen.config.settings import Settings

PLACE = Place("https://desk.example", "Asia/Shanghai")
ZONE = "Asia/Shanghai"
LOOPBACK = (ip_network("127.0.0.0/8"),)
AT_ONCE = RuleTerms("all", digest_at=None)


@pytest.fixture(scope="module")
def sender(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Sender]:
    with Sender(Settings(tmp_path_factory.mktemp("home"), allowed_networks=LOOPBACK)) as found:
        yield found


@pytest.fixture
def mailbox() -> Iterator[Mailbox]:
    with mail_server() as found:
        yield found


@pytest.fixture
def hook() -> Iterator[Hook]:
    with web_server() as found:
        yield found


def add_channel(
    engine: Engine, address: str, *, name: str = "编辑部", language: str = "zh", terms: RuleTerms = AT_ONCE
) -> int:
    read = read_address(address)
    with transaction(engine) as session:
        channel = channels.add_channel(session, name, read, language=language)
        rules.add_rule(session, channel.id, terms)
    return channel.id


def open_case(engine: Engine, number: int, *, title: str = "", **fields: Any) -> int:
    with transaction(engine) as session:
        return a_case(session, number, title=title, **fields)


def run(engine: Engine, sender: Sender, now: datetime | None = None) -> AlertsDone:
    route_all(engine, ZONE, now=now)
    compose(engine, PLACE, now=now)
    return deliver(engine, sender, now=now)


def messages(engine: Engine) -> list[MessageRecord]:
    with transaction(engine) as session:
        return history.list_messages(session)


def states(engine: Engine) -> list[AlertState]:
    with transaction(engine) as session:
        return list(session.scalars(select(Alert.state).order_by(Alert.id)))


def text_of_mail(mailbox: Mailbox, number: int = -1) -> str:
    return str(mailbox.mails[number].get_content())


def later(engine: Engine, **much: float) -> datetime:
    """A moment that many minutes, or whatever `much` says, after the next try of the newest message."""
    return messages(engine)[0].next_at + timedelta(**much)


def test_a_new_case_is_reported_by_mail_once_with_what_how_much_since_when_and_one_link(
    engine: Engine, sender: Sender, mailbox: Mailbox
) -> None:
    add_channel(engine, mailbox.address)
    case_id = open_case(engine, 1, title="老桥修好了", chars=1_234, our_share=0.71)

    assert run(engine, sender) == AlertsDone(1, 0)
    assert run(engine, sender) == AlertsDone(0, 0)

    (mail,) = mailbox.mails
    assert mail["Subject"] == "[指纹] 新案件：copier1.example 转载了《老桥修好了》"
    body = text_of_mail(mailbox)
    assert "重合 1,234 字，占原文 71%" in body
    assert "2026-05-04 16:00 (Asia/Shanghai)" in body
    assert re.findall(r"https?://\S+", body) == [f"https://desk.example/cases/{case_id}"]
    assert (mail["Auto-Submitted"], mail["To"]) == ("auto-generated", "editor@ours.example")
    with transaction(engine) as session:
        alert = session.scalars(select(Alert)).one()
    assert (alert.state, alert.sent_at) == (AlertState.SENT, messages(engine)[0].sent_at)


def test_what_a_page_writes_into_its_title_stays_a_line_of_text(
    engine: Engine, sender: Sender, mailbox: Mailbox
) -> None:
    title = "a\r\nBcc: all@evil.example\n\n<script>\u202egnp.exe @all https://evil.example/ [x](y)"
    add_channel(engine, mailbox.address)
    open_case(engine, 1, title=title)

    run(engine, sender)

    (mail,) = mailbox.mails
    assert mail["Bcc"] is None
    assert mail["To"] == "editor@ours.example"
    told = f"{mail['Subject']}\n{text_of_mail(mailbox)}"
    assert "\u202e" not in told
    assert "⟪U+202E⟫" in told
    assert "<script>" not in told
    assert re.findall(r"https?://[^\s]+", told) == ["https://desk.example/cases/1"]
    assert "@" not in told
    assert "Bcc: all＠evil.example" in mail["Subject"]


def test_a_webhook_is_signed_and_says_what_the_case_is(engine: Engine, sender: Sender, hook: Hook) -> None:
    channel_id = add_channel(engine, hook.address, language="en")
    case_id = open_case(engine, 1, title="老桥修好了")
    with transaction(engine) as session:
        secret = channels.address_of(session, channel_id).secret

    run(engine, sender)

    (posted,) = hook.posted
    said = json.loads(posted.body)
    assert said["kind"] == "case-opened"
    assert said["subject"] == "New case: copier1.example copied “老桥修好了”"
    assert said["id"] == posted.headers["Idempotency-Key"]
    assert {name: said["events"][0]["case"][name] for name in ("id", "our_title", "characters", "severity")} == {
        "id": case_id, "our_title": "老桥修好了", "characters": 180, "severity": "grave",
    }  # fmt: skip
    signed = posted.headers["X-Zhiwen-Timestamp"].encode() + b"." + posted.body
    expected = hmac.new(secret.encode(), signed, hashlib.sha256).hexdigest()
    assert posted.headers["X-Zhiwen-Signature"] == f"v1={expected}"
    assert len(secret) >= 32


def test_what_fails_is_tried_again_under_the_same_key_and_no_other_channel_waits(
    engine: Engine, sender: Sender, mailbox: Mailbox, hook: Hook
) -> None:
    mailbox.answers, hook.answers = ["451 later", "250 OK"], [503, 200]
    add_channel(engine, mailbox.address)
    add_channel(engine, hook.address, name="系统")
    open_case(engine, 1)

    assert run(engine, sender) == AlertsDone(0, 2)
    assert run(engine, sender) == AlertsDone(0, 0), "not before its time"
    assert [(one.state, one.attempts) for one in messages(engine)] == [(MessageState.WAITING, 1)] * 2
    assert {one.problem for one in messages(engine)} == {"It answered 503.", "SMTPDataError: (451, b'later')"}

    assert run(engine, sender, later(engine, seconds=1)) == AlertsDone(2, 0)
    assert len({posted.headers["Idempotency-Key"] for posted in hook.posted}) == 1
    assert [posted.body for posted in hook.posted] == [hook.posted[0].body] * 2
    assert (mailbox.refused, len(mailbox.mails)) == (1, 1)
    assert states(engine) == [AlertState.SENT] * 2


def test_after_the_last_try_a_message_is_set_aside_shown_and_sent_on_request(
    engine: Engine, sender: Sender, hook: Hook
) -> None:
    hook.answers = [500]
    add_channel(engine, hook.address)
    open_case(engine, 1)
    run(engine, sender)
    while messages(engine)[0].state is MessageState.WAITING:
        run(engine, sender, later(engine, seconds=1))

    (message,) = messages(engine)
    assert (message.state, message.attempts, len(hook.posted)) == (MessageState.SET_ASIDE, 9, 9)
    assert states(engine) == [AlertState.SET_ASIDE]
    with transaction(engine) as session:
        assert history.counts(session).set_aside == 1
        assert "500" in channels.list_channels(session)[0].problem
        assert outbox.try_again(session, message.id, message.next_at)

    hook.answers = [200]
    assert run(engine, sender, later(engine, seconds=1)) == AlertsDone(1, 0)
    assert states(engine) == [AlertState.SENT]


def test_a_redirect_is_no_delivery_and_is_not_followed(engine: Engine, sender: Sender, hook: Hook) -> None:
    hook.answers = [307]
    add_channel(engine, hook.address)
    open_case(engine, 1)

    assert run(engine, sender) == AlertsDone(0, 1)
    assert [posted.path for posted in hook.posted] == ["/alerts?token=s3cr3t-of-the-receiver"]


class Dying:
    """Sends, and dies before anybody hears of it."""

    def __init__(self, inner: Sender) -> None:
        self._inner = inner

    def send(self, order: Order) -> Outcome:
        self._inner.send(order)
        raise KeyboardInterrupt


def test_a_sender_that_dies_before_it_notes_the_sending_is_followed_by_another_with_the_same_key(
    engine: Engine, sender: Sender, hook: Hook
) -> None:
    add_channel(engine, hook.address)
    open_case(engine, 1)
    route_all(engine, ZONE)
    compose(engine, PLACE)
    with pytest.raises(KeyboardInterrupt):
        deliver(engine, Dying(sender))

    assert run(engine, sender) == AlertsDone(0, 0), "it is claimed: whoever sends it may still live"
    assert run(engine, sender, datetime.now(UTC) + 2 * outbox.CLAIM) == AlertsDone(1, 0)
    first, second = hook.posted
    assert first.headers["Idempotency-Key"] == second.headers["Idempotency-Key"]
    assert first.body == second.body


def test_a_killed_child_is_no_delivery_and_the_next_message_gets_another_child(tmp_path: Path, hook: Hook) -> None:
    read = read_address(hook.address)
    order = Order(read.kind, read.full, "secret", "key", datetime.now(UTC).isoformat(), "subject", "text", {})
    with Sender(Settings(tmp_path, allowed_networks=LOOPBACK)) as own:
        assert own.send(order) == Outcome(is_sent=True)
        assert own.child_pid is not None
        os.kill(own.child_pid, signal.SIGKILL)
        # It may have died after it sent.
        assert own.send(order) == Outcome(is_sent=False, problem="The sender process died.", is_uncertain=True)
        assert own.send(order) == Outcome(is_sent=True)


def test_two_that_work_side_by_side_send_nothing_twice(engine: Engine, sender: Sender, hook: Hook) -> None:
    """Each sees the other's claim in the middle of its own work."""
    add_channel(engine, hook.address)
    for number in range(4):
        open_case(engine, number)
    route_all(engine, ZONE)
    compose(engine, PLACE)

    class Interleaved:
        depth = 0

        def send(self, order: Order) -> Outcome:
            if self.depth < 3:
                self.depth += 1
                deliver(engine, self)
            return sender.send(order)

    deliver(engine, Interleaved())
    assert len({posted.headers["Idempotency-Key"] for posted in hook.posted}) == len(hook.posted) == 4
    assert states(engine) == [AlertState.SENT] * 4


def test_many_at_once_come_in_one_message(engine: Engine, sender: Sender, mailbox: Mailbox) -> None:
    add_channel(engine, mailbox.address)
    for number in range(6):
        open_case(engine, number, title=f"第{number}篇")

    assert run(engine, sender) == AlertsDone(1, 0)
    assert mailbox.mails[0]["Subject"] == "[指纹] 新案件 6 件"
    body = text_of_mail(mailbox)
    assert all(f"第{number}篇" in body for number in range(6))
    assert len(re.findall(r"https?://\S+", body)) == 1


def test_a_digest_comes_at_half_past_eight_of_the_sites_day(engine: Engine, sender: Sender, mailbox: Mailbox) -> None:
    """One site in Shanghai and one in New York: the same night, two mornings."""
    add_channel(engine, mailbox.address, terms=RuleTerms("daily"))
    opened = datetime(2026, 3, 7, 14, 0, tzinfo=UTC)
    with transaction(engine) as session:
        owned_cases(session, range(2))
        session.execute(update(Site).values(time_zone="America/New_York"))
        a_case(session, 7)

    route_all(engine, ZONE, now=opened)
    shanghai, new_york = datetime(2026, 3, 8, 0, 30, tzinfo=UTC), datetime(2026, 3, 8, 12, 30, tzinfo=UTC)
    assert run(engine, sender, shanghai - timedelta(seconds=1)) == AlertsDone(0, 0)
    assert run(engine, sender, shanghai) == AlertsDone(1, 0)
    assert run(engine, sender, new_york - timedelta(seconds=1)) == AlertsDone(0, 0), "summer time began that night"
    assert run(engine, sender, new_york) == AlertsDone(1, 0)
    assert [mail["Subject"] for mail in mailbox.mails] == [
        "[指纹] 新案件：copier7.example 转载了《我方第7篇》",
        "[指纹] 新案件 2 件",
    ]


def test_a_case_that_was_decided_before_its_digest_is_no_news(engine: Engine, sender: Sender, mailbox: Mailbox) -> None:
    add_channel(engine, mailbox.address, terms=RuleTerms("daily"))
    case_id = open_case(engine, 1)
    route_all(engine, ZONE)
    with transaction(engine) as session:
        set_columns(session, case_id, state=CaseState.DISMISSED)

    assert run(engine, sender, datetime.now(UTC) + timedelta(days=2)) == AlertsDone(0, 0)
    assert states(engine) == [AlertState.DROPPED]


def test_what_a_run_that_looks_wrong_would_tell_waits_for_a_look(
    engine: Engine, sender: Sender, mailbox: Mailbox
) -> None:
    add_channel(engine, mailbox.address, language="en", terms=AT_ONCE)
    with transaction(engine) as session:
        owned_cases(session, range(1))
    route_all(engine, ZONE)
    with transaction(engine) as session:
        site_id = _site_id(session, "抄写网")
        hold_id = alert_events.hold(
            session, site_id, "42 % of its pages changed", since=datetime(2026, 1, 1, tzinfo=UTC)
        )
        assert alert_events.hold(session, site_id, "again") == hold_id
    open_case(engine, 9)

    assert run(engine, sender) == AlertsDone(2, 0), "that it is held, and what has nothing to do with it"
    assert {mail["Subject"] for mail in mailbox.mails} == {
        "[Zhiwen] 抄写网: a crawl looks wrong; its alerts are on hold",
        "[Zhiwen] New case: copier9.example copied “我方第9篇”",
    }
    with transaction(engine) as session:
        (hold,) = alert_events.open_holds(session)
        assert (hold.site, hold.reason, hold.waiting) == ("抄写网", "42 % of its pages changed", 1)
        assert alert_events.release(session, hold_id, send=True, by="主编") == 1
        assert alert_events.release(session, hold_id, send=True) == 0
    assert run(engine, sender) == AlertsDone(1, 0)
    assert states(engine) == [AlertState.SENT] * 3


def test_what_is_opened_while_a_site_is_held_is_held_and_dropped_on_request(
    engine: Engine, sender: Sender, mailbox: Mailbox
) -> None:
    add_channel(engine, mailbox.address, terms=RuleTerms("cases", frozenset({AlertKind.CASE_OPENED}), digest_at=None))
    with transaction(engine) as session:
        owned_cases(session, range(1))
        hold_id = alert_events.hold(session, _site_id(session, "县报"), "odd", since=datetime(2026, 1, 1, tzinfo=UTC))

    assert run(engine, sender) == AlertsDone(0, 0)
    with transaction(engine) as session:
        assert alert_events.release(session, hold_id, send=False) == 1
    assert run(engine, sender) == AlertsDone(0, 0)
    assert states(engine) == [AlertState.DROPPED]


def test_news_of_the_machine_and_of_sites_come_at_once_and_alone(
    engine: Engine, sender: Sender, mailbox: Mailbox
) -> None:
    add_channel(engine, mailbox.address, terms=RuleTerms("daily"))
    with transaction(engine) as session:
        assert alert_events.raise_event(
            session, AlertKind.DISK_LOW, key="2026-03-01", details={"problem": "2 GB are left"}
        )
        assert not alert_events.raise_event(session, AlertKind.DISK_LOW, key="2026-03-01")
        assert alert_events.raise_event(session, AlertKind.BACKUP_FAILED, key="7", details={"problem": "no room"})

    assert run(engine, sender) == AlertsDone(2, 0)
    assert [mail["Subject"] for mail in mailbox.mails] == ["[指纹] 磁盘空间即将用尽", "[指纹] 备份失败"]
    assert "2 GB are left" in text_of_mail(mailbox, 0)


def test_a_rule_asks_for_what_its_channel_is_to_hear(engine: Engine, sender: Sender, mailbox: Mailbox) -> None:
    add_channel(engine, mailbox.address, terms=RuleTerms("grave", least=Severity.GRAVE, digest_at=None))
    open_case(engine, 1, chars=100, our_share=0.1)
    open_case(engine, 2, chars=2_000, our_share=0.9)

    assert run(engine, sender) == AlertsDone(1, 0)
    assert "copier2" in mailbox.mails[0]["Subject"]


def test_an_event_that_is_not_committed_is_reported_to_nobody(engine: Engine, sender: Sender, mailbox: Mailbox) -> None:
    add_channel(engine, mailbox.address)
    with engine.connect() as connection, Session(connection) as session:
        a_case(session, 1)
        session.rollback()
    assert run(engine, sender) == AlertsDone(0, 0)


def test_private_addresses_are_refused_unless_the_setting_names_their_network(
    engine: Engine, tmp_path: Path, hook: Hook, mailbox: Mailbox
) -> None:
    """For webhooks, mail and what a library sends alike; by name and by number."""
    addresses = {
        "webhook": hook.address,
        "name": hook.address.replace("127.0.0.1", "localhost"),
        "mail": mailbox.address,
        "library": f"ntfy://127.0.0.1:{hook.port}/topic",
    }
    ids = {name: add_channel(engine, address, name=name) for name, address in addresses.items()}
    open_case(engine, 1)

    assert work_off(engine, Settings(tmp_path)) == AlertsDone(0, 4)
    assert (hook.posted, mailbox.mails) == ([], [])
    problems = {one.channel: one.problem for one in messages(engine)}
    assert all("ZHIWEN_ALLOWED_NETWORKS" in problem for problem in problems.values()), problems
    assert not [problem for problem in problems.values() if "s3cr3t" in problem]

    opened = Settings(tmp_path, allowed_networks=LOOPBACK)
    assert try_channel(engine, opened, ids["library"]).is_sent
    assert len(hook.posted) == 1


def test_no_secret_of_a_channel_is_shown_or_kept_with_a_failure(engine: Engine, sender: Sender, hook: Hook) -> None:
    hook.answers = [404]
    for name, address in {
        "a": f"json://user:passw0rd@127.0.0.1:{hook.port}/s3cr3t-path/?+X-Token=s3cr3t-header",
        "b": hook.address,
        "c": "http://127.0.0.1:1/s3cr3t-path",
        "d": "mailto://user:s3cr3t-word@127.0.0.1:1?from=a@ours.example&to=b@ours.example",
    }.items():
        add_channel(engine, address, name=name)
    open_case(engine, 1)

    assert run(engine, sender) == AlertsDone(0, 4)
    with transaction(engine) as session:
        shown = repr(channels.list_channels(session)) + repr(messages(engine))
        assert repr(channels.address_of(session, 1)) == "ChannelAddress()"
    assert "s3cr3t" not in shown
    assert "passw0rd" not in shown


def test_a_worker_tells_of_a_case_by_itself(
    engine: Engine, clean_database_url: str, tmp_path: Path, hook: Hook
) -> None:
    add_channel(engine, hook.address)
    open_case(engine, 1)
    with worker(clean_database_url, tmp_path / "home") as child:
        until(engine, lambda: states(engine) == [AlertState.SENT])
        stop(child)
    assert [json.loads(posted.body)["kind"] for posted in hook.posted] == ["case-opened"]


def _site_id(session: Session, name: str) -> int:
    return session.scalars(select(Site.id).where(Site.name == name)).one()
