"""Articles from files and folders: the kinds of files, and how each is read. Knows no database."""

import contextlib
import gzip
import os
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import IO, TYPE_CHECKING, Final, TypeAlias, cast

from crawler.extraction.article import PageReader
from crawler.importers.feeds import MAX_FEED_BYTES, FeedReader, PageFetcher
from crawler.importers.folders import entries_of, opened, require_regular
from crawler.importers.model import (
    DEFAULT_LIMITS,
    BadRecord,
    ImportedArticle,
    ImportOutcome,
    ImportProblem,
    Limits,
    explained,
    holds_for,
)
from crawler.importers.parallel import Ready, Work, in_order
from crawler.importers.records import RecordReader
from crawler.importers.saved_pages import MAX_SAVED_BYTES, SavedPage, read_saved_page
from crawler.importers.tables import rows
from crawler.outcomes.errors import ImportNotReadable
from crawler.outcomes.refusals import Refusal
from crawler.urls.canonical import file_url, import_url
from crawler.warc.reader import ArchivedPage, Damaged, archived_pages
from storage.records.imports import Mark
from storage.records.pages import NewArticle
from storage.types import FoundBy, Rights

if TYPE_CHECKING:
    from crawler.fetch.fetch import Fetched

__all__ = [
    "ImportProblem",
    "ImportedArticle",
    "Limits",
    "Meter",
    "is_importable",
    "read_articles",
    "read_feed",
    "read_record",
]

JSON_LINES: Final = (".jsonl", ".ndjson")
TABLES: Final = (".csv", ".tsv")
ARCHIVES: Final = (".warc", ".wet")
FEEDS: Final = (".rss", ".atom", ".xml")
SAVED: Final = (".mhtml", ".mht")
MARKUP: Final = (".html", ".htm", ".xhtml", ".shtml")
TEXT: Final = (".txt", ".md", ".markdown", ".text")
_SHOWN_KINDS: Final = (".jsonl", ".csv", ".warc", ".html", ".mhtml", ".rss", ".txt")
_GZIP_MAGIC: Final = b"\x1f\x8b"

Reading: TypeAlias = Work[ImportOutcome]


_SINGLE: Final = (*SAVED, *MARKUP, *TEXT)
"""Files that hold one article. Only files of many come compressed."""


def is_importable(name: str) -> bool:
    """Whether a file of this name is of a kind that is read."""
    plain = name.lower().removesuffix(".gz")
    if plain != name.lower():
        return plain.endswith((*JSON_LINES, *TABLES, *ARCHIVES))
    return plain.endswith((*JSON_LINES, *TABLES, *ARCHIVES, *FEEDS, *_SINGLE))


class Meter:
    """How many bytes of the files were read so far, compressed as they are on disk."""

    def __init__(self) -> None:
        self._before = 0
        self._file: IO[bytes] | None = None

    @property
    def bytes_read(self) -> int:
        return self._before + (0 if self._file is None else self._file.tell())

    @contextlib.contextmanager
    def opened(self, path: Path, *, below: Path | None = None) -> Iterator[IO[bytes]]:
        """As `crawler.importers.folders.opened`."""
        with opened(path, below=below) as file:
            self._file = file
            try:
                yield file
            finally:
                self._file = None
                self._before += file.tell()


def read_articles(
    paths: Iterable[Path],
    *,
    found_by: FoundBy = FoundBy.IMPORT,
    now: datetime,
    time_zone: str = "Asia/Shanghai",
    rights: Rights = Rights.UNKNOWN,
    limits: Limits = DEFAULT_LIMITS,
    done: Mapping[Path, Mark] | None = None,
    read_page: PageReader | None = None,
    fetch_page: PageFetcher | None = None,
    meter: Meter | None = None,
    at_once: int = 1,
    below: Path | None = None,
    named: str = "",
) -> Iterator[ImportOutcome]:
    """Everything in `paths`, one by one, in order: articles, and the problems met between them.

    In a folder, links are not followed and only regular files are read. `below`: the folder in which the paths were
    found, if a person did not name them; then this holds for them, too. `named`: the name of that folder in the
    addresses of texts that have none of their own, instead of its path on this machine.

    `at_once`: how many records are read in parallel, which helps if `read_page` waits for other processes.
    `done`: how far each path was read before; what it covers is passed over. Raises ImportNotReadable at once if a
    path does not exist. Reads lazily: a file may be larger than memory.
    """
    given = list(paths)
    for path in given if below is None else ():
        if not path.exists():
            raise ImportNotReadable(str(path), "there is no such file or folder")
        if not os.access(path, os.R_OK):
            raise ImportNotReadable(str(path), "permission denied")
    records = RecordReader(now, time_zone, found_by, rights=rights, limits=limits, read_page=read_page)
    meter = meter or Meter()
    works = (
        work
        for path in given
        for reader in [_FileReader(records, meter, fetch_page, below or (path if path.is_dir() else None), named)]
        for file, after in _remaining(path, (done or {}).get(path), below)
        for work in reader.read(file, after=after)
    )
    return in_order(works, at_once=at_once)


