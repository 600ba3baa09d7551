"""Articles and problems that importers return, whatever the kind of file. Pure."""

from dataclasses import dataclass
from pathlib import Path
from typing import Final, TypeAlias

from crawler.extraction.article import MAX_PAGE_BYTES, SHORTEST_ARTICLE
from crawler.outcomes.refusal_words import REFUSAL_WORDS
from crawler.outcomes.refusals import Refusal
from storage.records.imports import Mark
from storage.records.pages import NewArticle


@dataclass(frozen=True, slots=True)
class Limits:
    """Bounds on what is imported."""

    max_file_bytes: int = MAX_PAGE_BYTES
    """Of one HTML or text file or page. Files of many records may be of any size."""
    max_line_bytes: int = 4 * MAX_PAGE_BYTES
    """JSON may write a character in six bytes, a page in two or three."""
    shortest_article: int = SHORTEST_ARTICLE
    """Word characters. 0 takes any text that is not empty."""
    needs_url: bool = True
    """Whether a record without `url` is refused, or gets the address of its file and line."""


DEFAULT_LIMITS: Final = Limits()


@dataclass(frozen=True, slots=True)
class ImportedArticle:
    """`id` is the record's own, else its number, else the name of its file. `line` counts records from 1."""

    article: NewArticle
    id: str
    site_name: str | None
    path: str
    line: int | None = None


@dataclass(frozen=True, slots=True)
class ImportProblem:
    """Why something was not imported. `line` counts from 1; None if the problem concerns the whole file."""

    path: str
    line: int | None
    refusal: Refusal
    message: str
    id: str | None = None
    noun: str = "line"
    is_expected: bool = False
    """Whether any file of this kind has such records: most pages of a web archive are no articles."""

    def __str__(self) -> str:
        place = self.path if self.line is None else f"{self.path}, {self.noun} {self.line}"
        return f"{place}: {self.message}"


ImportOutcome: TypeAlias = ImportedArticle | ImportProblem


def holds_for(mark: Mark, path: Path) -> bool:
    """Whether `path` is the marked file, unchanged since."""
    if str(path) != mark.file:
        return False
    try:
        now = path.stat()
    except OSError:
        return False
    return (now.st_size, now.st_mtime_ns) == (mark.size, mark.mtime_ns)


class BadRecord(Exception):
    """A record that is not imported; the message says why."""

    def __init__(self, message: str, refusal: Refusal = Refusal.BROKEN_MARKUP) -> None:
        super().__init__(message)
        self.refusal = refusal


_BOUNDS: Final = {
    Refusal.TOO_SHORT: "its text is shorter than {shortest} word characters",
    Refusal.TOO_LARGE: "larger than {largest:,} bytes",
}


def explained(refusal: Refusal, limits: Limits) -> str:
    """The problem of a record or file, with the bound that it exceeds."""
    if refusal is Refusal.TOO_SHORT and limits.shortest_article <= 1:
        return "it has no text"
    text = _BOUNDS.get(refusal) or REFUSAL_WORDS[refusal]
    return text.format(shortest=limits.shortest_article, largest=limits.max_file_bytes)
