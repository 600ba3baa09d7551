"""Articles from files: JSON lines, HTML pages, plain texts, and folders of them. Knows no database."""

import gzip
import json
import os
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import IO, Final, cast

from crawler.charset import decode
from crawler.dates import parse_date, time_zone_of
from crawler.errors import ImportNotReadable, UnusableUrl
from crawler.extract import MAX_PAGE_BYTES, SHORTEST_ARTICLE, Article, extract, plain_article, storable
from crawler.language import language_of
from crawler.metadata import credit_lines_of
from crawler.refusals import Refusal
from crawler.urls import canonical_url, file_url
from storage.records import Declared, NewArticle
from storage.types import DateOrigin, FoundBy, Rights

JSON_LINES: Final = (".jsonl", ".ndjson", ".jsonl.gz", ".ndjson.gz")
MARKUP: Final = (".html", ".htm", ".xhtml", ".shtml")
TEXT: Final = (".txt", ".md", ".markdown", ".text")


@dataclass(frozen=True, slots=True)
class Limits:
    """What is too much, and what too little, to be taken in."""

    max_file_bytes: int = MAX_PAGE_BYTES
    """Of one HTML or text file. Files of JSON lines may be of any size."""
    max_line_bytes: int = 4 * MAX_PAGE_BYTES
    """JSON may write a character in six bytes where the page took two or three."""
    shortest_article: int = SHORTEST_ARTICLE
    """Word characters. 0 takes any text that is not empty."""
    needs_url: bool = True
    """Whether a record without `url` is refused, or gets the address of its file and line."""


@dataclass(frozen=True, slots=True)
class ImportedArticle:
    """`id` is the record's own, else its line number, else the name of its file."""

    article: NewArticle
    id: str
    site_name: str | None
    path: str
    line: int | None = None


@dataclass(frozen=True, slots=True)
class ImportProblem:
    """What was not taken in, and why. `line` counts from 1; None where it concerns the whole file."""

    path: str
    line: int | None
    refusal: Refusal
    message: str
    id: str | None = None

    def __str__(self) -> str:
        place = self.path if self.line is None else f"{self.path}, line {self.line}"
        return f"{place}: {self.message}"


def read_articles(
    paths: Iterable[Path],
    *,
    found_by: FoundBy = FoundBy.IMPORT,
    now: datetime,
    time_zone: str = "Asia/Shanghai",
    rights: Rights = Rights.UNKNOWN,
    limits: Limits = Limits(),
) -> Iterator[ImportedArticle | ImportProblem]:
    """Everything in `paths`, one by one, in order: articles, and the problems met between them.

    Raises ImportNotReadable at once where a path is not there. Reads lazily: a file may be larger than memory.
    """
    given = list(paths)
    for path in given:
        if not path.exists():
            raise ImportNotReadable(str(path), "there is no such file or folder")
        if not os.access(path, os.R_OK):
            raise ImportNotReadable(str(path), "permission denied")
    reader = _Reader(found_by=found_by, now=now, time_zone=time_zone, rights=rights, limits=limits)
    return (outcome for path in given for file in _files(path) for outcome in reader.read(file))


def read_record(
    line: bytes, *, path: str, number: int, now: datetime, time_zone: str, limits: Limits = Limits()
) -> ImportedArticle | ImportProblem:
    """One JSON line, as `read_articles` reads it: for records that come from elsewhere than a file."""
    reader = _Reader(found_by=FoundBy.IMPORT, now=now, time_zone=time_zone, rights=Rights.UNKNOWN, limits=limits)
    return reader.record(line, Path(path), number)


def _files(path: Path) -> Iterator[Path]:
    """The files of a folder and its folders, in the order of their names. Hidden ones and links to folders are left."""
    if not path.is_dir():
        yield path
        return
    for folder, folders, names in os.walk(path):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        yield from (Path(folder, name) for name in sorted(names) if not name.startswith("."))


