"""`alert`: where alerts go, whether they get there, and sending what waits."""

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
from zhiwen.output.terminal import fail, json_option, print_json, print_table, reporting_errors, say, store

if TYPE_CHECKING:
    from storage.records.alerts import ChannelRecord, RuleRecord


@click.group()
def alert() -> None:
    """Alerts: where they go, whether they get there."""


@alert.command("list")
@json_option
@reporting_errors
def list_(*, as_json: bool) -> None:
    """Channels with their rules, and what waits."""
    with store() as (_settings, engine), transaction(engine) as session:
        channels = alert_channels.list_channels(session)
        rules = alert_rules.list_rules(session)
        counts = history.counts(session)
    if as_json:
        for channel in channels:
            own = [_rule_shape(rule) for rule in rules if rule.channel_id == channel.id]
            print_json(asdict(channel) | {"rules": own})
        return
    print_table(
        ("channel", "kind", "to", "language", "told of", "last sent", "last failure"),
        (_row(channel, [rule for rule in rules if rule.channel_id == channel.id]) for channel in channels),
    )
    say(
        f"{counts.waiting} messages wait for their channel, {counts.set_aside} were set aside; "
        f"{counts.for_later} alerts wait for their time, {counts.held} for a look."
    )


@alert.command()
@click.argument("address")
@click.option("--name", required=True, help="What it is called.")
@click.option("--language", type=click.Choice(["zh", "en"]), help="Of its messages; the installation's if not given.")
@click.option("--at", "digest_at", default=DEFAULT_DIGEST, show_default=True, help="When the daily digest is sent.")
@click.option("--at-once", is_flag=True, help="Tell of each case at once instead.")
@reporting_errors
def add(address: str, *, name: str, language: str | None, digest_at: str, at_once: bool) -> None:
    """Add a channel; ADDRESS is its address, or - to read it from standard input.

    It is told of all new cases of ours, and of whatever keeps Zhiwen from seeing. Other rules are made at the desk.
    """
    given = sys.stdin.readline() if address == "-" else address
    if parse_time_of_day(digest_at) is None:
        raise click.UsageError(f"“{digest_at}” is no time of day, such as 08:30.")
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
        say("Its messages are signed with the secret below. It is not shown again.")
        click.echo(secret)


@alert.command()
@click.argument("name")
@reporting_errors
def remove(name: str) -> None:
    """Remove a channel with its rules."""
    with store() as (_settings, engine), transaction(engine) as session:
        channel = alert_channels.channel_named(session, name)
        dropped = alert_channels.remove_channel(session, channel.id)
        audit_log.record(session, actor=None, act="channel.remove", subject=channel.name)
    say(f"Removed channel {channel.name}. Alerts that it is not told of any more: {dropped}.")


@alert.command()
@click.argument("name")
@reporting_errors
def test(name: str) -> None:
    """Send a test message over a channel."""
    from zhiwen.alerts.dispatcher import try_channel  # noqa: PLC0415  # the words are loaded only by those who send

    with store() as (settings, engine):
        with transaction(engine) as session:
            channel = alert_channels.channel_named(session, name)
        outcome = try_channel(engine, settings, channel.id)
    if not outcome.is_sent:
        fail(f"{channel.name} did not take the message: {outcome.problem}")
    say(f"{channel.name} took the message. {outcome.problem}".strip())


@alert.command()
@reporting_errors
def send() -> None:
    """Send what is to be sent by now, as the worker does by itself."""
    from zhiwen.alerts.dispatcher import work_off  # noqa: PLC0415  # as above

    with store() as (settings, engine):
        done = work_off(engine, settings)
    say(f"{done.sent} messages sent, {done.failed} failed.")
    if done.failed:
        fail("What failed is tried again by the worker. See: zhiwen alert list")


def _row(channel: "ChannelRecord", rules: list["RuleRecord"]) -> tuple[object, ...]:
    told = ", ".join(f"{rule.terms.name} ({rule.terms.digest_at or 'at once'})" for rule in rules)
    return (
        channel.name,
        channel.kind if channel.enabled else f"{channel.kind}, off",
        channel.shown,
        channel.language,
        told or "nothing",
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
