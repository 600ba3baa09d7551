"""The sandbox of the sender process: it may connect where the crawler may, and do nothing else.

Administrators choose the channels, and many small plugins of a library talk to them. The interpreter reports each
operation to an audit hook before it happens (PEP 578); a refusal is an OSError, like one of the system.
"""

import errno
import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from crawler.network.public_addresses import Network, is_allowed

_STARTS_PROCESSES: Final = ("os.exec", "os.fork", "os.forkpty", "os.posix_spawn", "os.spawn", "pty.spawn")
_STARTS_PROGRAMS: Final = frozenset((*_STARTS_PROCESSES, "subprocess.Popen", "os.system", "os.startfile"))
_CHANGES_FILES: Final = frozenset(
    ["os.remove", "os.rename", "os.rmdir", "os.mkdir", "os.link", "os.symlink", "os.chmod", "os.chown", "os.truncate"]
)
_REFUSED: Final = _STARTS_PROGRAMS | _CHANGES_FILES | {"syslog.syslog", "syslog.openlog", "socket.bind"}
_SENDS: Final = frozenset({"socket.connect", "socket.sendto", "socket.sendmsg"})

_WRITES: Final = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_TRUNC
READABLE: Final = ("/etc/ssl", "/etc/pki", "/etc/mime.types", "/usr/share/zoneinfo", "/etc/localtime", "/dev/urandom")
"""In addition to the program and its libraries: certificates, time zones, names of file types."""


class NotAllowed(PermissionError):
    """An operation that the sandbox refuses."""

    def __init__(self, what: str) -> None:
        super().__init__(errno.EACCES, what)


@dataclass(slots=True)
class Seen:
    """Observations of the sandbox since `clear`. Plugins may hide the reasons of errors, or report success without
    having sent anything.
    """

    refused: list[str] = field(default_factory=list)
    connections: int = 0
    """Allowed connections and datagrams."""

    def clear(self) -> None:
        self.refused.clear()
        self.connections = 0


def install(allowed: Sequence[Network]) -> Seen:
    """Sandboxes this process for the rest of its life. Private addresses in `allowed` may be connected to."""
    seen = Seen()
    guard = make_hook(allowed, [*_own_folders(), *map(Path, READABLE)])

    def hook(event: str, arguments: tuple[Any, ...]) -> None:
        try:
            guard(event, arguments)
        except NotAllowed as error:
            seen.refused.append(str(error.strerror))
            raise
        seen.connections += event in _SENDS

    sys.addaudithook(hook)
    return seen


def make_hook(allowed: Sequence[Network], readable: Sequence[Path]) -> Callable[[str, tuple[Any, ...]], None]:
    """The audit hook: raises NotAllowed for refused operations."""

    def hook(event: str, arguments: tuple[Any, ...]) -> None:
        if event in _SENDS:
            _check_address(event, arguments, allowed)
        elif event == "open":
            _check_file(arguments, readable)
        elif event in _REFUSED:
            raise NotAllowed(f"{event} is not for channels")

    return hook


def _check_address(event: str, arguments: tuple[Any, ...], allowed: Sequence[Network]) -> None:
    address = arguments[1]
    if address is None:
        return  # the socket is connected already, and was checked then
    if isinstance(address, tuple) and is_allowed(str(address[0]), allowed):
        return
    host = address[0] if isinstance(address, tuple) else "a local socket"
    raise NotAllowed(f"{host} is not a public address; allow private networks with ZHIWEN_ALLOWED_NETWORKS")


def _check_file(arguments: tuple[Any, ...], readable: Sequence[Path]) -> None:
    path, _mode, flags = arguments
    if isinstance(path, int):
        return
    if isinstance(flags, int) and flags & _WRITES:
        raise NotAllowed("a channel writes no files")
    # Links are not followed: these folders belong to the installation.
    there = os.path.abspath(os.fsdecode(path))  # noqa: PTH100  # a Path would call the system, and this hook again
    if not any(there == str(folder) or there.startswith(f"{folder}/") for folder in readable):
        raise NotAllowed("a channel reads no files")


def _own_folders() -> list[Path]:
    project = Path(__file__).resolve().parents[1]
    folders = {Path(sys.prefix), Path(sys.base_prefix) / "lib", Path(os.__file__).parent, project}
    return [*folders, *(project.parent / name for name in ("crawler", "storage", "admin"))]
