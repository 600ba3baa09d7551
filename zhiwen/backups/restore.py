"""Restores backups: into a new database, which is verified against the manifest and then replaces the store."""

import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Final

from crawler.evidence.record_files import EvidenceFolder
from crawler.evidence.verify import Verified, verify
from storage import migrate
from storage.backups import dump
from storage.backups.dump import Scratch, scratch
from storage.engine import make_engine, transaction
from storage.errors import BackupFailed, BackupInterrupted
from storage.evidence import chain_store
from storage.evidence.hash_chain import folder_of
from storage.postgres import statistics
from storage.records.evidence import Head
from zhiwen.backups.archive_reader import Reader, counting, opened
from zhiwen.backups.archive_writer import copied, new_private_file
from zhiwen.backups.manifest import DATABASE, SETTINGS, Manifest, is_signed
from zhiwen.config.loading import FILE_NAME
from zhiwen.output.progress import StepProgress

if TYPE_CHECKING:
    from sqlalchemy import Engine

PROBLEMS_SHOWN: Final = 5
ASIDE: Final = ".restore-"
_TABLE_BEGINS: Final = "processing data for table"


@dataclass(frozen=True, slots=True)
class Restored:
    """A restored and verified backup. `settings`: the file they were written to; None if there was one already, or if
    the backup has none.
    """

    manifest: Manifest
    seen: Verified
    settings: Path | None = None


@dataclass(frozen=True, slots=True)
class Trust:
    """Which backups are accepted: those signed with `key`; with `foreign` all, if the database role has no rights
    outside its database.
    """

    key: str = field(repr=False)
    foreign: bool = False

    def check(self, url: str, manifest: Manifest) -> None:
        """Raises BackupFailed."""
        if is_signed(manifest, self.key):
            return
        if not self.foreign:
            raise BackupFailed(
                "This backup is not signed by this installation: another installation or an earlier version made it, "
                "or the secret key was changed. A backup can run code in the database. If you trust its author, add "
                "--foreign."
            )
        engine = make_engine(url)
        try:
            dump.require_bounded_role(engine)
        finally:
            engine.dispose()


def verify_backup(
    url: str, path: Path, *, home: Path, trust: Trust, progress: StepProgress, should_stop: Callable[[], bool]
) -> Restored:
    """Restores the backup into a scratch database, compares rows, chain and files with the manifest, and drops it.

    Nothing else is touched. Raises BackupFailed for any difference, and BackupInterrupted.
    """
    with opened(path) as backup:
        trust.check(url, backup.manifest)
        with _restored(url, backup, home, progress, should_stop) as (_, seen):
            return Restored(backup.manifest, seen)


def restore(
    url: str,
    engine: "Engine",
    path: Path,
    *,
    home: Path,
    trust: Trust,
    replace: bool,
    progress: StepProgress,
    should_stop: Callable[[], bool],
) -> Restored:
    """Replaces the store by the backup, completely or not at all; writes the settings only if there are none.

    Raises BackupFailed and leaves the store as it was, if it is not empty and `replace` is False, if it is in use, or
    if the backup is incomplete, of a newer program or not trusted.
    """
    if not replace and not dump.is_empty(engine):
        raise BackupFailed(
            "This store is not empty, and a restore replaces it. Make a backup of it first and then add --replace, or "
            "restore into another database and home."
        )
    engine.dispose()  # open connections would block the swap
    with opened(path) as backup:
        trust.check(url, backup.manifest)
        with _restored(url, backup, home, progress, should_stop, to_swap=True) as (made, seen):
            with _evidence_put(backup, EvidenceFolder(home), progress, should_stop):
                made.take_place()
            _take_over_folders(engine, EvidenceFolder(home), set(backup.manifest.evidence))
            # pg_restore restores none.
            statistics.refresh(engine)
            return Restored(backup.manifest, seen, _put_settings(backup, home))


@contextmanager
def _restored(
    url: str,
    backup: Reader,
    home: Path,
    progress: StepProgress,
    should_stop: Callable[[], bool],
    *,
    to_swap: bool = False,
) -> Iterator[tuple[Scratch, Verified]]:
    """A scratch database with the backup's content, verified against the manifest, at this program's schema."""
    manifest = backup.manifest
    if not migrate.knows(manifest.schema):
        raise BackupFailed(
            f"This backup was made by Zhiwen {manifest.program} with schema revision {manifest.schema}, which this "
            f"program does not know. Update the program first."
        )
    backup.check(progress=progress, should_stop=should_stop)
    with scratch(url, to_swap=to_swap) as made:
        with _aside(home) as folder:
            dumped = backup.file(DATABASE, folder)
            watch = counting(_TABLE_BEGINS, "tables restored", len(manifest.rows), progress)
            made.fill(dumped, manifest.dumped_by, watch=watch, should_stop=should_stop)
        engine = make_engine(made.address)
        try:
            _compare_rows(engine, manifest)
            made.upgrade()
            seen = _verify_chain(engine, manifest)
        finally:
            engine.dispose()
        if should_stop():
            raise BackupInterrupted
        yield made, seen