@dataclass(frozen=True, slots=True)
class _Reader:
    found_by: FoundBy
    now: datetime
    time_zone: str
    rights: Rights
    limits: Limits

    def read(self, path: Path) -> Iterator[ImportedArticle | ImportProblem]:
        name = path.name.lower()
        try:
            if name.endswith(JSON_LINES):
                yield from self._json_lines(path)
            elif name.endswith(MARKUP + TEXT):
                yield self._file(path, is_markup=name.endswith(MARKUP))
            else:
                known = ", ".join((*JSON_LINES[:1], ".jsonl.gz", *MARKUP[:2], *TEXT[:2]))
                yield ImportProblem(str(path), None, Refusal.WRONG_TYPE, f"not a kind of file that is read ({known})")
        except OSError as error:
            cause = error.strerror or str(error)
            yield ImportProblem(str(path), None, Refusal.UNREACHABLE, f"cannot be read: {cause}")

    def record(self, line: bytes, path: Path, number: int) -> ImportedArticle | ImportProblem:
        try:
            record = _object(line)
            identity = _text(record, "id") or str(number)
        except _BadRecord as error:
            return ImportProblem(str(path), number, Refusal.BROKEN_MARKUP, str(error), str(number))
        try:
            return ImportedArticle(
                self._article(record, path, number), identity, _text(record, "site") or None, str(path), number
            )
        except _BadRecord as error:
            return ImportProblem(str(path), number, error.refusal, str(error), identity)

    def _json_lines(self, path: Path) -> Iterator[ImportedArticle | ImportProblem]:
        with path.open("rb") as raw:
            packed = path.name.lower().endswith(".gz")
            file: IO[bytes] = cast("IO[bytes]", gzip.GzipFile(fileobj=raw)) if packed else raw
            number = 0
            try:
                for number, line in enumerate(_lines(file, self.limits.max_line_bytes), start=1):
                    if line is None:
                        message = f"longer than {self.limits.max_line_bytes:,} bytes"
                        yield ImportProblem(str(path), number, Refusal.TOO_LARGE, message, str(number))
                    elif line.strip():
                        yield self.record(line, path, number)
            except (EOFError, zlib.error, gzip.BadGzipFile) as error:
                yield ImportProblem(
                    str(path), number + 1, Refusal.BROKEN_RESPONSE, f"the compressed file is damaged: {error}"
                )

    def _file(self, path: Path, *, is_markup: bool) -> ImportedArticle | ImportProblem:
        with path.open("rb") as file:
            body = file.read(self.limits.max_file_bytes + 1)
        url = file_url(str(path.resolve()))
        try:
            if len(body) > self.limits.max_file_bytes:
                raise _BadRecord(f"larger than {self.limits.max_file_bytes:,} bytes", Refusal.TOO_LARGE)
            article = self._of_markup(body, url, "text/html") if is_markup else self._of_bytes(body)
        except _BadRecord as error:
            return ImportProblem(str(path), None, error.refusal, str(error), path.name)
        return ImportedArticle(self._new(article, url), path.name, None, str(path))

    def _article(self, record: dict[str, object], path: Path, number: int) -> NewArticle:
        url = self._url(record, path, number)
        html, text = _text(record, "html"), _text(record, "text")
        if text.strip():
            article = self._of_text(text)
        elif html.strip():
            article = self._of_markup(html.encode("utf-8", "replace"), url, "text/html; charset=utf-8")
        else:
            raise _BadRecord('neither "text" nor "html" holds anything', Refusal.TOO_SHORT)
        return self._new(
            article, url, title=_text(record, "title"), author=_text(record, "author"), declared=self._declared(record)
        )

    def _url(self, record: dict[str, object], path: Path, number: int) -> str:
        url = _text(record, "url")
        if not url and not self.limits.needs_url:
            return f"{file_url(str(path.resolve()))}?line={number}"
        if not url:
            raise _BadRecord('"url" is missing', Refusal.UNUSABLE_URL)
        try:
            return canonical_url(url)
        except UnusableUrl as error:
            raise _BadRecord(str(error), Refusal.UNUSABLE_URL) from error

    def _declared(self, record: dict[str, object]) -> Declared | None:
        written = _text(record, "published_at")
        if not written.strip():
            return None
        parsed = parse_date(written, zone=time_zone_of(self.time_zone), now=self.now)
        if parsed is None:
            raise _BadRecord(f'"published_at" is not a date in the past: {written[:60]!r}', Refusal.BROKEN_MARKUP)
        return Declared(parsed[0], parsed[1], DateOrigin.IMPORT)

    def _of_text(self, text: str) -> Article:
        # As supplied, to the last space: offsets into it are part of every result.
        kept = storable(text)
        checked = plain_article(kept, title="", shortest=self.limits.shortest_article)
        if isinstance(checked, Refusal):
            raise _BadRecord(_explained(checked, self.limits), checked)
        return Article(checked.title, "", kept, Declared(), language_of(kept), credit_lines=credit_lines_of(kept))

    def _of_bytes(self, body: bytes) -> Article:
        decoded = decode(body)
        if decoded is None:
            raise _BadRecord(_explained(Refusal.UNDECODABLE, self.limits), Refusal.UNDECODABLE)
        return self._of_text(decoded.text)

    def _of_markup(self, body: bytes, url: str, content_type: str) -> Article:
        outcome = extract(body, url=url, content_type=content_type, fetched_at=self.now, time_zone=self.time_zone)
        if isinstance(outcome, Refusal):
            raise _BadRecord(_explained(outcome, self.limits), outcome)
        return outcome

    def _new(
        self, article: Article, url: str, *, title: str = "", author: str = "", declared: Declared | None = None
    ) -> NewArticle:
        return NewArticle(
            url=url,
            text=article.text,
            found_by=self.found_by,
            fetched_at=self.now,
            title=storable(title) or article.title,
            author=storable(author) or article.author,
            language=article.language,
            declared=declared or article.declared,
            rights=self.rights,
            credit_lines=article.credit_lines,
            credit_links=article.credit_links,
            canonical_link=article.canonical_link,
        )


