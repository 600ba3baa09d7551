"""Retention of backups: keeps the last of each of so many days and weeks, and the last tested one."""

import re
import secrets
import shutil
from collections.abc import Collection, Mapping
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Final
from zoneinfo import ZoneInfo

from zhiwen.backups.archive_writer import ONE_FILE
from zhiwen.backups.manifest import NAME

_OURS: Final = re.compile(r"zhiwen-(\d{8}-\d{6})(?:\.tar)?")
_MOMENT: Final = "%Y%m%d-%H%M%S"


def back_ups_in(folder: Path) -> dict[Path, datetime]:
    """The worker's backups in a folder, with the date and time in their names."""
    found = {}
    for path in folder.iterdir():
        match = _OURS.fullmatch(path.name)
        if match and (path.suffix == ONE_FILE or (path / NAME).is_file()):
            try:
                found[path] = datetime.strptime(match[1], _MOMENT).replace(tzinfo=UTC)
            except ValueError:
                continue  # the digits are not a date
    return found


def newest_folder(folder: Path) -> Path | None:
    """The newest backup that is a folder: its files can be shared."""
    found = {path: at for path, at in back_ups_in(folder).items() if path.suffix != ONE_FILE}
    return max(found, key=found.__getitem__, default=None)


def superfluous(
    found: Mapping[Path, datetime], *, daily: int, weekly: int, zone: ZoneInfo, tested: Collection[Path]
) -> list[Path]:
    """The backups to delete: all but the last of each of the newest `daily` dates and `weekly` weeks in `zone`, the
    newest of all, and the newest of `tested`. Pure.
    """
    newest_first = sorted(found, key=found.__getitem__, reverse=True)
    days: dict[date, Path] = {}
    weeks: dict[tuple[int, int], Path] = {}
    for path in newest_first:
        day = found[path].astimezone(zone).date()
        days.setdefault(day, path)
        weeks.setdefault(day.isocalendar()[:2], path)
    kept = {*list(days.values())[:daily], *list(weeks.values())[:weekly], *newest_first[:1]}
    kept.update([path for path in newest_first if path in tested][:1])
    return [path for path in newest_first if path not in kept]


def delete(path: Path) -> None:
    """Deletes a backup; if interrupted, the remains do not look like one."""
    aside = path.with_name(f".{path.name}-{secrets.token_hex(4)}.partial")
    path.rename(aside)
    if aside.is_dir():
        shutil.rmtree(aside)
    else:
        aside.unlink()
