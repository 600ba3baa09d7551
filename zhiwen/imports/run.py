"""One import of files, folders and feeds; folders can be watched."""

import os
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from crawler.extraction.article import PageReader
from crawler.fetch.fetch import Fetched
from crawler.importers.files import Meter, read_articles, read_feed
from crawler.importers.folders import entries_of, is_regular
from crawler.importers.model import ImportOutcome
from crawler.outcomes.errors import ImportNotReadable
from crawler.outcomes.refusal_words import in_words
from crawler.outcomes.refusals import Refusal
from storage.records.imports import Mark
from storage.types import Rights
from zhiwen.wiring import fetch_page

if TYPE_CHECKING:
    from zhiwen.config.settings import Settings
    from zhiwen.imports.batches import Intake

POLL_EVERY_S: Final = 2.0
"""A watched file is imported once it is unchanged between two polls, that is, completely written."""

PAGE_DELAY_S: Final = 1.0
"""Between two pages of a feed."""

SILENT_AFTER: Final = 3
"""Failures of a host in a row after which its other pages of the feed are skipped."""

_NO_ANSWER: Final = (Refusal.UNREACHABLE, Refusal.TIMEOUT, Refusal.BROKEN_RESPONSE)

UNFINISHED: Final = (".part", ".tmp", ".crdownload", ".download", "~")


def is_url(source: str) -> bool:
    return source.startswith(("http://", "https://"))


READERS: Final = max(1, min(4, os.cpu_count() or 1))
"""Processes that read pages for an import, which is most of its work."""


@dataclass(frozen=True, slots=True)
class ImportRun:
    """Reads records and passes them to `intake`."""

    settings: "Settings"
    intake: "Intake"
    read_page: PageReader
    rights: Rights
    meter: Meter
    _seen: dict[Path, tuple[int, int]] = field(default_factory=dict)
    _imported: dict[Path, tuple[int, int]] = field(default_factory=dict)
    _refused: set[Path] = field(default_factory=set)
    _unanswered: Counter[str] = field(default_factory=Counter)

    def once(self, sources: Sequence[str], *, below: Path | None = None, named: str = "") -> None:
        """Imports all records of these files, folders and feeds. Raises ImportNotReadable before it reads any.

        `below`: the folder that links must not leave, for sources from outside the command line; `named`: its name in
        addresses.
        """
        paths = [Path(source) for source in sources if not is_url(source)]
        readings = [(path, self._outcomes(path, self.intake.mark_of(path), below=below, named=named)) for path in paths]
        for path, outcomes in readings:
            self.intake.take(outcomes, path=path)
            self.intake.finish(path, remember=False)
        for url in filter(is_url, sources):
            self.intake.take(self._feed(url))

    def watch(self, folders: Sequence[Path]) -> Iterator[Path]:
        """Imports present and future files of the folders, forever; yields each imported file.

        A file is imported once, also over several runs, unless it changes.
        """
        while True:
            for folder in folders:
                for file in list(entries_of(folder)):
                    if folder.is_dir() and not is_regular(file):
                        self._refuse(file, folder)
                        continue
                    with suppress(OSError):  # deleted meanwhile
                        if self._is_ready(file):
                            self._import(file, below=folder if folder.is_dir() else None)
                            yield file
            time.sleep(POLL_EVERY_S)

    def _is_ready(self, file: Path) -> bool:
        now = _state(file)
        if file.name.lower().endswith(UNFINISHED) or self._imported.get(file) == now:
            return False
        is_the_same, self._seen[file] = self._seen.get(file) == now, now
        if not is_the_same:
            return False
        mark = self.intake.mark_of(file)
        if mark is not None and mark.is_done and (mark.size, mark.mtime_ns) == now:
            self._imported[file] = now
            return False
        return True

    def _refuse(self, file: Path, folder: Path) -> None:
        """Reports and counts the file once."""
        if file not in self._refused:
            self._refused.add(file)
            self.intake.take(self._outcomes(file, None, below=folder))

    def _import(self, file: Path, *, below: Path | None) -> None:
        now = _state(file)
        self.intake.take(self._outcomes(file, self.intake.mark_of(file), below=below), path=file)
        self.intake.finish(file, remember=True)
        self._imported[file] = now

    def _outcomes(
        self, path: Path, mark: Mark | None, *, below: Path | None = None, named: str = ""
    ) -> Iterator[ImportOutcome]:
        return read_articles(
            [path],
            now=datetime.now(UTC),
            time_zone=self.settings.time_zone,
            rights=self.rights,
            done={} if mark is None or mark.is_done else {path: mark},
            read_page=self.read_page,
            fetch_page=self._fetch_politely,
            meter=self.meter,
            at_once=READERS,
            below=below,
            named=named,
        )

    def _feed(self, url: str) -> Iterator[ImportOutcome]:
        page = fetch_page(self.settings, url)
        if isinstance(page, Refusal):
            raise ImportNotReadable(url, in_words(page))
        return read_feed(
            page,
            now=datetime.now(UTC),
            time_zone=self.settings.time_zone,
            rights=self.rights,
            read_page=self.read_page,
            fetch_page=self._fetch_politely,
        )

    def _fetch_politely(self, url: str) -> Fetched | Refusal:
        host = urlsplit(url).netloc
        if self._unanswered[host] >= SILENT_AFTER:
            return Refusal.UNREACHABLE
        time.sleep(PAGE_DELAY_S)
        found = fetch_page(self.settings, url)
        self._unanswered[host] = self._unanswered[host] + 1 if found in _NO_ANSWER else 0
        return found


def _state(file: Path) -> tuple[int, int]:
    found = file.stat()
    return found.st_size, found.st_mtime_ns
