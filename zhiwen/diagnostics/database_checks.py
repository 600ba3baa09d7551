"""Checks of the doctor that need the database: server, schema, worker, backups, encoded texts."""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Final

from matcher.meaning.layer import LayerState
from storage import migrate
from storage.accounts import accounts
from storage.backups import history
from storage.embedded import server
from storage.engine import OLDEST_MAJOR, server_facts, transaction
from storage.errors import StorageError
from storage.jobs import queue, schedules
from storage.meaning.background import ENOUGH
from storage.monitoring.metrics import queue_figures, worker_seen_at
from storage.postgres.replica import ReplicaState
from zhiwen.diagnostics.doctor import Finding, fail, ok, warn
from zhiwen.wiring import opened_replica, opened_server
from zhiwen.worker.encoding import state_of_layer

if TYPE_CHECKING:
    from sqlalchemy import Engine
    from sqlalchemy.orm import Session

    from storage.backups.history import BackupRecord
    from zhiwen.config.settings import Settings

CLOCK_WARN: Final = timedelta(seconds=5)
CLOCK_FAIL: Final = timedelta(minutes=2)
"""At this difference, leases, schedules and time stamps of several machines contradict each other."""

WORKER_LATELY: Final = timedelta(minutes=2)
BACKUP_LATELY: Final = timedelta(days=8)
SHOWN_ZONES: Final = 5
TESTED_LATELY: Final = timedelta(days=60)


def examine_store(settings: "Settings") -> Iterator[Finding]:
    """All checks that need a connection. Ends early if the database does not answer or its schema is not current."""
    if settings.database_url is None and server.status(settings.home).data_directory is None:
        yield ok("database", "The built-in one is created when it is first used.")
        return
    try:
        with opened_server(settings) as (_, engine):
            yield from examine_server(engine)
            with opened_replica(settings, engine) as replica:
                if replica is not None:
                    yield examine_replica(replica.state())
            revision, head = migrate.current(engine), migrate.head()
            yield examine_schema(revision, head, is_built_in=settings.database_url is None)
            if revision == head:
                with transaction(engine) as session:
                    yield from examine_work(session, queue.database_time(session))
                    yield from examine_meaning(
                        state_of_layer(settings, session), is_built_in=settings.database_url is None
                    )
    except StorageError as error:
        yield fail(
            "database",
            str(error),
            "See docs/settings.md, “A Postgres of your own”. Stop a built-in one with: zhiwen db stop.",
        )


def examine_server(engine: "Engine") -> Iterator[Finding]:
    facts = server_facts(engine)
    yield ok("database", f"Postgres {facts.version} answers; {OLDEST_MAJOR} or newer is required.")
    if facts.encoding != "UTF8":
        yield fail(
            "encoding", f"The database is in {facts.encoding}.", "Create it again: CREATE DATABASE … ENCODING 'UTF8'."
        )
    else:
        yield ok("encoding", "The database is in UTF-8.")
    # The server read its clock about half-way between question and answer.
    yield examine_clock(facts.clock - (facts.asked_at + (facts.answered_at - facts.asked_at) / 2))


def examine_replica(state: ReplicaState) -> Finding:
    if state.problem is None:
        return ok("replica", f"It is used, and up to {state.lag_s or 0.0:.1f} s behind.")
    mend = "Until then the primary answers checks and lists. See docs/scaling.md, “Read replicas”."
    return warn("replica", f"It is not used: {state.problem}.", mend)


def examine_clock(difference: timedelta) -> Finding:
    """`difference`: of the database's clock to this machine's; positive if it is ahead."""
    seconds = difference.total_seconds()
    says = f"The database's clock is {abs(seconds):.1f} s {'ahead of' if seconds > 0 else 'behind'} this machine's."
    mend = "Synchronise both with NTP: timedatectl set-ntp true."
    if abs(difference) >= CLOCK_FAIL:
        return fail("clock", says, mend)
    return warn("clock", says, mend) if abs(difference) >= CLOCK_WARN else ok("clock", says)


