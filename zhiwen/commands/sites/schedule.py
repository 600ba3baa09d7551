"""`schedule`: when the worker crawls a site."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import click

from storage.errors import BadSchedule
from storage.jobs import queue, schedules
from storage.sites import sites
from zhiwen.config.parsers import time_zone as known_zone
from zhiwen.output.terminal import fail, json_option, print_records, say, store_session

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

    from storage.jobs.schedules import ScheduleRecord

MINUTE_S = 60
SHOWN_TIMES = 5


@click.group()
def schedule() -> None:
    """Manage crawl schedules. A worker keeps them: zhiwen worker."""


@schedule.command("list")
@json_option
def list_(*, as_json: bool) -> None:
    """List all schedules, the next crawl first."""
    with store_session() as session:
        found, alive = schedules.list_schedules(session), queue.has_workers(session)
    print_records(found, ("site", "rule", "time zone", "jitter", "next (UTC)", "last (UTC)"), _row, as_json=as_json)
    if found and not alive and not as_json:
        say("No worker is running: no schedule is kept. Start one: zhiwen worker")


def _row(one: "ScheduleRecord") -> tuple[object, ...]:
    jitter = f"{one.jitter_s // MINUTE_S} min" if one.jitter_s else ""
    following = "paused" if one.paused else _time(one.next_at)
    return one.site, _rule(one), one.time_zone, jitter, following, _time(one.last_at)


@schedule.command("set")
@click.argument("site")
@click.argument("rule", required=False)
@click.option("--time-zone", help="Time zone of a cron expression, such as Asia/Shanghai; by default the site's.")
@click.option(
    "--jitter", type=click.IntRange(0, 1440), help="Delay each crawl by a random number of minutes up to this."
)
@click.option("--pause", is_flag=True, help="Pause scheduled crawls until --resume.")
@click.option("--resume", is_flag=True, help="Resume scheduled crawls; missed ones are made up for by one.")
@click.option("--remove", is_flag=True, help="Remove the schedule.")
@click.option("--dry-run", is_flag=True, help="Show when this rule would crawl the site, and change nothing.")
def set_(
    site: str, rule: str | None, *, time_zone: str | None, jitter: int | None, dry_run: bool, **acts: bool
) -> None:
    """Set, pause, resume or remove the schedule of a site.

    RULE is `every 6 h` (min, h or d); `adaptive`, or `adaptive 10 min to 1 d`, which crawls more often where more
    changes; or a cron expression of five fields: `30 6 * * 1-5`.
    """
    chosen = [name for name, is_chosen in acts.items() if is_chosen]
    if len(chosen) + (rule is not None) != 1 or (chosen and (time_zone is not None or jitter is not None)):
        raise click.UsageError("Give a rule, or one of --pause, --resume and --remove.")
    if dry_run and rule is None:
        raise click.UsageError("--dry-run needs a rule.")
    try:
        with store_session() as session:
            known = sites.get_site(session, site)
            if rule is not None and dry_run:
                _show_coming(site, rule, _zone(time_zone) or known.settings.time_zone)
                return
            if rule is not None:
                zone, jitter_s = _zone(time_zone), (jitter or 0) * MINUTE_S
                now = datetime.now(UTC)
                schedules.set_schedule(session, known.id, rule, now=now, time_zone=zone, jitter_s=jitter_s)
            elif not _act(session, known.id, chosen[0]):
                fail(f"{site} has no schedule. Set one: zhiwen schedule set {site} 'every 6 h'")
            kept = schedules.get_schedule(session, known.id)
    except BadSchedule as error:
        raise click.UsageError(str(error)) from error
    say(f"{site} has no schedule." if kept is None else _described(kept))


def _zone(given: str | None) -> str | None:
    try:
        return None if given is None else known_zone(given)
    except ValueError as error:
        raise click.UsageError(f"--time-zone {given!r}: {error}") from error


def _show_coming(site: str, rule: str, zone: str) -> None:
    coming = schedules.coming(rule, now=datetime.now(UTC), time_zone=zone, count=SHOWN_TIMES)
    say(f"{site} would be crawled at these times (UTC) and so on. Nothing was changed.")
    for moment in coming:
        click.echo(_time(moment))


def _act(session: "Session", site_id: int, act: str) -> bool:
    if act == "remove":
        return schedules.remove(session, site_id)
    return schedules.pause(session, site_id, paused=act == "pause")


@schedule.command("run-now")
@click.argument("names", metavar="SITE…", nargs=-1, required=True)
def run_now(names: Sequence[str]) -> None:
    """Queue a crawl of sites now; their schedules stay as they are."""
    with store_session() as session:
        for name in names:
            sites.get_site(session, name)
            number = queue.defer_crawl(session, name, trigger="run now")
            say(f"{name}: a crawl is queued already." if number is None else f"{name}: job {number}.")
        alive = queue.has_workers(session)
    if not alive:
        say("No worker is running: the crawls begin when one does. Start one: zhiwen worker")


def _rule(one: "ScheduleRecord") -> str:
    return one.rule if one.wait_s is None else f"{one.rule} (now every {one.wait_s / MINUTE_S:.0f} min)"


def _described(one: "ScheduleRecord") -> str:
    if one.paused:
        return f"{one.site} is paused."
    return f"{one.site} is crawled {one.rule} ({one.time_zone}); next at {_time(one.next_at)} UTC."


def _time(moment: datetime | None) -> str:
    return "" if moment is None else f"{moment:%Y-%m-%d %H:%M}"
