"""What made a capture: program, machine and browser, with hashes by which others can tell which versions they were."""

import hashlib
import platform
from collections.abc import Mapping
from functools import lru_cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, Final

PACKAGES: Final = ("admin", "crawler", "fingerprint", "matcher", "migrations", "storage", "zhiwen")
DISTRIBUTION: Final = "zhiwen"
HOSTS: Final = Path("/etc/hosts")
"""Where a machine gives names addresses of its own."""
_MOST_HOSTS_BYTES: Final = 1_000_000


@lru_cache(maxsize=1)
def program() -> Mapping[str, str | None]:
    """Versions, and `source_sha256`: of the list that `sha256sum` prints of all modules, sorted by path."""
    return {
        "name": DISTRIBUTION,
        "version": _version(DISTRIBUTION),
        "source_sha256": _source_digest(Path(__file__).parents[3]),
        "python": platform.python_version(),
        "playwright": _version("playwright"),
        "system": platform.platform(),
    }


def machine(folder: str, host: str) -> dict[str, Any]:
    """The machine by the name of its evidence folder, and whether its own table of names has an address for `host`."""
    try:
        with HOSTS.open("rb") as file:
            table = file.read(_MOST_HOSTS_BYTES)
    except OSError:
        return {"folder": folder, "hosts_file_sha256": None, "hosts_file_names_host": None}
    named = {word for line in table.decode("latin-1").splitlines() for word in line.partition("#")[0].split()[1:]}
    digest = hashlib.sha256(table).hexdigest()
    return {"folder": folder, "hosts_file_sha256": digest, "hosts_file_names_host": host in named}


def browser(facts: Mapping[str, Any]) -> dict[str, Any]:
    """The facts of the browser with the SHA-256 of the file that ran; None if it is not that file any more."""
    ran = facts.get("executable")
    digest = None if ran is None else _file_digest(ran["path"], ran["bytes"], ran["changed_ns"], ran["inode"])
    known = {name: facts.get(name) for name in ("product", "version", "engine", "user_agent", "command_line")}
    return {**known, "executable": None if ran is None else ran["path"], "sha256": digest}


@lru_cache(maxsize=4)
def _file_digest(path: str, size: int, changed_ns: int, inode: int) -> str | None:
    """Kept while the file stays the same: a browser has some 200 MB."""
    try:
        with Path(path).open("rb") as file:
            about = Path(path).stat()
            if (about.st_size, about.st_mtime_ns, about.st_ino) != (size, changed_ns, inode):
                return None
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError:
        return None


def _source_digest(root: Path) -> str:
    whole = hashlib.sha256()
    files = [file.relative_to(root).as_posix() for package in PACKAGES for file in root.joinpath(package).rglob("*.py")]
    for name in sorted(files):
        whole.update(f"{hashlib.sha256((root / name).read_bytes()).hexdigest()}  {name}\n".encode())
    return whole.hexdigest()


def _version(name: str) -> str | None:
    try:
        return version(name)
    except PackageNotFoundError:
        return None