def examine_schema(revision: str | None, head: str, *, is_built_in: bool) -> Finding:
    if revision == head:
        return ok("schema", f"Revision {head} is this program's.")
    if revision is not None and revision > head:
        says = f"Revision {revision} is newer than this program's ({head})."
        return fail("schema", says, "Update Zhiwen on this machine.")
    says = f"Revision {revision or 'none'}; this program's is {head}."
    if is_built_in or revision is None:
        return warn("schema", says, "Any command upgrades it, as does: zhiwen db upgrade.")
    return fail("schema", says, "Make a backup, then run: zhiwen db upgrade.")


def examine_work(session: "Session", now: datetime) -> Iterator[Finding]:
    yield examine_worker(worker_seen_at(session), now)
    set_aside = sum(one.jobs for one in queue_figures(session) if one.state == "set aside")
    if set_aside:
        yield warn(
            "jobs",
            f"{set_aside} jobs were set aside.",
            "See the reasons with zhiwen jobs, then --retry or --drop each.",
        )
    else:
        yield ok("jobs", "No job was set aside.")
    yield examine_zones(schedules.unknown_zones(session))
    if accounts.list_accounts(session):
        yield ok("accounts", "There are accounts.")
    else:
        yield warn("accounts", "Nobody can log in to the admin.", "Add an account: zhiwen user add NAME.")
    yield examine_backup(history.newest(session), history.newest_tested(session), now)


def examine_meaning(state: LayerState | None, *, is_built_in: bool) -> Iterator[Finding]:
    """Whether retellings can be looked up. Without an encoder, nothing: its extra is reported with the others."""
    if state is None:
        return
    if not state.has_extension and not (is_built_in and state.is_available):
        says = "The database has no pgvector: copies in other words are not looked up. All else works."
        yield warn("meaning", says, state.remedy())
        return
    problem, shortfall = state.problem(), state.shortfall()
    if state.texts < ENOUGH or (is_built_in and not state.has_extension):
        yield ok("meaning", f"Copies in other words are looked up from {ENOUGH} texts on.")
    elif problem is not None:
        yield warn("meaning", problem, "Run: zhiwen match, or let a worker do it.")
    elif shortfall is not None:
        yield warn("meaning", shortfall, "Run: zhiwen match, or let a worker do it.")
    else:
        yield ok("meaning", f"All {state.texts} texts are encoded by {state.encoder}.")


def examine_worker(seen_at: datetime | None, now: datetime) -> Finding:
    mend = "Start one: zhiwen worker, or zhiwen up. Without it, there are no scheduled crawls and no alerts."
    if seen_at is None:
        return warn("worker", "No worker is running.", mend)
    if now - seen_at > WORKER_LATELY:
        return warn(
            "worker", f"No worker has sent a heartbeat since {seen_at.astimezone(UTC):%Y-%m-%d %H:%M} UTC.", mend
        )
    return ok("worker", "A worker is running.")


def examine_zones(unknown: Sequence[tuple[str, str]]) -> Finding:
    if not unknown:
        return ok("time zones", "The time zones of all sites are known.")
    named = ", ".join(f"{zone!r} of {site}" for site, zone in unknown[:SHOWN_ZONES])
    left_out = f" and {len(unknown) - SHOWN_ZONES} more" if len(unknown) > SHOWN_ZONES else ""
    says = f"This machine does not know {named}{left_out}. Until then, their dates and schedules are in UTC."
    mend = (
        "Set another: zhiwen site edit NAME --time-zone …, zhiwen schedule set NAME … --time-zone …; or update tzdata."
    )
    return warn("time zones", says, mend)


def examine_backup(newest: "BackupRecord | None", tested: "BackupRecord | None", now: datetime) -> Finding:
    if newest is None:
        return warn("back-up", "There is no backup.", "Make one: zhiwen db backup FILE, or set ZHIWEN_BACKUP_FOLDER.")
    age = now - newest.made_at
    says = f"The newest backup is {age.days} days old, in {newest.place}."
    if age > BACKUP_LATELY:
        return warn("back-up", says, "Make one: zhiwen db backup FILE. If the worker makes them, see: zhiwen jobs.")
    if tested is None or now - tested.made_at > TESTED_LATELY:
        says = f"{says} None was tested in the last {TESTED_LATELY.days} days."
        return warn("back-up", says, "Test it: zhiwen db restore --verify FILE.")
    return ok("back-up", says)
