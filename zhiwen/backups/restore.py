"""Restores back-ups: beside the present store, compared with what the back-up says of itself, and swapped in whole."""

import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
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
from storage.postgres import statistics
from storage.records.evidence import Head
from zhiwen.backups.archive_reader import Reader, Tell, counting, opened
from zhiwen.backups.archive_writer import copied, new_private_file
from zhiwen.backups.manifest import DATABASE, SETTINGS, Manifest, is_signed
from zhiwen.config.loading import FILE_NAME

if TYPE_CHECKING:
    from sqlalchemy import Engine

PROBLEMS_SHOWN: Final = 5
ASIDE: Final = ".restore-"
_TABLE_BEGINS: Final = "processing data for table"


@dataclass(frozen=True, slots=True)
class Restored:
    """What was restored and compared. `settings`: the file they were written to; None where one was there already, or
    the back-up has none.
    """

    manifest: Manifest
    seen: Verified
    settings: Path | None = None


@dataclass(frozen=True, slots=True)
class Trust:
    """Whose back-ups are restored: those signed with `key`; with `foreign` any, by a database role that can do no
    harm outside its database.
    """

    key: str = field(repr=False)
    foreign: bool = False

    def check(self, url: str, manifest: Manifest) -> None:
        """Raises BackupFailed."""
        if is_signed(manifest, self.key):
            return
        if not self.foreign:
            raise BackupFailed(
                "This back-up is not signed by this installation: another one made it, a version before signatures, or "
                "the secret key was changed. A back-up is a program that the database runs. If you trust whoever "
                "wrote it, say --foreign."
            )
        engine = make_engine(url)
        try:
            dump.require_bounded_role(engine)
        finally:
            engine.dispose()


def verify_backup(
    url: str, path: Path, *, home: Path, trust: Trust, tell: Tell, should_stop: Callable[[], bool]
) -> Restored:
    """Restores the back-up into a scratch database, compares rows, chain and files, and drops it again.

    Nothing else is touched. Raises BackupFailed for whatever is not as it was, BackupInterrupted.
    """
    with opened(path) as backup:
        trust.check(url, backup.manifest)
        with _restored(url, backup, home, tell, should_stop) as (_, seen):
            return Restored(backup.manifest, seen)


def restore(
    url: str,
    engine: "Engine",
    path: Path,
    *,
    home: Path,
    trust: Trust,
    replace: bool,
    tell: Tell,
    should_stop: Callable[[], bool],
) -> Restored:
    """Puts the back-up in the place of the store, all or nothing; the settings only where there are none.

    Raises BackupFailed, with the store as it was: where it holds anything and `replace` is not said, where it is in
    use, where the back-up is not whole, of a newer program or not trusted.
    """
    if not replace and not dump.is_empty(engine):
        raise BackupFailed(
            "This store is not empty, and a restore takes its place. Make a back-up of it first, then say --replace; "
            "or restore into another database and home."
        )
    engine.dispose()  # our own connections would be in the way
    with opened(path) as backup:
        trust.check(url, backup.manifest)
        with _restored(url, backup, home, tell, should_stop, to_swap=True) as (made, seen):
            with _evidence_put(backup, EvidenceFolder(home), tell, should_stop):
                made.take_place()
            # pg_restore brings none along.
            statistics.refresh(engine)
            return Restored(backup.manifest, seen, _put_settings(backup, home))


@contextmanager
def _restored(
    url: str, backup: Reader, home: Path, tell: Tell, should_stop: Callable[[], bool], *, to_swap: bool = False
) -> Iterator[tuple[Scratch, Verified]]:
    """A scratch database with what the back-up holds, found to be what the back-up says, at this program's schema."""
    manifest = backup.manifest
    if not migrate.knows(manifest.schema):
        raise BackupFailed(
            f"This back-up was made by Zhiwen {manifest.program} with tables of revision {manifest.schema}, which this "
            f"program does not know: it is newer. Update the program first."
        )
    backup.check(tell=tell, should_stop=should_stop)
    with scratch(url, to_swap=to_swap) as made:
        with _aside(home) as folder:
            dumped = backup.file(DATABASE, folder)
            watch = counting(_TABLE_BEGINS, "tables restored", len(manifest.rows), tell)
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
        raise BackupFailed(f"What was restored is not what was saved: {'; '.join(wrong)}. Take another back-up.")


class _Listed(EvidenceFolder):
    """The files of the evidence as the manifest lists them: they were all read and compared with it before."""

    def __init__(self, manifest: Manifest) -> None:
        super().__init__(Path())
        parts = {digest: bytes.fromhex(manifest.parts[name].sha256) for digest, name in manifest.evidence.items()}
        # What was not there or not right when it was saved is not the back-up's fault, and is said apart.
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
            session, listed, expected=expected, reads_files=False, on_problem=lambda one: problems.append(str(one))
        )
    if problems:
        raise BackupFailed(
            f"The evidence in the back-up is not as it was written: {'; '.join(problems[:PROBLEMS_SHOWN])} "
            f"({len(problems)} problems). Take another back-up."
        )
    return seen


@contextmanager
def _evidence_put(
    backup: Reader, folder: EvidenceFolder, tell: Tell, should_stop: Callable[[], bool]
) -> Iterator[None]:
    """The back-up's evidence beside what is in the folder; what was added goes again where the block fails."""
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
            tell("files of the evidence restored", number, len(files))
        yield
    except OSError as error:
        _remove(folder, added)
        raise BackupFailed(f"The evidence could not be written: {error}. The store is as it was.") from error
    except BaseException:
        _remove(folder, added)
        raise


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
    """A folder in the home, where there is room, for as long as the block lasts."""
    home.mkdir(mode=0o700, parents=True, exist_ok=True)
    for left_behind in home.glob(f"{ASIDE}*"):
        shutil.rmtree(left_behind, ignore_errors=True)
    try:
        with tempfile.TemporaryDirectory(prefix=ASIDE, dir=home) as folder:
            yield Path(folder)
    except OSError as error:
        raise BackupFailed(f"{home} cannot be written: {error}. The store is as it was.") from error
