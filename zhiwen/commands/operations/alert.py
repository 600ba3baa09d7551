"""`alert`: channels for alerts, test messages, and sending alerts that are due."""

import sys
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import click

from admin.alerts.addresses import BadAddress
from admin.alerts.channel_registry import read_address
from storage.accounts import audit_log
from storage.alerts import channels as alert_channels
from storage.alerts import history
from storage.alerts import rules as alert_rules
from storage.alerts.timing import DEFAULT_DIGEST, parse_time_of_day
from storage.engine import transaction
from storage.records.alerts import RuleTerms
from zhiwen.output.terminal import fail, json_option, print_records, say, store, store_session

if TYPE_CHECKING:
    from storage.records.alerts import ChannelRecord, RuleRecord


@click.group()
def alert() -> None:
    """Manage alert channels and send alerts."""


@alert.command("list")
@json_option
def list_(*, as_json: bool) -> None:
    """List channels with their rules and the number of unsent alerts."""
    with store_session() as session:
        channels = alert_channels.list_channels(session)
        rules = alert_rules.list_rules(session)
        counts = history.counts(session)

    def own(channel: "ChannelRecord") -> "list[RuleRecord]":
        return [rule for rule in rules if rule.channel_id == channel.id]

    print_records(
        channels,
        ("channel", "kind", "to", "language", "alerts", "last sent", "last failure"),
        lambda channel: _row(channel, own(channel)),
        as_json=as_json,
        shape=lambda channel: asdict(channel) | {"rules": [_rule_shape(rule) for rule in own(channel)]},
    )
    if not as_json:
        say(
            f"Messages: {counts.waiting} unsent, {counts.set_aside} set aside. "
            f"Alerts: {counts.for_later} scheduled, {counts.held} held for review."
        )


@alert.command()
@click.argument("address")
@click.option("--name", required=True, help="Name of the channel.")
@click.option(
    "--language", type=click.Choice(["zh", "en"]), help="Language of its messages; by default the installation's."
)
@click.option("--at", "digest_at", default=DEFAULT_DIGEST, help="Time of the daily digest.")
@click.option("--at-once", is_flag=True, help="Send an alert for each case at once instead.")
def add(address: str, *, name: str, language: str | None, digest_at: str, at_once: bool) -> None:
    """Add a channel; ADDRESS is its address, or - to read it from stdin.

    It gets alerts for all new cases and for problems of crawls and the installation. Add other rules at the desk.
    """
    given = sys.stdin.readline() if address == "-" else address
    if parse_time_of_day(digest_at) is None:
        raise click.UsageError(f"“{digest_at}” is not a time of day. Write it like 08:30.")
    try:
        read = read_address(given)
    except BadAddress as error:
        raise click.UsageError(f"{error.why} See docs/alerts.md for what can be given.") from error
    with store() as (settings, engine), transaction(engine) as session:
        channel = alert_channels.add_channel(session, name, read, language=language or settings.language)
        alert_rules.add_rule(session, channel.id, RuleTerms(name, digest_at=None if at_once else digest_at))
        secret = alert_channels.address_of(session, channel.id).secret
        audit_log.record(session, actor=None, act="channel.add", subject=channel.name, detail={"kind": channel.kind})
    say(f"Added channel {channel.name} ({channel.shown}).")
    if secret:
        say("Its messages are signed with the secret below, which is not shown again.")
        click.echo(secret)


@alert.command()
@click.argument("name")
def remove(name: str) -> None:
    """Remove a channel and its rules."""
    with store_session() as session:
        channel = alert_channels.channel_named(session, name)
        dropped = alert_channels.remove_channel(session, channel.id)
        audit_log.record(session, actor=None, act="channel.remove", subject=channel.name)
    say(f"Removed channel {channel.name} and {dropped} unsent alerts.")


@alert.command()
@click.argument("name")
def test(name: str) -> None:
    """Send a test message to a channel."""
    from zhiwen.alerts.dispatcher import try_channel  # noqa: PLC0415  # loads the translations

    with store() as (settings, engine):
        with transaction(engine) as session:
            channel = alert_channels.channel_named(session, name)
        outcome = try_channel(engine, settings, channel.id)
    if not outcome.is_sent:
        fail(f"{channel.name} did not accept the message: {outcome.problem}")
    say(f"{channel.name} accepted the message. {outcome.problem}".strip())


@alert.command()
def send() -> None:
    """Send all alerts that are due, as the worker does."""
    from zhiwen.alerts.dispatcher import work_off  # noqa: PLC0415  # as above

    with store() as (settings, engine):
        done = work_off(engine, settings)
    say(f"{done.sent} messages sent, {done.failed} failed.")
    if done.failed:
        fail("The worker tries failed messages again. See: zhiwen alert list")


def _row(channel: "ChannelRecord", rules: list["RuleRecord"]) -> tuple[object, ...]:
    alerts = ", ".join(f"{rule.terms.name} ({rule.terms.digest_at or 'at once'})" for rule in rules)
    return (
        channel.name,
        channel.kind if channel.enabled else f"{channel.kind}, off",
        channel.shown,
        channel.language,
        alerts or "none",
        channel.sent_at,
        f"{channel.failed_at} {channel.problem}" if channel.failed_at else "",
    )


def _rule_shape(rule: "RuleRecord") -> dict[str, Any]:
    terms = rule.terms
    return {
        "name": terms.name,
        "enabled": terms.enabled,
        "kinds": sorted(terms.kinds),
        "list": terms.queue,
        "site": rule.site,
        "owner": rule.owner,
        "least_severity": terms.least,
        "match_kinds": sorted(terms.match_kinds),
        "credits": sorted(terms.credits),
        "view": rule.view,
        "digest_at": terms.digest_at,
        "time_zone": terms.time_zone or None,
    }
