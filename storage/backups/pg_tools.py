"""pg_dump and pg_restore: selection by server version, and execution."""

import contextlib
import os
import re
import select
import subprocess
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from sqlalchemy import URL

from storage.embedded.binaries import client_programs
from storage.errors import BackupFailed, BackupInterrupted, EmbeddedPostgresError

SYSTEM_PLACES: Final = ("/usr/lib/postgresql/*/bin", "/usr/pgsql-*/bin", "/usr/local/bin", "/usr/bin")
POLL_S: Final = 0.2
CHUNK: Final = 65_536
LINES_SHOWN: Final = 8

FIRST_WITH_TRANSACTION_TIMEOUT: Final = 17
UNKNOWN_TO_OLDER: Final = 'unrecognized configuration parameter "transaction_timeout"'
"""The error of an older server at the first line of pg_restore 17 and newer; it is harmless."""

_IN_C: Final = {"LC_ALL": "C"}
_VERSION: Final = re.compile(r"\(PostgreSQL\) (\d+)")


@dataclass(frozen=True, slots=True)
class Tools:
    """One installation of the client programs."""

    major: int
    directory: Path

    def program(self, name: str) -> str:
        return str(self.directory / name)


def installed_tools() -> list[Tools]:
    """Yield the programs on this machine: first the bundled ones, then those of the system."""
    places = []
    with contextlib.suppress(EmbeddedPostgresError):  # the wheel has none for this machine; the system may have
        places.append(client_programs())
    for pattern in SYSTEM_PLACES:
        places += sorted(Path("/").glob(pattern.removeprefix("/")))
    found = ((place, _major(place)) for place in places)
    return [Tools(major, place) for place, major in found if major is not None]


def fitting(tools: Iterable[Tools], oldest_major: int) -> Tools:
    """Return the oldest programs that support this major version: any newer server can read their output.

    Raises BackupFailed if all are older: pg_dump refuses a server newer than itself.
    """
    known = sorted(tools, key=lambda one: one.major)
    for one in known:
        if one.major >= oldest_major:
            return one
    have = f"the newest on this machine are of Postgres {known[-1].major}" if known else "this machine has none"
    raise BackupFailed(
        f"This needs pg_dump and pg_restore of Postgres {oldest_major} or newer, and {have}. "
        f"Install the client programs of Postgres {oldest_major} (on Debian: postgresql-client-{oldest_major})."
    )


def run_tool(
    command: Sequence[str],
    url: URL,
    *,
    on_line: Callable[[str], None],
    should_stop: Callable[[], bool],
    tolerated: str | None = None,
) -> None:
    """Run the program on the database of `url`, passing on each line of its output.

    The password is passed by the environment: everybody on the machine can see arguments. Raises BackupFailed with the
    program's first error except the one `tolerated`; BackupInterrupted, after ending the program, on request.
    """
    # A new URL: `set(password=None)` changes nothing, and libpq would send the placeholder of a hidden password.
    bare = URL.create("postgresql", url.username, None, url.host, url.port, url.database, url.query)
    address = bare.render_as_string()
    environment = os.environ | _IN_C | {"PGCONNECT_TIMEOUT": "10"}
    if url.password:
        environment["PGPASSWORD"] = str(url.password)
    ignored = False
    with (
        subprocess.Popen(  # noqa: S603  # the path of a program that we found, and arguments of ours
            [command[0], f"--dbname={address}", *command[1:]],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            env=environment,
            start_new_session=True,
        ) as child
    ):
        last: list[str] = []
        try:
            for line in _lines(child, should_stop):
                on_line(line)
                last = [*last[1 - LINES_SHOWN :], line]
                if tolerated is not None and tolerated in line:
                    ignored = True
                elif ": error: " in line:
                    raise BackupFailed(_words(line))
            code = child.wait()
        except BaseException:
            child.kill()
            raise
    if code and not ignored:
        raise BackupFailed(f"{Path(command[0]).name} ended with exit code {code}: {' '.join(map(_words, last))}")


def contents(tools: Tools, dumped: Path) -> list[str]:
    """Return the table of contents of a dump, one entry a line. Raises BackupFailed if it cannot be read."""
    run = subprocess.run(  # noqa: S603  # the path of a program that we found, and a path
        [tools.program("pg_restore"), "--list", str(dumped)], check=False, capture_output=True, env=os.environ | _IN_C
    )
    if run.returncode:
        raise BackupFailed(f"pg_restore cannot read the dump: {run.stderr.decode('utf-8', 'replace').strip()}")
    return run.stdout.decode("utf-8", "replace").splitlines()


def _words(line: str) -> str:
    return line.partition(": error: ")[2] or line


def _lines(child: "subprocess.Popen[bytes]", should_stop: Callable[[], bool]) -> Iterator[str]:
    assert child.stderr is not None  # noqa: S101  # requested above
    rest = b""
    while True:
        if should_stop():
            raise BackupInterrupted
        if not select.select([child.stderr], [], [], POLL_S)[0]:
            continue
        chunk = os.read(child.stderr.fileno(), CHUNK)
        *whole, rest = (rest + chunk).split(b"\n")
        yield from (line.decode("utf-8", "replace") for line in whole)
        if not chunk:
            if rest:
                yield rest.decode("utf-8", "replace")
            return


def _major(place: Path) -> int | None:
    """Return the programs in a folder; None if one is missing, or they do not run."""
    if not all((place / name).exists() for name in ("pg_dump", "pg_restore")):
        return None
    try:
        run = subprocess.run(  # noqa: S603  # as above
            [place / "pg_dump", "--version"], check=False, capture_output=True, text=True, timeout=60
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    found = _VERSION.search(run.stdout)
    return int(found[1]) if found else None
