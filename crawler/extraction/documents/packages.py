"""Text of PDF and Word files, page by page and paragraph by paragraph, within bounds. Pure."""

import io
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final

from crawler.outcomes.refusals import Refusal

MOST_CHARS: Final = 500_000
"""Of a text; a longer one is a book and is cut."""
MOST_PAGES: Final = 2_000
MOST_PARTS: Final = 5_000
MOST_UNPACKED_BYTES: Final = 100_000_000
"""Of all parts of a Word file together, as it says itself; a file that says less than it holds cannot be unpacked."""
SCAN_CHARS_PER_PAGE: Final = 8
"""Most characters per page of a scan: it has a stamp or a page number, if any text."""

_WORD_PART: Final = "word/document.xml"


@dataclass(frozen=True, slots=True)
class Pages:
    """The lines of each page, as they stand on it; of a Word file all paragraphs are one page."""

    pages: tuple[tuple[str, ...], ...]
    title: str = ""
    author: str = ""


class Unreadable(Exception):
    """A document that is refused."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(refusal.value)
        self.refusal = refusal


def pdf_pages(data: bytes, *, most_chars: int = MOST_CHARS) -> Pages:
    """The lines of a PDF, until there are `most_chars`. Raises Unreadable."""
    from pypdf import PasswordType, PdfReader  # noqa: PLC0415  # only where it is needed: readers start in half the time

    with _damage_by_name():
        reader = PdfReader(io.BytesIO(data), strict=False)
        if reader.is_encrypted and reader.decrypt("") is PasswordType.NOT_DECRYPTED:
            raise Unreadable(Refusal.ENCRYPTED)
        count = len(reader.pages)
        if count > MOST_PAGES:
            raise Unreadable(Refusal.BEYOND_BOUND)
        texts = list(_bounded((page.extract_text() for page in reader.pages), most_chars))
        about: Mapping[str, object] = reader.metadata or {}
        title, author = (str(about.get(name) or "") for name in ("/Title", "/Author"))
    if sum(map(str.isalnum, "".join(texts))) < SCAN_CHARS_PER_PAGE * len(texts):
        raise Unreadable(Refusal.SCAN)
    return Pages(tuple(tuple(text.splitlines()) for text in texts), title, author)


def word_pages(data: bytes, *, most_chars: int = MOST_CHARS) -> Pages:
    """The paragraphs and cells of a Word file (docx), until there are `most_chars`. Raises Unreadable."""
    import docx  # noqa: PLC0415

    _require_sane_package(data)
    with _damage_by_name():
        word = docx.Document(io.BytesIO(data))
        lines = tuple(_bounded(_lines_of(word), most_chars))
        about = word.core_properties
        return Pages((lines,), about.title or "", about.author or "")


def _require_sane_package(data: bytes) -> None:
    """Checks that the package is a Word file, and of a size that can be unpacked. Reads its list of contents alone."""
    with _damage_by_name(), zipfile.ZipFile(io.BytesIO(data)) as package:
        parts = package.infolist()
    if len(parts) > MOST_PARTS or sum(part.file_size for part in parts) > MOST_UNPACKED_BYTES:
        raise Unreadable(Refusal.TOO_LARGE)
    if any(part.flag_bits & 0x1 for part in parts):
        raise Unreadable(Refusal.ENCRYPTED)
    if _WORD_PART not in {part.filename for part in parts}:
        raise Unreadable(Refusal.WRONG_TYPE)


def _lines_of(holder: object) -> Iterator[str]:
    """Paragraphs and cells in the order of the document; tables within tables too."""
    from docx.table import Table  # noqa: PLC0415

    for item in holder.iter_inner_content():  # type: ignore[attr-defined]  # the document and its cells alike
        if isinstance(item, Table):
            seen: set[int] = set()
            for row in item.rows:
                for cell in row.cells:
                    if id(cell._tc) not in seen:  # a merged cell is named once for each column that it covers
                        seen.add(id(cell._tc))
                        yield from _lines_of(cell)
        elif item.text.strip():
            yield item.text


@contextmanager
def _damage_by_name() -> Iterator[None]:
    """Libraries raise whatever they meet in a damaged file, such as TypeError, AssertionError or RecursionError.

    MemoryError is not caught: it is no damage, and the reader process reports it.
    """
    try:
        yield
    except (Unreadable, MemoryError):
        raise
    except Exception as error:
        raise Unreadable(Refusal.BROKEN_DOCUMENT) from error


def _bounded(pieces: Iterator[str], most_chars: int) -> Iterator[str]:
    """The pieces until there is more text than is read: what follows need not be unpacked."""
    chars = 0
    for piece in pieces:
        yield piece
        chars += len(piece)
        if chars > most_chars:
            return
