"""Dispatch of alerts: routes events to channels, composes messages from due alerts, and sends them one by one."""

import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from typing import TYPE_CHECKING, Final, Protocol
from uuid import uuid4
from zoneinfo import ZoneInfo

from admin.alerts.channel_registry import kind_of
from admin.alerts.message_text import Item, Place, make_message, speaking, test_message
from admin.alerts.orders import Order, Outcome
from admin.cases.query import Asker, query_of_view
from storage.alerts import channels, outbox
from storage.alerts import rules as alert_rules
from storage.alerts.case_facts import facts_of
from storage.alerts.outbox import DueAlert, NewMessage
from storage.alerts.routing import route
from storage.engine import transaction
from storage.jobs import queue
from storage.meaning import retelling_list
from storage.records.alerts import OF_ARTICLES, OF_CASES, AlertKind, MessageState, RuleRecord
from storage.sites import sites
from storage.types import CaseState, RetellingState
from zhiwen.alerts.sender_client import Sender

if TYPE_CHECKING:
    from sqlalchemy import Engine
    from sqlalchemy.orm import Session

    from storage.alerts.rules import CaseFacts
    from storage.cases.lists.filters import CaseFilter
    from storage.records.retellings import RetellingRecord
    from zhiwen.config.settings import Settings

SINGLY: Final = 5
"""If more alerts of a channel are due at once, they go into one message: chats refuse floods, and people mute them."""

NO_NEWS: Final = frozenset({CaseState.WITHDRAWN, CaseState.LICENSED, CaseState.DISMISSED})
"""A new case in one of these states when its alert is due is no longer news."""

log = logging.getLogger(__name__)


class Sends(Protocol):
    """Sends a message to its channel."""

    def send(self, order: Order) -> Outcome: ...


@dataclass(frozen=True, slots=True)
class AlertsDone:
    """Counts of messages."""

    sent: int
    failed: int


def place_of(settings: "Settings") -> Place:
    return Place(settings.desk_address, settings.time_zone)


def work_off(engine: "Engine", settings: "Settings", *, should_stop: Callable[[], bool] = lambda: False) -> AlertsDone:
    """Sends all alerts that are due. A channel that fails is tried again later and does not stop the others."""
    route_all(engine, settings.time_zone, should_stop=should_stop)
    compose(engine, place_of(settings))
    with Sender(settings) as sender:
        return deliver(engine, sender, should_stop=should_stop)


def route_all(
    engine: "Engine", time_zone: str, *, now: datetime | None = None, should_stop: Callable[[], bool] = lambda: False
) -> None:
    """Decides for each pending event which channels get an alert. `now`: None is the database's time."""
    while not should_stop():
        with transaction(engine) as session:
            moment = now or queue.database_time(session)
            rules = alert_rules.rules_in_force(session)
            views = _views(session, rules, moment, time_zone)
            if not route(session, rules, views, now=moment, time_zone=time_zone):
                return


def compose(engine: "Engine", place: Place, *, now: datetime | None = None) -> int:
    """Composes messages from the alerts that are due. Returns their number."""
    made = 0
    while True:
        with transaction(engine) as session:
            moment = now or queue.database_time(session)
            due = outbox.take_due(session, moment)
            made += _compose(session, due, place, moment)
            if len(due) < outbox.TAKEN_AT_ONCE:
                return made


def deliver(
    engine: "Engine",
    sender: Sends,
    *,
    now: datetime | None = None,
    should_stop: Callable[[], bool] = lambda: False,
) -> AlertsDone:
    """Sends the messages of the outbox, at least once. Each is claimed, sent and marked in transactions of their own:
    after a crash between sending and marking it is sent again, under the same key.
    """
    sent, failing = 0, set[int]()
    failed = 0
    while not should_stop():
        with transaction(engine) as session:
            message = outbox.claim(session, now or queue.database_time(session), but=failing)
            if message is None:
                break
            payload = {**message.payload, "made_at": message.made_at.isoformat()}
            words = NewMessage(message.subject, message.text, payload)
            order = _order(session, message.channel_id, message.kind, message.key, message.made_at, words)
        outcome = sender.send(order)
        with transaction(engine) as session:
            moment = now or queue.database_time(session)
            if outcome.is_sent:
                outbox.mark_sent(session, message, moment, problem=outcome.problem)
                sent += 1
                continue
            state = outbox.mark_failed(session, message, moment, outcome.problem)
        failing.add(message.channel_id)
        failed += 1
        how = "is set aside" if state is MessageState.SET_ASIDE else "will be tried again"
        log.warning("message %s for channel %s %s: %s", message.id, message.channel_id, how, outcome.problem)
    return AlertsDone(sent, failed)


