"""The location of the embedded Postgres, and the account that it runs as.

An ordinary user's cluster is in `<home>/postgres` and the server runs as that user. Postgres refuses to run as root:
root's server runs as the account `postgres` if it exists, else `nobody`. If that account cannot enter the home (/root
is closed to all), the cluster is in `/var/lib/zhiwen/<id>`, recorded in `<home>/postgres/location`: permissions of
directories that we did not make are never changed.
"""

import contextlib
import os
import pwd
import secrets
import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

from storage.embedded.process import is_held, lock, opened_lock
from storage.errors import HomeUnusable

SYSTEM_DIRECTORY = Path("/var/lib/zhiwen")
SERVER_ACCOUNTS = ("postgres", "nobody")  # initdb needs an account that it can look up
LOCATION_LIMIT_S = 10.0  # to make a directory and write two lines
ROOT = 0


@dataclass(frozen=True, slots=True)
class Account:
    name: str
    uid: int
    gid: int


@dataclass(frozen=True, slots=True)
class Cluster:
    """One embedded database: we write to `directory`, the server to `data`."""

    home: Path
    directory: Path
    account: Account | None  # None: the server runs as the current user

    @property
    def data(self) -> Path:
        return self.directory / "data"

    @property
    def users_lock(self) -> Path:
        """A lock shared by all processes that use the server."""
        return self.directory / "users.lock"

    @property
    def start_lock(self) -> Path:
        """The lock of the one process that starts the server."""
        return self.directory / "start.lock"

    @property
    def keeper_lock(self) -> Path:
        """The keeper's lock, held until it ends; contains its pid."""
        return self.directory / "keeper.lock"

    @property
    def log(self) -> Path:
        return self.home / "postgres" / "server.log"


def find_cluster(home: Path) -> Cluster | None:
    """Return the home's cluster if there is one; creates nothing."""
    home = home.expanduser().resolve()
    inside = home / "postgres"
    try:
        if not inside.is_dir():
            return None
        directory = _recorded_location(inside) or inside
        if not directory.is_dir():
            return None
    except PermissionError as error:
        raise _unusable(home, "cannot be read") from error
    _refuse_foreign(directory)
    return Cluster(home, directory, _account_of(directory))


def make_cluster(home: Path) -> Cluster:
    """Return the home's cluster, creating missing directories; the first start creates the data."""
    home = home.expanduser().resolve()
    inside = home / "postgres"
    try:
        # Root's server has to pass through (not list) what we create here; an ordinary user's directories are closed.
        mode = 0o711 if os.geteuid() == ROOT else 0o700
        for directory in (home, inside):
            _make_directory(directory, mode)
        _refuse_foreign(inside)
        directory = _recorded_location(inside) or inside
        account = _account_of(directory)
        if account is not None and directory == inside and not _can_pass(account, inside):
            directory = _move_outside(home, inside, account)
    except (NotADirectoryError, FileExistsError) as error:
        raise _unusable(home, "is not a directory") from error
    except OSError as error:
        raise _unusable(home, f"cannot be used ({error.strerror})") from error
    return Cluster(home, directory, account)


def delete_cluster(cluster: Cluster) -> None:
    """Delete the database of a stopped cluster permanently."""
    shutil.rmtree(cluster.directory, ignore_errors=True)
    shutil.rmtree(cluster.home / "postgres", ignore_errors=True)


def _make_directory(path: Path, mode: int) -> None:
    if path.is_dir():
        return
    path.mkdir(parents=True, exist_ok=True)
    path.chmod(mode)  # the umask may have cleared bits


def _recorded_location(inside: Path) -> Path | None:
    try:
        return Path((inside / "location").read_text(encoding="utf-8").strip())
    except FileNotFoundError:
        return None


def _account_of(directory: Path) -> Account | None:
    if os.geteuid() != ROOT:
        return None
    with contextlib.suppress(FileNotFoundError, KeyError):
        # Keep an account once chosen: it owns the data.
        return _account(pwd.getpwuid((directory / "data").stat().st_uid))
    for name in SERVER_ACCOUNTS:
        with contextlib.suppress(KeyError):
            return _account(pwd.getpwnam(name))
    accounts = " nor ".join(SERVER_ACCOUNTS)
    raise HomeUnusable(f"Postgres does not run as root, and this machine has neither {accounts}. Run as another user.")


def _account(entry: pwd.struct_passwd) -> Account:
    return Account(entry.pw_name, entry.pw_uid, entry.pw_gid)


def _can_pass(account: Account, directory: Path) -> bool:
    """Return whether the account can enter the directory: by trial, since access lists and mounts decide too."""
    command = ["/bin/sh", "-c", 'cd "$1"', "sh", str(directory)]
    run = subprocess.run(  # noqa: S603  (a fixed command; the path is an argument of its own)
        command, check=False, capture_output=True, cwd="/", user=account.uid, group=account.gid, extra_groups=[]
    )
    return run.returncode == 0


def _move_outside(home: Path, inside: Path, account: Account) -> Path:
    if (inside / "data").exists():
        raise HomeUnusable(
            f"The database in {inside} runs as the user {account.name}, who can no longer pass to it: "
            f"give back the right to pass (chmod o+x) to the directories above it."
        )
    with opened_lock(inside / "location.lock") as descriptor:
        # Of two first starts at once, the second uses the directory of the first.
        lock(descriptor, exclusive=True, limit_s=LOCATION_LIMIT_S)
        chosen = _recorded_location(inside)
        if chosen is not None:
            return chosen
        _sweep_lost_clusters()
        directory = SYSTEM_DIRECTORY / secrets.token_hex(6)
        _make_directory(SYSTEM_DIRECTORY, 0o755)
        _make_directory(directory, 0o711)
        (directory / "home").write_text(f"{home}\n", encoding="utf-8")
        (inside / "location").write_text(f"{directory}\n", encoding="utf-8")
        return directory


def _sweep_lost_clusters() -> None:
    """Delete clusters whose home was a temporary directory and is gone; any other may be on a disk not mounted."""
    temporary = Path(tempfile.gettempdir()).resolve()
    for marker in SYSTEM_DIRECTORY.glob("*/home"):
        home = Path(marker.read_text(encoding="utf-8").strip())
        if home.is_relative_to(temporary) and not home.exists() and not is_held(marker.parent / "keeper.lock"):
            shutil.rmtree(marker.parent, ignore_errors=True)


def _refuse_foreign(directory: Path) -> None:
    owner = directory.stat().st_uid
    if owner == os.geteuid():
        return
    raise HomeUnusable(
        f"{directory} belongs to the user {_user_name(owner)}, and this is {_user_name(os.geteuid())}. "
        f"Run Zhiwen as {_user_name(owner)}, or set ZHIWEN_HOME to a directory of your own."
    )


def _unusable(home: Path, what: str) -> HomeUnusable:
    return HomeUnusable(
        f"The data directory {home} {what} for the user {_user_name(os.geteuid())}. "
        f"Set ZHIWEN_HOME to a directory that this user may write, or DATABASE_URL to another Postgres."
    )


def _user_name(uid: int) -> str:
    try:
        return pwd.getpwuid(uid).pw_name
    except KeyError:
        return f"number {uid}"
