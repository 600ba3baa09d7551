"""The worker's backup: created by the settings, tested by a restore, and old ones deleted."""

import logging
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

from storage.backups import history
from storage.engine import transaction
from storage.errors import BackupFailed
from zhiwen.backups.create import known_place, make, note_tested, place_for
from zhiwen.backups.restore import Trust, verify_backup
from zhiwen.backups.retention import back_ups_in, delete, newest_folder, superfluous
from zhiwen.config.secret_key import secret_key

if TYPE_CHECKING:
    from sqlalchemy import Engine

    from zhiwen.config.settings import Settings

log = logging.getLogger(__name__)


def back_up(settings: "Settings", url: str, engine: "Engine", *, folder: Path, should_stop: Callable[[], bool]) -> Path:
    """Creates a backup, tests it by a restore, deletes superfluous ones, and returns the new one's path.

    Raises BackupFailed, BackupInterrupted. A backup that cannot be restored is kept, and so is the newest that could.
    """
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise BackupFailed(f"{folder} cannot be created ({error.strerror}). Correct ZHIWEN_BACKUP_FOLDER.") from error
    place = place_for(folder, datetime.now(UTC))
    made = make(settings, url, engine, place, earlier=newest_folder(folder), progress=_quietly, should_stop=should_stop)
    try:
        trust = Trust(secret_key(settings))
        verify_backup(url, made.path, home=settings.home, trust=trust, progress=_quietly, should_stop=should_stop)
        note_tested(engine, made.manifest)
    finally:
        _tidy(settings, engine, folder)
    return made.path


def _tidy(settings: "Settings", engine: "Engine", folder: Path) -> None:
    with transaction(engine) as session:
        tested = {one.place for one in history.list_backups(session) if one.tested_at is not None}
    found = back_ups_in(folder)
    for path in superfluous(
        found,
        daily=settings.backup_keep_daily,
        weekly=settings.backup_keep_weekly,
        zone=ZoneInfo(settings.time_zone),
        tested=[path for path in found if known_place(path) in tested],
    ):
        try:
            delete(path)
            log.info("deleted the backup %s by the retention settings", path)
        except OSError as error:
            log.warning("the backup %s could not be deleted: %s", path, error)


def _quietly(_what: str, _done: int, _whole: int) -> None:
    """Progress is not shown."""