def read_record(
    line: bytes, *, path: str, number: int, now: datetime, time_zone: str, limits: Limits = DEFAULT_LIMITS
) -> ImportOutcome:
    """One JSON line, as `read_articles` reads it: for records that come from elsewhere than a file."""
    return RecordReader(now, time_zone, limits=limits).of_line(line, Path(path), number)()


def read_feed(
    page: "Fetched", *, now: datetime, time_zone: str, rights: Rights, read_page: PageReader, fetch_page: PageFetcher
) -> Iterator[ImportOutcome]:
    """The entries of a feed that was fetched; if it holds summaries, their pages are fetched too."""
    records = RecordReader(now, time_zone, rights=rights, read_page=read_page)
    try:
        reader = FeedReader(records, fetch_page)
        yield from reader.read(page.body, name=page.url, url=page.url, content_type=page.content_type)
    except BadRecord as error:
        yield ImportProblem(page.url, None, error.refusal, str(error))


def _remaining(path: Path, mark: Mark | None, below: Path | None) -> Iterator[tuple[Path, int]]:
    """Files that are not done, each with its number of records that are. Starts over if the marked file is gone."""
    is_behind = mark is None or not Path(mark.file).exists()
    for file in entries_of(path, below=below):
        if not is_behind and mark is not None and str(file) == mark.file:
            is_behind = True
            yield file, mark.number if holds_for(mark, file) else 0
        elif is_behind:
            yield file, 0


