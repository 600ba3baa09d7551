"""What the database says of its own health, and of what was done lately."""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Final

from storage import migrate
from storage.accounts import accounts
from storage.backups import history
from storage.embedded import server
from storage.engine import OLDEST_MAJOR, server_facts, transaction
from storage.errors import StorageError
from storage.jobs import queue, schedules
from storage.monitoring.metrics import queue_figures, worker_seen_at
from zhiwen.diagnostics.doctor import Finding, fail, ok, warn
from zhiwen.wiring import opened_server

if TYPE_CHECKING:
    from sqlalchemy import Engine
    from sqlalchemy.orm import Session

    from storage.backups.history import BackupRecord
    from zhiwen.config.settings import Settings

CLOCK_WARN: Final = timedelta(seconds=5)
CLOCK_FAIL: Final = timedelta(minutes=2)
"""From there on leases, schedules and stamps of several machines contradict each other."""

WORKER_LATELY: Final = timedelta(minutes=2)
BACKUP_LATELY: Final = timedelta(days=8)
SHOWN_ZONES: Final = 5
TESTED_LATELY: Final = timedelta(days=60)


def examine_store(settings: "Settings") -> Iterator[Finding]:
    """Everything that needs a connection; ends with the first thing without which nothing more can be told."""
    if settings.database_url is None and server.status(settings.home).data_directory is None:
        yield ok("database", "The built-in one is made when it is first needed.")
        return
    try:
        with opened_server(settings) as (_, engine):
            yield from examine_server(engine)
            revision, head = migrate.current(engine), migrate.head()
            yield examine_schema(revision, head, is_built_in=settings.database_url is None)
            if revision == head:
                with transaction(engine) as session:
                    yield from examine_work(session, queue.database_time(session))
    except StorageError as error:
        yield fail(
            "database",
            str(error),
            "See docs/settings.md, “A Postgres of your own”; zhiwen db stop ends a built-in one.",
        )


def examine_server(engine: "Engine") -> Iterator[Finding]:
    facts = server_facts(engine)
    yield ok("database", f"Postgres {facts.version} answers; {OLDEST_MAJOR} is the oldest that will do.")
    if facts.encoding != "UTF8":
        yield fail(
            "encoding", f"The database is in {facts.encoding}.", "Make it anew: CREATE DATABASE … ENCODING 'UTF8'."
        )
    else:
        yield ok("encoding", "The database is in UTF-8.")
    # The answer took as long as there and back: the server's clock was read about half-way.
    yield examine_clock(facts.clock - (facts.asked_at + (facts.answered_at - facts.asked_at) / 2))


def examine_clock(difference: timedelta) -> Finding:
    """`difference`: how far the database's clock is ahead of this machine's."""
    seconds = difference.total_seconds()
    says = f"The database's clock is {abs(seconds):.1f} s {'ahead of' if seconds > 0 else 'behind'} this machine's."
    mend = "Keep both by NTP: timedatectl set-ntp true."
    if abs(difference) >= CLOCK_FAIL:
        return fail("clock", says, mend)
    return warn("clock", says, mend) if abs(difference) >= CLOCK_WARN else ok("clock", says)


def examine_schema(revision: str | None, head: str, *, is_built_in: bool) -> Finding:
    if revision == head:
        return ok("schema", f"Revision {head}, this program's.")
    if revision is not None and revision > head:
        says = f"Revision {revision} is newer than this program's ({head})."
        return fail("schema", says, "Update Zhiwen on this machine.")
    says = f"Revision {revision or 'none'}; this program's is {head}."
    if is_built_in or revision is None:
        return warn("schema", says, "Any command brings it up to date, as does: zhiwen db upgrade.")
    return fail("schema", says, "Make a back-up, then: zhiwen db upgrade.")


def examine_work(session: "Session", now: datetime) -> Iterator[Finding]:
    yield examine_worker(worker_seen_at(session), now)
    set_aside = sum(one.jobs for one in queue_figures(session) if one.state == "set aside")
    if set_aside:
        yield warn("jobs", f"{set_aside} were set aside.", "See why: zhiwen jobs. Then --retry or --drop each.")
    else:
        yield ok("jobs", "None was set aside.")
    yield examine_zones(schedules.unknown_zones(session))
    if accounts.list_accounts(session):
        yield ok("accounts", "Somebody can log in.")
    else:
        yield warn("accounts", "Nobody can log in to the admin.", "zhiwen user add NAME")
    yield examine_backup(history.newest(session), history.newest_tested(session), now)


def examine_worker(seen_at: datetime | None, now: datetime) -> Finding:
    mend = "Start one: zhiwen worker, or zhiwen up. Without it nothing is crawled by schedule and nobody is told."
    if seen_at is None:
        return warn("worker", "None is at work.", mend)
    if now - seen_at > WORKER_LATELY:
        return warn(
            "worker", f"None has given a sign of life since {seen_at.astimezone(UTC):%Y-%m-%d %H:%M} UTC.", mend
        )
    return ok("worker", "One is at work.")


def examine_zones(unknown: Sequence[tuple[str, str]]) -> Finding:
    if not unknown:
        return ok("time zones", "Those of all sites are known here.")
    named = ", ".join(f"{zone!r} of {site}" for site, zone in unknown[:SHOWN_ZONES])
    left_out = f" and {len(unknown) - SHOWN_ZONES} more" if len(unknown) > SHOWN_ZONES else ""
    says = f"This machine does not know {named}{left_out}. Their days and schedules are counted in UTC until then."
    mend = (
        "Give another: zhiwen site edit NAME --time-zone …, zhiwen schedule set NAME … --time-zone …; or update tzdata."
    )
    return warn("time zones", says, mend)


def examine_backup(newest: "BackupRecord | None", tested: "BackupRecord | None", now: datetime) -> Finding:
    if newest is None:
        return warn("back-up", "None was ever made.", "zhiwen db backup FILE, or set ZHIWEN_BACKUP_FOLDER.")
    age = now - newest.made_at
    says = f"The newest is {age.days} days old, in {newest.place}."
    if age > BACKUP_LATELY:
        return warn("back-up", says, "Make one: zhiwen db backup FILE. See zhiwen jobs if a worker is to.")
    if tested is None or now - tested.made_at > TESTED_LATELY:
        says = f"{says} None of the last {TESTED_LATELY.days} days was tried out."
        return warn("back-up", says, "Try whether it can be restored: zhiwen db restore --verify FILE.")
    return ok("back-up", says)
