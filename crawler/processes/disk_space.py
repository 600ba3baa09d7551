"""Free disk space, checked before a write begins, since half a write is of no use."""

import logging
import os
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

LOOK_EVERY_S: Final = 2.0
MEGABYTE: Final = 1_000_000

log = logging.getLogger(__name__)


def free_bytes(place: Path) -> int:
    """Bytes that this user may still write at a path, which need not exist."""
    while not place.exists():
        place = place.parent
    found = os.statvfs(place)
    return found.f_bavail * found.f_frsize


@dataclass(slots=True)
class DiskSpace:
    """Checks that `floor_bytes` are free at each of `places`; 0: no check."""

    places: tuple[Path, ...] = ()
    floor_bytes: int = 0
    was_short: bool = field(default=False, init=False)

    def is_short(self) -> bool:
        """Whether a disk is short of space now; logs when that begins and ends."""
        short = [place for place in self.places if self.floor_bytes and free_bytes(place) < self.floor_bytes]
        if short and not self.was_short:
            left = free_bytes(short[0]) / MEGABYTE
            log.warning(
                "The disk of %s has %.0f MB left, and %.0f have to stay free: crawls and imports wait. Free some disk "
                "space, or lower ZHIWEN_DISK_FLOOR_MB.",
                short[0],
                left,
                self.floor_bytes / MEGABYTE,
            )
        elif self.was_short and not short:
            log.warning("There is enough disk space again; crawls and imports continue.")
        self.was_short = bool(short)
        return self.was_short

    def wait(self, should_stop: Callable[[], bool] = lambda: False) -> None:
        """Blocks until there is room, or `should_stop()`."""
        while self.is_short() and not should_stop():
            time.sleep(LOOK_EVERY_S)


def as_text(places: Iterable[Path]) -> str:
    """For an environment; `from_text` reads it."""
    return os.pathsep.join(map(str, places))


def from_text(places: str) -> tuple[Path, ...]:
    return tuple(Path(place) for place in places.split(os.pathsep) if place)
