"""The database part of a back-up: a consistent dump, restored beside the present database, and swapped in."""

import re
import secrets
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any, Final

from sqlalchemy import URL, Connection, Engine, create_engine, func, make_url, select, text
from sqlalchemy.exc import DBAPIError
from sqlalchemy.orm import Session
from sqlalchemy.pool import NullPool

from storage import migrate
from storage.backups.pg_tools import (
    FIRST_WITH_TRANSACTION_TIMEOUT,
    UNKNOWN_TO_OLDER,
    contents,
    fitting,
    installed_tools,
    run_tool,
)
from storage.embedded.extension import SCHEMA as VECTOR_SCHEMA
from storage.engine import CONNECT_TIMEOUT_S
from storage.errors import BackupFailed
from storage.evidence import chain_store
from storage.jobs.queue import SCHEMA as QUEUE
from storage.meaning.vector_index import INDEX_PREFIX
from storage.models.evidence import Evidence
from storage.records.evidence import Head

LEFT_OUT: Final = ("public.desk_session", "public.password_link", "public.request_count")
"""Tables whose rows are not dumped: sessions and links that were ended since would be valid again. After a restore
everybody logs in again."""

_NOT_RESTORED: Final = re.compile(
    r"^\d+; \d+ \d+ (?:"
    r"(?:COMMENT - )?EXTENSION (?:- )?vector\b"  # only a superuser may create it
    rf"|(?:COMMENT - )?SCHEMA (?:- )?{VECTOR_SCHEMA}\b"
    rf"|INDEX public {INDEX_PREFIX}\w+"  # needs the extension
    r")"
)
"""Entries of a dump that are not restored: the vectors are, and their index is built when they are next used."""

MAINTENANCE: Final = "postgres"
"""The database from which others are created, renamed and dropped."""

LONGEST_NAME: Final = 63
_RESTORED, _REPLACED = "_restored_", "_replaced_"
_USE_CHECKS: Final = 20
_BETWEEN_CHECKS_S: Final = 0.1

_TABLES: Final = text(
    "SELECT n.nspname || '.' || c.relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace"
    " WHERE c.relkind = 'r' AND n.nspname IN ('public', :queue) ORDER BY 1"
)
_OTHERS: Final = text(
    "SELECT coalesce(nullif(application_name, ''), 'a program') AS name, count(*) AS sessions FROM pg_stat_activity"
    " WHERE datname = :name AND pid <> pg_backend_pid() AND backend_type = 'client backend' GROUP BY 1 ORDER BY 1"
)
_LOOKS: Final = text("SELECT to_jsonb(d) FROM pg_database d WHERE datname = :name")
_MAY_MAKE: Final = text("SELECT rolcreatedb OR rolsuper FROM pg_roles WHERE rolname = current_user")
_END_OURS: Final = text(
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
    " WHERE datname = :name AND usename = current_user AND pid <> pg_backend_pid()"
)
_REACHES_OUTSIDE: Final = text(
    "SELECT rolsuper OR pg_has_role(oid, 'pg_execute_server_program', 'MEMBER')"
    " OR pg_has_role(oid, 'pg_write_server_files', 'MEMBER') OR pg_has_role(oid, 'pg_read_server_files', 'MEMBER')"
    " FROM pg_roles WHERE rolname = current_user"
)
_LEFT_BEHIND: Final = text(r"SELECT datname FROM pg_database WHERE starts_with(datname, :prefix)")

Watch = Callable[[str], None]
"""Receives the lines that pg_dump and pg_restore write."""


@dataclass(frozen=True, slots=True)
class Moment:
    """The store at one moment, valid inside the block of `snapshot`."""

    connection: Connection
    id: str
    """The snapshot's id for pg_dump."""
    at: datetime
    schema: str
    server_major: int

    def rows(self) -> dict[str, int]:
        """Return the number of dumped rows by table."""
        return count_rows(self.connection)

    def evidence_files(self) -> Iterator[bytes]:
        """Yield the distinct digests of files that entries name and that are not removed."""
        if not self._has_evidence():
            return
        live = select(Evidence.record).where(Evidence.record.is_not(None), Evidence.removed_by.is_(None)).distinct()
        yield from (bytes(digest) for digest in self.connection.execute(live).scalars() if digest is not None)

    def head(self) -> Head | None:
        with Session(self.connection) as session:
            return chain_store.head(session) if self._has_evidence() else None

    def _has_evidence(self) -> bool:
        """Tables of an early revision have none."""
        found: bool = self.connection.execute(text("SELECT to_regclass('public.evidence') IS NOT NULL")).scalar_one()
        return found