def try_channel(engine: "Engine", settings: "Settings", channel_id: int) -> Outcome:
    """Sends a test message at once, without the outbox. Raises NotKnown."""
    with transaction(engine) as session:
        channel = channels.get_channel(session, channel_id)
        now = queue.database_time(session)
        with speaking(channel.language):
            message = test_message(place_of(settings))
        order = _order(session, channel_id, channel.kind, str(uuid4()), now, message)
    with Sender(settings) as sender:
        outcome = sender.send(order)
    with transaction(engine) as session:
        if outcome.is_sent:
            channels.note_success(session, channel_id, now)
        else:
            channels.note_failure(session, channel_id, now, outcome.problem)
    return outcome


def _order(session: "Session", channel_id: int, kind: str, key: str, made_at: datetime, message: NewMessage) -> Order:
    secrets = channels.address_of(session, channel_id)
    at, words = made_at.isoformat(), (message.subject, message.text, message.payload)
    return Order(kind, secrets.address, secrets.secret, key, at, *words)


def _views(session: "Session", rules: Sequence[RuleRecord], now: datetime, time_zone: str) -> dict[int, "CaseFilter"]:
    """The filters of the saved views that rules refer to, as for the accounts that saved them."""
    named = {rule.terms.view_id for rule in rules if rule.terms.view_id is not None}
    return {
        view_id: query_of_view(query, Asker(account_id, now, ZoneInfo(time_zone))).where
        for view_id, account_id, query in alert_rules.views_of_rules(session, named)
    }


def _compose(session: "Session", due: Sequence[DueAlert], place: Place, now: datetime) -> int:
    facts = facts_of(session, {alert.event.case_id for alert in due if alert.event.case_id is not None})
    wanted = {number for alert in due if (number := _retelling_of(alert)) is not None}
    retellings = {found.id: found for found in retelling_list.retellings_by_id(session, sorted(wanted))}
    stale = [alert for alert in due if _is_stale(alert, facts, retellings)]
    outbox.drop_alerts(session, [alert.id for alert in stale])
    dropped = {alert.id for alert in stale}
    made = 0
    for channel_id, alerts in _by_channel(alert for alert in due if alert.id not in dropped):
        channel = channels.get_channel(session, channel_id)
        for together in in_messages(alerts):
            items = [_item(session, alert, facts, retellings) for alert in together]
            with speaking(channel.language):
                message = make_message(items, kind_of(channel.kind), place)
            outbox.add_message(session, channel_id, [alert.id for alert in together], message, now)
            made += 1
    return made


def in_messages(alerts: Sequence[DueAlert]) -> Iterator[list[DueAlert]]:
    """Groups the alerts of one channel into messages. Alerts of digests share one message; immediate alerts get one
    each, unless they are many; alerts that are not about cases get one each. Pure.
    """
    yield from ([alert] for alert in alerts if alert.event.kind not in OF_ARTICLES)
    for kinds in (OF_CASES, OF_ARTICLES - OF_CASES):  # similarities never stand among copies
        yield from _of_articles([alert for alert in alerts if alert.event.kind in kinds])


def _of_articles(alerts: Sequence[DueAlert]) -> Iterator[list[DueAlert]]:
    digest = [alert for alert in alerts if alert.is_digest]
    at_once = [alert for alert in alerts if not alert.is_digest]
    if len(at_once) > SINGLY:
        yield at_once
    else:
        yield from ([alert] for alert in at_once)
    if digest:
        yield digest


def _by_channel(alerts: Iterator[DueAlert]) -> Iterator[tuple[int, list[DueAlert]]]:
    ordered = sorted(alerts, key=lambda alert: (alert.channel_id, alert.event.id))
    for channel_id, group in groupby(ordered, key=lambda alert: alert.channel_id):
        yield channel_id, list(group)


def _is_stale(alert: DueAlert, facts: Mapping[int, "CaseFacts"], retellings: Mapping[int, "RetellingRecord"]) -> bool:
    if alert.event.kind is AlertKind.RETELLING_FOUND:
        found = retellings.get(_retelling_of(alert) or 0)
        return found is None or found.state is RetellingState.DISMISSED
    if alert.event.kind is not AlertKind.CASE_OPENED or alert.event.case_id is None:
        return False
    of_case = facts.get(alert.event.case_id)
    return of_case is None or of_case.record.state in NO_NEWS


def _retelling_of(alert: DueAlert) -> int | None:
    found = alert.event.details.get("retelling")
    return found if isinstance(found, int) else None


def _item(
    session: "Session",
    alert: DueAlert,
    facts: Mapping[int, "CaseFacts"],
    retellings: Mapping[int, "RetellingRecord"],
) -> Item:
    event = alert.event
    site = None if event.site_id is None else sites.site_by_id(session, event.site_id)
    of_case = None if event.case_id is None else facts.get(event.case_id)
    retelling = retellings.get(_retelling_of(alert) or 0)
    return Item(event, of_case, None if site is None else site.settings.name, retelling)
