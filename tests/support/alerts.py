"""One of everything of alerts, with names that a page must not take for markup."""

from datetime import UTC, datetime

from sqlalchemy import select
from sqlalchemy.orm import Session

from storage.alerts import channels, feeds, outbox, routing, rules
from storage.alerts.outbox import NewMessage
from storage.jobs import alert_events
from storage.models.alerts import FeedToken
from storage.records.alerts import AlertKind, NewAddress, RuleTerms
from storage.types import CaseQueue


def fill_alerts(session: Session, *, account_id: int, view_id: int, site_id: int, case_id: int) -> dict[str, int]:
    """The numbers of what is there, by the names of the parameters of routes."""
    channel = channels.add_channel(
        session,
        "<b>渠道</b>",
        NewAddress("webhook", "https://hooks.example/s3cr3t", "https://hooks.example/…", is_signed=True),
        language="zh",
    )
    terms = RuleTerms("<i>规则</i>", queue=CaseQueue.COPIED, site_id=site_id, view_id=view_id, digest_at=None)
    rule_id = rules.add_rule(session, channel.id, terms)
    alert_events.raise_event(session, AlertKind.COPY_REMOVED, key="one", case_id=case_id)
    now = datetime.now(UTC)
    routing.route(session, rules.rules_in_force(session), {}, now=now, time_zone="UTC")
    text = NewMessage("<script>alert(1)</script>", "\u202e<b>正文</b>", {})
    message_id = outbox.add_message(session, channel.id, [], text, now)
    hold_id = alert_events.hold(session, site_id, "<b>42 %</b>")
    feeds.make_feed(session, account_id, view_id, language="zh")
    feed_id = session.scalars(select(FeedToken.id)).one()
    return {
        "channel_id": channel.id,
        "rule_id": rule_id,
        "message_id": message_id,
        "hold_id": hold_id,
        "feed_id": feed_id,
    }