class _BadRecord(Exception):
    def __init__(self, message: str, refusal: Refusal = Refusal.BROKEN_MARKUP) -> None:
        super().__init__(message)
        self.refusal = refusal


_EXPLANATIONS: Final = {
    Refusal.TOO_SHORT: "its text is shorter than {shortest} word characters",
    Refusal.UNDECODABLE: "not a text in any known encoding",
    Refusal.TOO_LARGE: "larger than {largest:,} bytes",
    Refusal.LIST_PAGE: "a list of articles, not an article",
    Refusal.NOT_AN_ARTICLE: "no article was found on the page",
    Refusal.BROKEN_MARKUP: "its markup cannot be read",
    Refusal.NESTED_TOO_DEEP: "its markup is nested too deeply",
}


def _explained(refusal: Refusal, limits: Limits) -> str:
    text = _EXPLANATIONS.get(refusal, str(refusal))
    return text.format(shortest=limits.shortest_article, largest=limits.max_file_bytes)


def _lines(file: IO[bytes], longest: int) -> Iterator[bytes | None]:
    """The lines of `file`; None for one that is too long, which is passed over without being held."""
    while line := file.readline(longest + 1):
        if len(line) <= longest or line.endswith(b"\n"):
            yield line
            continue
        yield None
        while (rest := file.readline(longest)) and not rest.endswith(b"\n"):
            pass


def _object(line: bytes) -> dict[str, object]:
    try:
        value = json.loads(line.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise _BadRecord("not UTF-8") from error
    except json.JSONDecodeError as error:
        raise _BadRecord(f"not JSON: {error.msg} at column {error.colno}") from error
    except (ValueError, RecursionError) as error:
        raise _BadRecord("not JSON that can be read: a number too long or nested too deeply") from error
    if not isinstance(value, dict):
        raise _BadRecord("not a JSON object")
    return value


def _text(record: dict[str, object], name: str) -> str:
    value = record.get(name)
    if value is None:
        return ""
    if name == "id" and isinstance(value, int):
        return str(value)
    if not isinstance(value, str):
        raise _BadRecord(f'"{name}" is not a text')
    return value