def _compare_rows(engine: "Engine", manifest: Manifest) -> None:
    with engine.connect() as connection:
        found = dump.count_rows(connection)
    wrong = [
        f"{name} has {found.get(name, 0)} rows instead of {rows}"
        for name, rows in manifest.rows.items()
        if found.get(name, 0) != rows
    ]
    if wrong:
        raise BackupFailed(f"The restored rows differ from the saved ones: {'; '.join(wrong)}. Use another backup.")


class _Listed(EvidenceFolder):
    """The evidence files as the manifest lists them; all were read and verified before."""

    def __init__(self, manifest: Manifest) -> None:
        super().__init__(Path())
        parts = {digest: bytes.fromhex(manifest.parts[name].sha256) for digest, name in manifest.evidence.items()}
        # Files that were missing or damaged when they were saved are reported separately.
        known = {digest: digest for digest in map(bytes.fromhex, (*manifest.missing, *manifest.damaged))}
        self._digests = {**parts, **known}

    def actual_digest(self, digest: bytes) -> bytes | None:
        return self._digests.get(digest)

    def digests(self) -> Iterator[bytes]:
        yield from self._digests


def _verify_chain(engine: "Engine", manifest: Manifest) -> Verified:
    problems: list[str] = []
    expected = None if manifest.head is None else Head.parse(manifest.head)
    with transaction(engine) as session:
        listed = _Listed(manifest)
        seen = verify(
            session,
            listed,
            expected=expected,
            reads_files=False,
            all_folders=True,
            on_problem=lambda one: problems.append(str(one)),
        )
    if problems:
        raise BackupFailed(
            f"The evidence in the backup was changed: {'; '.join(problems[:PROBLEMS_SHOWN])} "
            f"({len(problems)} problems). Use another backup."
        )
    return seen


@contextmanager
def _evidence_put(
    backup: Reader, folder: EvidenceFolder, progress: StepProgress, should_stop: Callable[[], bool]
) -> Iterator[None]:
    """Adds the backup's evidence to the folder; removes it again if the block fails."""
    files = backup.manifest.evidence
    added: list[bytes] = []
    try:
        for number, (digest, name) in enumerate(files.items(), 1):
            if should_stop():
                raise BackupInterrupted
            present = folder.actual_digest(digest)
            is_right = backup.manifest.parts[name].sha256 == digest.hex()
            if present is None or (present != digest and is_right):
                folder.remove(digest)
                with backup.open(name) as source:
                    folder.write(source.read(), digest)
            if present is None:
                added.append(digest)
            progress("files of the evidence restored", number, len(files))
        yield
    except OSError as error:
        _remove(folder, added)
        raise BackupFailed(f"The evidence could not be written: {error}. The store is as it was.") from error
    except BaseException:
        _remove(folder, added)
        raise


def _take_over_folders(engine: "Engine", folder: EvidenceFolder, restored: set[bytes]) -> None:
    """From now on, files of the folders that were saved are expected here. A failure only makes `verify` milder."""
    with transaction(engine) as session:
        kept = (entry for entry in chain_store.entries(session) if entry.record in restored)
        names = dict.fromkeys(name for name in map(folder_of, kept) if name is not None)
    with suppress(OSError):
        if names:
            folder.take_over(names)


def _remove(folder: EvidenceFolder, digests: list[bytes]) -> None:
    for digest in digests:
        folder.remove(digest)


def _put_settings(backup: Reader, home: Path) -> Path | None:
    target = home / FILE_NAME
    if SETTINGS not in backup.manifest.parts or target.exists():
        return None
    with backup.open(SETTINGS) as source, new_private_file(target) as sink:
        copied(source, sink)
    return target


@contextmanager
def _aside(home: Path) -> Iterator[Path]:
    """A temporary folder in the home, whose disk has room for the store."""
    home.mkdir(mode=0o700, parents=True, exist_ok=True)
    for left_behind in home.glob(f"{ASIDE}*"):
        shutil.rmtree(left_behind, ignore_errors=True)
    try:
        with tempfile.TemporaryDirectory(prefix=ASIDE, dir=home) as folder:
            yield Path(folder)
    except OSError as error:
        raise BackupFailed(f"{home} cannot be written: {error}. The store is as it was.") from error