@dataclass(frozen=True, slots=True)
class _FileReader:
    records: RecordReader
    meter: Meter
    fetch_page: PageFetcher | None
    below: Path | None
    named: str
    _kinds: Mapping[tuple[str, ...], Callable[[Path, int], Iterator[Reading]]] = field(init=False)

    def __post_init__(self) -> None:
        kinds = {
            JSON_LINES: self._json_lines,
            TABLES: self._table,
            ARCHIVES: self._archive,
            FEEDS: self._feed,
            _SINGLE: self._whole,
        }
        object.__setattr__(self, "_kinds", kinds)

    @property
    def limits(self) -> Limits:
        return self.records.limits

    def read(self, path: Path, *, after: int) -> Iterator[Reading]:
        """Reads the file record by record; the works that it yields read the records."""
        name = path.name.lower().removesuffix(".gz")
        reading = next((read for suffixes, read in self._kinds.items() if name.endswith(suffixes)), None)
        try:
            if self.below is not None:
                require_regular(path)
            if reading is None or not is_importable(path.name):
                message = f"not a kind of file that is read ({', '.join(_SHOWN_KINDS)})"
                yield Ready(ImportProblem(str(path), None, Refusal.WRONG_TYPE, message))
            else:
                yield from reading(path, after)
        except (EOFError, zlib.error, gzip.BadGzipFile) as error:
            message = f"the compressed file is damaged: {error}; its rest is not read"
            yield Ready(ImportProblem(str(path), None, Refusal.BROKEN_RESPONSE, message))
        except BadRecord as error:
            yield Ready(ImportProblem(str(path), None, error.refusal, str(error)))
        except OSError as error:
            cause = error.strerror or str(error)
            yield Ready(ImportProblem(str(path), None, Refusal.UNREACHABLE, f"cannot be read: {cause}"))

    @contextlib.contextmanager
    def _opened(self, path: Path) -> Iterator[IO[bytes]]:
        """The file's bytes, unpacked as they are read."""
        with self.meter.opened(path, below=self.below) as raw:
            is_packed = raw.read(2) == _GZIP_MAGIC
            raw.seek(0)
            yield cast("IO[bytes]", gzip.GzipFile(fileobj=raw)) if is_packed else raw

    def _json_lines(self, path: Path, after: int) -> Iterator[Reading]:
        with self._opened(path) as file:
            for number, line in enumerate(_lines(file, self.limits.max_line_bytes), start=1):
                if number <= after:
                    continue
                if line is None:
                    message = f"longer than {self.limits.max_line_bytes:,} bytes"
                    yield Ready(ImportProblem(str(path), number, Refusal.TOO_LARGE, message, str(number)))
                elif line.strip():
                    yield self.records.of_line(line, path, number)

    def _table(self, path: Path, after: int) -> Iterator[Reading]:
        with self._opened(path) as file:
            for row in rows(file, max_row_bytes=self.limits.max_line_bytes):
                if row.number <= after:
                    continue
                if row.problem:
                    wrong = Refusal.BROKEN_MARKUP
                    yield Ready(ImportProblem(str(path), row.number, wrong, row.problem, str(row.number), noun="row"))
                else:
                    yield self.records.reading(row.fields, path, row.number, noun="row")

    def _archive(self, path: Path, after: int) -> Iterator[Reading]:
        with self._opened(path) as file:
            try:
                for page in archived_pages(file, max_bytes=self.limits.max_file_bytes, after=after):
                    yield partial(self._archived, page, path)
            except Damaged as error:
                message = f"the archive is damaged: {error}; its rest is not read"
                yield Ready(ImportProblem(str(path), None, Refusal.BROKEN_RESPONSE, message))

    def _archived(self, page: ArchivedPage, path: Path) -> ImportOutcome:
        if page.refusal is not None:
            return ImportProblem(str(path), page.number, page.refusal, page.message, page.url, noun="record")
        at = page.at if page.at is not None and page.at <= self.records.now else self.records.now
        try:
            url = self.records.address(page.url)
            article = self.records.page(page.body, url, page.content_type, at=at)
        except BadRecord as error:
            return ImportProblem(
                str(path),
                page.number,
                error.refusal,
                f"{page.url[:200]}: {error}",
                page.url,
                "record",
                is_expected=True,
            )
        return ImportedArticle(self.records.new(article, url, at=at), page.url, None, str(path), page.number)

    def _feed(self, path: Path, after: int) -> Iterator[Reading]:
        with self.meter.opened(path, below=self.below) as file:
            body = file.read(MAX_FEED_BYTES + 1)
        reader = FeedReader(self.records, self.fetch_page)
        # In sequence: it may fetch pages, at a limited rate.
        entries = reader.read(body, name=str(path), url=self._own_address(path), after=after)
        yield from map(Ready, entries)

    def _whole(self, path: Path, after: int) -> Iterator[Reading]:
        """A file that holds one article."""
        if after:
            return
        name = path.name.lower()
        longest = MAX_SAVED_BYTES if name.endswith(SAVED) else self.limits.max_file_bytes
        with self.meter.opened(path, below=self.below) as file:
            body = file.read(longest + 1)
        if len(body) > longest:
            message = f"larger than {longest:,} bytes"
            yield Ready(ImportProblem(str(path), None, Refusal.TOO_LARGE, message, path.name))
        else:
            yield partial(self._single, body, path, is_text=name.endswith(TEXT))

    def _single(self, body: bytes, path: Path, *, is_text: bool) -> ImportOutcome:
        try:
            return ImportedArticle(self._of_file(body, path, is_text=is_text), path.name, None, str(path), 1)
        except BadRecord as error:
            return ImportProblem(str(path), None, error.refusal, str(error), path.name)

    def _of_file(self, body: bytes, path: Path, *, is_text: bool) -> NewArticle:
        own_address = self._own_address(path)
        if is_text:
            return self.records.new(self.records.of_bytes(body), own_address)
        saved = read_saved_page(body)
        if isinstance(saved, Refusal):
            raise BadRecord(explained(saved, self.limits), saved)
        return self._of_saved(saved, own_address)

    def _own_address(self, path: Path) -> str:
        if self.named and self.below is not None:
            return import_url(f"{self.named}/{path.relative_to(self.below)}")
        return file_url(str(path.resolve()))

    def _of_saved(self, saved: SavedPage, own_address: str) -> NewArticle:
        url = own_address if saved.url is None else self.records.address(saved.url)
        article = self.records.page(saved.body, url, saved.content_type)
        return self.records.new(article, url)


def _lines(file: IO[bytes], longest: int) -> Iterator[bytes | None]:
    """The lines of `file`; None for one that is too long, which is skipped without being kept in memory."""
    while line := file.readline(longest + 1):
        if len(line) <= longest or line.endswith(b"\n"):
            yield line
            continue
        yield None
        while (rest := file.readline(longest)) and not rest.endswith(b"\n"):
            pass
