"""`schedule`: when sites are crawled by themselves."""

from collections.abc import Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import click

from storage.engine import transaction
from storage.errors import BadSchedule
from storage.jobs import queue, schedules
from storage.sites import sites
from zhiwen.output.terminal import fail, json_option, print_json, print_table, reporting_errors, say, store

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

    from storage.jobs.schedules import ScheduleRecord

MINUTE_S = 60
SHOWN_TIMES = 5


@click.group()
def schedule() -> None:
    """Schedules: when sites are crawled by themselves. A worker keeps them: zhiwen worker."""


@schedule.command("list")
@json_option
@reporting_errors
def list_(*, as_json: bool) -> None:
    """All schedules, the next one first."""
    with store() as (_, engine), transaction(engine) as session:
        found, alive = schedules.list_schedules(session), queue.has_workers(session)
    if as_json:
        for one in found:
            print_json(asdict(one))
        return
    rows = [
        (one.site, _rule(one), one.time_zone, _minutes(one.jitter_s), "paused" if one.paused else _time(one.next_at),
         _time(one.last_at))
        for one in found
    ]  # fmt: skip
    print_table(("site", "when", "time zone", "give or take", "next (UTC)", "last (UTC)"), rows)
    if found and not alive:
        say("No worker is at work: nothing is crawled by itself. Start one: zhiwen worker")


@schedule.command("set")
@click.argument("site")
@click.argument("rule", required=False)
@click.option("--time-zone", help="Of a cron expression, such as Asia/Shanghai; the site's own unless given.")
@click.option("--jitter", type=click.IntRange(0, 1440), help="Begin up to so many minutes later, by chance.")
@click.option("--pause", is_flag=True, help="Crawl it no more by itself, until --resume.")
@click.option("--resume", is_flag=True, help="Go on; what was missed is caught up once.")
@click.option("--remove", is_flag=True, help="Take its schedule away.")
@click.option("--dry-run", is_flag=True, help="Tell when it would be crawled by this rule, and change nothing.")
@reporting_errors
def set_(
    site: str, rule: str | None, *, time_zone: str | None, jitter: int | None, dry_run: bool, **acts: bool
) -> None:
    """Say when a site is crawled by itself.

    RULE is `every 6 h` (min, h or d); `adaptive`, or `adaptive 10 min to 1 d`: often where much changes; or a cron
    expression of five fields: `30 6 * * 1-5`.
    """
    chosen = [name for name, is_chosen in acts.items() if is_chosen]
    if len(chosen) + (rule is not None) != 1 or (chosen and (time_zone is not None or jitter is not None)):
        raise click.UsageError("Give a rule, or one of --pause, --resume and --remove.")
    if dry_run and rule is None:
        raise click.UsageError("--dry-run needs a rule to try.")
    with store() as (_, engine), transaction(engine) as session:
        known = sites.get_site(session, site)
        if rule is not None and dry_run:
            _try(site, rule, _zone(time_zone) or known.settings.time_zone)
            return
        if rule is not None:
            _set(session, known.id, rule, time_zone, jitter)
        elif not _act(session, known.id, chosen[0]):
            fail(f"{site} has no schedule. Give it one: zhiwen schedule set {site} 'every 6 h'")
        now = schedules.get_schedule(session, known.id)
    say(f"{site} is crawled by no schedule." if now is None else _told(now))


def _set(session: "Session", site_id: int, rule: str, time_zone: str | None, jitter: int | None) -> None:
    zone, jitter_s = _zone(time_zone), (jitter or 0) * MINUTE_S
    try:
        schedules.set_schedule(session, site_id, rule, now=datetime.now(UTC), time_zone=zone, jitter_s=jitter_s)
    except BadSchedule as error:
        raise click.UsageError(str(error)) from error


def _zone(given: str | None) -> str | None:
    from zhiwen.config.parsers import time_zone as known_zone  # noqa: PLC0415

    try:
        return None if given is None else known_zone(given)
    except ValueError as error:
        raise click.UsageError(f"--time-zone {given!r}: {error}") from error


def _try(site: str, rule: str, zone: str) -> None:
    try:
        coming = schedules.coming(rule, now=datetime.now(UTC), time_zone=zone, count=SHOWN_TIMES)
    except BadSchedule as error:
        raise click.UsageError(str(error)) from error
    say(f"{site} would be crawled at these times (UTC) and so on; nothing was changed:")
    for moment in coming:
        click.echo(_time(moment))


def _act(session: "Session", site_id: int, act: str) -> bool:
    if act == "remove":
        return schedules.remove(session, site_id)
    return schedules.pause(session, site_id, paused=act == "pause")


@schedule.command("run-now")
@click.argument("names", metavar="SITE…", nargs=-1, required=True)
@reporting_errors
def run_now(names: Sequence[str]) -> None:
    """Put a crawl of sites into the queue, whatever their schedules say. Their schedules stay."""
    with store() as (_, engine), transaction(engine) as session:
        for name in names:
            sites.get_site(session, name)
            number = queue.defer_crawl(session, name, trigger="run now")
            say(f"{name}: a crawl waits already." if number is None else f"{name}: job {number}.")
        alive = queue.has_workers(session)
    if not alive:
        say("No worker is at work: they begin when one is. Start one: zhiwen worker")


def _rule(one: "ScheduleRecord") -> str:
    return one.rule if one.wait_s is None else f"{one.rule} (now every {one.wait_s / MINUTE_S:.0f} min)"


def _told(one: "ScheduleRecord") -> str:
    if one.paused:
        return f"{one.site} is paused."
    return f"{one.site} is crawled {one.rule} ({one.time_zone}); next at {_time(one.next_at)} UTC."


def _time(moment: datetime | None) -> str:
    return "" if moment is None else f"{moment:%Y-%m-%d %H:%M}"


def _minutes(seconds: int) -> str:
    return f"{seconds // MINUTE_S} min" if seconds else ""
