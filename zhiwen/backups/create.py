"""Creates backups: a snapshot of the database, the evidence that it refers to, and the settings without secrets."""

import os
import socket
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.metadata import version
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Final

from crawler.evidence.record_files import EvidenceFolder
from fingerprint.model import ALGORITHM_VERSION
from storage import migrate
from storage.backups import dump, history
from storage.backups.dump import Moment
from storage.engine import transaction
from storage.errors import BackupInterrupted
from zhiwen.backups.archive_reader import counting
from zhiwen.backups.archive_writer import ONE_FILE, Writer, writing
from zhiwen.backups.manifest import SETTINGS, Manifest, evidence_name, signed
from zhiwen.config.loading import kept_settings
from zhiwen.config.secret_key import secret_key
from zhiwen.output.progress import StepProgress

if TYPE_CHECKING:
    from sqlalchemy import Engine

    from zhiwen.config.settings import Settings

PREFIX: Final = "zhiwen-"
_TABLE_BEGINS: Final = "dumping contents of table"


@dataclass(frozen=True, slots=True)
class Made:
    """A complete backup."""

    path: Path
    manifest: Manifest


def place_for(target: Path, now: datetime) -> Path:
    """The backup's path: in an existing folder it is named by date and time, else `target` is its name."""
    if target.suffix != ONE_FILE and target.is_dir():
        return target / f"{PREFIX}{now.astimezone(UTC):%Y%m%d-%H%M%S}"
    return target


def known_place(path: Path) -> str:
    """The path with the machine's name, as the store records it."""
    return f"{socket.gethostname()}:{path}"


def make(
    settings: "Settings",
    url: str,
    engine: "Engine",
    target: Path,
    *,
    environ: Mapping[str, str] = os.environ,
    earlier: Path | None = None,
    progress: StepProgress,
    should_stop: Callable[[], bool],
) -> Made:
    """Creates a backup at `target` while everything else keeps running; shares unchanged evidence with that at
    `earlier`.

    Raises BackupFailed, BackupInterrupted; then nothing is left of it.
    """
    with writing(target, earlier=earlier) as writer:
        with dump.moment(engine) as at:
            written = _write(settings, url, at, writer, environ, progress, should_stop)
        manifest = signed(written, secret_key(settings))
        writer.finish(manifest, target)
    if manifest.schema == migrate.head():
        with transaction(engine) as session:
            history.record(session, made_at=manifest.made_at, place=known_place(target), size=manifest.size)
    return Made(target, manifest)


def note_tested(engine: "Engine", manifest: Manifest) -> None:
    """Records that this backup was restored and verified, if the current store knows it."""
    if migrate.current(engine) == migrate.head():
        with transaction(engine) as session:
            history.record_tested(session, made_at=manifest.made_at, at=datetime.now(UTC))


def _write(
    settings: "Settings",
    url: str,
    at: Moment,
    writer: Writer,
    environ: Mapping[str, str],
    progress: StepProgress,
    should_stop: Callable[[], bool],
) -> Manifest:
    rows = at.rows()
    watch = counting(_TABLE_BEGINS, "tables saved", len(rows), progress)
    dumped_by = dump.dump(url, at, writer.dump, watch=watch, should_stop=should_stop)
    writer.add_dump()
    missing, damaged = _copy_evidence(at, EvidenceFolder(settings.home), writer, progress, should_stop)
    kept, left_out = kept_settings(environ)
    if kept:
        data = kept.encode()
        writer.add(SETTINGS, BytesIO(data), len(data))
    head = at.head()
    return Manifest(
        made_at=at.at,
        program=version("zhiwen"),
        schema=at.schema,
        algorithm=ALGORITHM_VERSION,
        postgres=at.server_major,
        dumped_by=dumped_by,
        rows=rows,
        head=None if head is None else str(head),
        missing=missing,
        damaged=damaged,
        left_out=left_out,
        parts=writer.parts,
    )


def _copy_evidence(
    at: Moment, folder: EvidenceFolder, writer: Writer, progress: StepProgress, should_stop: Callable[[], bool]
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Copies the evidence as it is. Returns the hashes of missing files, and those of changed ones."""
    digests = sorted(at.evidence_files())
    missing, damaged = [], []
    for number, digest in enumerate(digests, 1):
        if should_stop():
            raise BackupInterrupted
        if not writer.add_evidence(digest, folder.file_of(digest)):
            missing.append(digest.hex())
        elif writer.parts[evidence_name(digest)].sha256 != digest.hex():
            damaged.append(digest.hex())
        progress("files of the evidence saved", number, len(digests))
    return tuple(missing), tuple(damaged)