@contextmanager
def moment(engine: Engine) -> Iterator[Moment]:
    """Hold a snapshot: writers continue, but no file of the evidence is deleted meanwhile."""
    holding = engine.connect().execution_options(isolation_level="AUTOCOMMIT")
    # A separate connection: the lock must be ours before the snapshot is taken.
    with _said_kindly(), holding, engine.connect().execution_options(isolation_level="REPEATABLE READ") as connection:
        holding.execute(select(func.pg_advisory_lock_shared(chain_store.FILES_LOCK)))
        try:
            with connection.begin():
                connection.execute(text("SET TRANSACTION READ ONLY"))
                if connection.execute(text("SELECT to_regclass('alembic_version') IS NULL")).scalar_one():
                    raise BackupFailed("There is no store yet: the database holds no tables of Zhiwen.")
                row = connection.execute(text("SELECT pg_export_snapshot() AS id, now() AS at")).one()
                schema = connection.execute(text("SELECT version_num FROM alembic_version")).scalar_one()
                yield Moment(connection, row.id, row.at, schema, server_major(connection))
        finally:
            holding.invalidate()  # releases the lock, even if the server does not answer


def server_major(connection: Connection) -> int:
    return int(connection.execute(text("SHOW server_version_num")).scalar_one()) // 10_000


def count_rows(connection: Connection) -> dict[str, int]:
    names = [name for name in connection.execute(_TABLES, {"queue": QUEUE}).scalars() if name not in LEFT_OUT]
    counted = {}
    for name in names:
        table = ".".join(_quoted(part) for part in name.split(".", 1))
        counted[name] = connection.execute(text(f"SELECT count(*) FROM {table}")).scalar_one()  # noqa: S608  # quoted
    return counted


def dump(url: str, at: Moment, target: Path, *, watch: Watch, should_stop: Callable[[], bool]) -> int:
    """Write the database at that moment in pg_dump's custom format. Return the major version of the program.

    Raises BackupFailed, BackupInterrupted.
    """
    tools = fitting(installed_tools(), at.server_major)
    left_out = [f"--exclude-table-data={name}" for name in LEFT_OUT]
    # Bounded: a migration or an index build may hold a lock for long.
    command = [tools.program("pg_dump"), "--format=custom", "--no-owner", "--no-privileges", "--verbose",
               "--lock-wait-timeout=60s", f"--snapshot={at.id}", f"--file={target}", *left_out]  # fmt: skip
    run_tool(command, make_url(url), on_line=watch, should_stop=should_stop)
    return tools.major


def is_empty(engine: Engine) -> bool:
    """Return whether the database holds no data of ours: no tables, or those of a new store."""
    with engine.connect() as connection:
        known = set(connection.execute(_TABLES, {"queue": QUEUE}).scalars())
        if not known:
            return True
        if "public.alembic_version" not in known:
            return False
        ours = ("site", "page", "text", "account", "evidence", "licence", "submission", "owner")
        there = [name for name in ours if f"public.{name}" in known]
        return not any(
            connection.execute(text(f"SELECT EXISTS (SELECT 1 FROM {_quoted(name)})")).scalar_one()  # noqa: S608
            for name in there
        )


def require_bounded_role(engine: Engine) -> None:
    """Check the role's rights. Raises BackupFailed if its SQL can run programs or read files of the server."""
    with _said_kindly(), engine.connect() as connection:
        reaches_outside = connection.execute(_REACHES_OUTSIDE).scalar_one()
    if reaches_outside:
        role = str(engine.url.username)
        raise BackupFailed(
            f"A foreign back-up is a program, and the database role {role} could run programs of the server for it. "
            f"Restore as a role without that right (CREATE ROLE {_quoted(role + '_restore')} LOGIN CREATEDB, and name "
            f"it in DATABASE_URL)."
        )


@contextmanager
def scratch(url: str, *, to_swap: bool = False) -> Iterator["Scratch"]:
    """Create a new database beside that of `url`, for one restore at a time; dropped at the end unless swapped in.

    Remains of a killed restore are dropped first. Raises BackupFailed; if `to_swap`, at once when the present
    database is in use.
    """
    target = make_url(url)
    name = str(target.database)
    server = create_engine(target.set(database=MAINTENANCE), isolation_level="AUTOCOMMIT", poolclass=NullPool,
                           connect_args={"connect_timeout": CONNECT_TIMEOUT_S})  # fmt: skip
    with _said_kindly(), server.connect() as connection:
        key = func.hashtextextended(f"zhiwen restore {name}", 0)
        if not connection.execute(select(func.pg_try_advisory_lock(key))).scalar_one():
            raise BackupFailed("Another restore of this store is at work. Wait for it to end.")
        if not connection.execute(_MAY_MAKE).scalar_one():
            raise BackupFailed(
                f"A restore is made in a new database, and the user {target.username} may not make databases. "
                f"Let it, as a superuser: ALTER ROLE {_quoted(str(target.username))} CREATEDB"
            )
        _drop_left_behind(connection, name)
        made = Scratch(target, target.set(database=_beside(name, _RESTORED)), connection)
        if to_swap:
            made.require_unused()
        _make_like(connection, name, str(made.url.database))
        try:
            yield made
        finally:
            if not made.swapped:
                _drop(connection, str(made.url.database))
    server.dispose()


