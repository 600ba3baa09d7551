"""Import of a file or folder uploaded or chosen at the desk; progress is written to its row."""

import logging
import os
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from crawler.extraction.page_reader import page_reader
from crawler.importers.files import Meter
from crawler.importers.folders import files_of, size_of
from crawler.outcomes.errors import CrawlerError
from crawler.urls.canonical import file_url, import_url
from storage.engine import transaction
from storage.intake import uploads
from storage.intake.uploads import PASSED, REFUSED, UPLOADS, FileImport
from storage.pages import pages
from storage.types import FileFailure, FilePlace
from zhiwen.config.disk import room_of
from zhiwen.imports.batches import Intake, Tally, site_for_import
from zhiwen.imports.run import READERS, ImportRun

if TYPE_CHECKING:
    from sqlalchemy import Engine

    from zhiwen.config.settings import Settings

MOST_PROBLEMS: Final = 200
_NAMES: Final = {FilePlace.UPLOADED: "uploads", FilePlace.FOLDER: "folder"}
"""Names in addresses, in place of the server's folders."""

log = logging.getLogger(__name__)


class Interrupted(Exception):
    """The worker stops; progress so far is marked."""


@dataclass(slots=True)
class _Row:
    """Writes progress to the row of an import; a continued import adds to its counts."""

    engine: "Engine"
    record: FileImport
    path: Path
    meter: Meter
    should_stop: Callable[[], bool]
    problems: list[str]

    def on_problem(self, problem: str) -> None:
        """Records a problem, without the server's folders in paths."""
        if len(self.problems) < MOST_PROBLEMS:
            self.problems.append(problem.replace(f"{self.path.parent}{os.sep}", ""))

    def update(self, tally: Tally) -> None:
        """Raises Interrupted."""
        counters = Counter(self.record.counters)
        counters.update({"new": tally.new, "changed": tally.changed, "known": tally.known})
        counters.update({f"{REFUSED}{refusal}": count for refusal, count in tally.problems.items()})
        counters.update({f"{PASSED}{refusal}": count for refusal, count in tally.passed.items()})
        with transaction(self.engine) as session:
            uploads.note(
                session,
                self.record.id,
                bytes_read=self.meter.bytes_read,
                counters={name: count for name, count in counters.items() if count},
                problems=self.problems,
            )
        if self.should_stop():
            raise Interrupted


def import_upload(settings: "Settings", engine: "Engine", number: int, *, should_stop: Callable[[], bool]) -> bool:
    """Imports the upload of this number. Returns False if it was stopped before its end; then the next call continues.
    A file that cannot be read at all is recorded as failed.
    """
    with transaction(engine) as session:
        record = uploads.get(session, number)
    if record is None or record.ended_at is not None:
        return True
    found = _found(settings, record)
    failure = found if isinstance(found, FileFailure) else None
    if isinstance(found, Path):
        try:
            _import(settings, engine, record, found, should_stop)
        except Interrupted:
            return False
        except (CrawlerError, OSError):
            log.exception("%s could not be imported", found)
            failure = FileFailure.BROKE_OFF
    with transaction(engine) as session:
        uploads.end(session, number, failure=failure)
    if record.place is FilePlace.UPLOADED:
        _drop(settings.home / UPLOADS / record.path)
    return True


def _found(settings: "Settings", record: FileImport) -> Path | FileFailure:
    """Its path, or why it cannot be used: never outside its folder, whatever its row or a link says."""
    base = _base(settings, record)
    if base is None:
        return FileFailure.NO_FOLDER
    path = (base / record.path).resolve()
    if not path.is_relative_to(base):
        return FileFailure.OUTSIDE
    if not path.exists():
        return FileFailure.GONE
    return path if os.access(path, os.R_OK) else FileFailure.DENIED


def _base(settings: "Settings", record: FileImport) -> Path | None:
    base = settings.home / UPLOADS if record.place is FilePlace.UPLOADED else settings.import_folder
    return None if base is None else base.resolve()


def _import(
    settings: "Settings", engine: "Engine", record: FileImport, path: Path, should_stop: Callable[[], bool]
) -> None:
    base, name = _base(settings, record), _NAMES[record.place]
    with transaction(engine) as session:
        if base is not None:
            # Older versions addressed texts by the path of their file.
            pages.rename_below(session, f"{file_url(str(base))}/", import_url(f"{name}/"))
        uploads.begin(session, record.id, size=size_of(files_of(path)))
        site = site_for_import(session, record.site_name, record.rights)[0] if record.site_name else None
    row = _Row(engine, record, path, Meter(), should_stop, list(record.problems))
    with page_reader(settings.time_zone, size=READERS) as read_page:
        options = f"site={record.site_name} rights={record.rights}"
        intake = Intake(
            engine, site, options, row.on_problem, row.update, room=room_of(settings), should_stop=should_stop
        )
        run = ImportRun(settings, intake, read_page, record.rights, row.meter)
        run.once([str(path)], below=base, named=name)


def _drop(path: Path) -> None:
    path.unlink(missing_ok=True)
    if path.parent.exists() and not any(path.parent.iterdir()):
        path.parent.rmdir()
