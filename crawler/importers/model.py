"""Articles and problems that importers return, whatever the kind of file. Pure."""

from dataclasses import dataclass
from pathlib import Path
from typing import Final, TypeAlias

from crawler.extraction.extract import MAX_PAGE_BYTES, SHORTEST_ARTICLE
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


_EXPLANATIONS: Final = {
    Refusal.TOO_SHORT: "its text is shorter than {shortest} word characters",
    Refusal.UNDECODABLE: "not a text in any known encoding",
    Refusal.TOO_LARGE: "larger than {largest:,} bytes",
    Refusal.LIST_PAGE: "a list of articles, not an article",
    Refusal.NOT_AN_ARTICLE: "no article was found on the page",
    Refusal.BROKEN_MARKUP: "its markup cannot be read",
    Refusal.NESTED_TOO_DEEP: "its markup is nested too deeply",
    Refusal.TOO_MANY_ATTRIBUTES: "a tag has more than 1,000 attributes",
    Refusal.BROKEN_RESPONSE: "it is damaged",
    Refusal.WRONG_TYPE: "not a page of text",
    Refusal.PARSE_DEADLINE: "reading it took too long",
    Refusal.PARSER_DIED: "the process that read it died",
}


def explained(refusal: Refusal, limits: Limits) -> str:
    text = _EXPLANATIONS.get(refusal, str(refusal))
    return text.format(shortest=limits.shortest_article, largest=limits.max_file_bytes)