@dataclass(slots=True)
class Scratch:
    """A database that is being restored. `target`: the one that it may replace."""

    target: URL
    url: URL
    server: Connection
    swapped: bool = False

    @property
    def address(self) -> str:
        return self.url.render_as_string(hide_password=False)

    def fill(self, dumped: Path, dumped_by: int, *, watch: Watch, should_stop: Callable[[], bool]) -> None:
        """Restore a dump into it. Raises BackupFailed on the first error, or BackupInterrupted."""
        major = server_major(self.server)
        tools = fitting(installed_tools(), max(major, dumped_by))
        older = tools.major >= FIRST_WITH_TRANSACTION_TIMEOUT > major
        command = [tools.program("pg_restore"), "--no-owner", "--no-privileges", "--verbose"]
        tolerated = UNKNOWN_TO_OLDER if older else None
        if not older:
            command.append("--exit-on-error")
        with NamedTemporaryFile("w", encoding="utf-8", suffix=".list") as chosen:
            chosen.writelines(f"{line}\n" for line in contents(tools, dumped) if not _NOT_RESTORED.search(line))
            chosen.flush()
            command += [f"--use-list={chosen.name}", str(dumped)]
            run_tool(command, self.url, on_line=watch, should_stop=should_stop, tolerated=tolerated)

    def upgrade(self) -> None:
        """Upgrade a dump of an earlier version to this program's schema."""
        migrate.upgrade(self.address)

    def take_place(self) -> None:
        """Replace the target in one transaction: clients connect to the old store or the new one. Drops the old one.

        Raises BackupFailed if somebody is connected to either; then nothing has changed.
        """
        name = str(self.target.database)
        self.require_unused()
        replaced = _beside(name, _REPLACED)
        try:
            self.server.execute(text("BEGIN"))
            self.server.execute(text(f"ALTER DATABASE {_quoted(name)} RENAME TO {_quoted(replaced)}"))
            self.server.execute(text(f"ALTER DATABASE {_quoted(str(self.url.database))} RENAME TO {_quoted(name)}"))
            self.server.execute(text("COMMIT"))
        except DBAPIError:
            self.server.execute(text("ROLLBACK"))
            self.require_unused()
            raise
        self.swapped = True
        _drop(self.server, replaced)

    def require_unused(self) -> None:
        """Raise BackupFailed if anybody is connected to the store to be replaced. A connection that was just closed is
        listed for a moment longer.
        """
        name, others = str(self.target.database), []
        for _ in range(_USE_CHECKS):
            others = [f"{row.name} ({row.sessions})" for row in self.server.execute(_OTHERS, {"name": name})]
            if not others:
                return
            time.sleep(_BETWEEN_CHECKS_S)
        if others:
            raise BackupFailed(
                f"The store is in use by {', '.join(others)}. Stop the worker, the admin and every other program of "
                f"Zhiwen first; nothing was changed."
            )


def _drop_left_behind(connection: Connection, name: str) -> None:
    for mark in (_RESTORED, _REPLACED):
        for left in connection.execute(_LEFT_BEHIND, {"prefix": _beside(name, mark, "")}).scalars().all():
            _drop(connection, left)


def _make_like(connection: Connection, model: str, name: str) -> None:
    looks: Mapping[str, Any] = connection.execute(_LOOKS, {"name": model}).scalar_one()
    provider = {"c": "libc", "i": "icu", "b": "builtin"}[looks["datlocprovider"]]
    words = [f"LOCALE_PROVIDER {provider}", f"LC_COLLATE {_text(looks['datcollate'])}",
             f"LC_CTYPE {_text(looks['datctype'])}"]  # fmt: skip
    locale = looks.get("datlocale") or looks.get("daticulocale")
    if locale and provider != "libc":
        words.append(f"{provider.upper()}_LOCALE {_text(locale)}")
    connection.execute(text(f"CREATE DATABASE {_quoted(name)} TEMPLATE template0 ENCODING 'UTF8' {' '.join(words)}"))


def _drop(connection: Connection, name: str) -> None:
    # A closing connection of ours must not prevent the drop. FORCE would end autovacuum too, which needs a right that
    # the role may lack; without FORCE the server waits for it.
    connection.execute(_END_OURS, {"name": name})
    connection.execute(text(f"DROP DATABASE IF EXISTS {_quoted(name)}"))


def _beside(name: str, mark: str, ending: str | None = None) -> str:
    unique = secrets.token_hex(4) if ending is None else ending
    return f"{name.encode()[: LONGEST_NAME - len(mark) - 8].decode('utf-8', 'ignore')}{mark}{unique}"


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _text(value: str) -> str:
    return "'" + value.replace("'", "''") + "'"


@contextmanager
def _said_kindly() -> Iterator[None]:
    try:
        yield
    except DBAPIError as error:
        said = (str(error.orig).strip() or "no answer").splitlines()[0]
        raise BackupFailed(f"The database server refused: {said}") from error
