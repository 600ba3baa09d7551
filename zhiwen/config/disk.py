"""Disks that this installation writes to, and the free space they must keep."""

from typing import TYPE_CHECKING, Final

from crawler.processes.disk_space import DiskSpace
from storage.embedded.cluster import find_cluster

if TYPE_CHECKING:
    from pathlib import Path

    from zhiwen.config.settings import Settings

MEGABYTE: Final = 1_000_000


def places_of(settings: "Settings") -> "tuple[Path, ...]":
    """The home, and the folder of the built-in database, which may be elsewhere. Other servers are not seen."""
    cluster = None if settings.database_url is not None else find_cluster(settings.home)
    return (settings.home,) if cluster is None else (settings.home, cluster.directory)


def room_of(settings: "Settings") -> DiskSpace:
    """Free space below which crawls and imports wait."""
    return DiskSpace(places_of(settings), settings.disk_floor_mb * MEGABYTE)
