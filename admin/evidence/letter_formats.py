"""A letter as a file: Word, plain text, or HTML to print (pure)."""

import io
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Final

from docx import Document
from docx.document import Document as WordDocument
from docx.oxml.ns import qn
from docx.shared import Pt
from markupsafe import escape

from admin.web.downloads import xml_text

_FONT: Final = "Times New Roman"
_CHINESE_FONT: Final = "SimSun"
_SIZE: Final = Pt(11)
_STYLE: Final = (
    "body{max-width:46rem;margin:2rem auto;padding:0 1rem;font:400 15px/1.8 serif;white-space:pre-wrap;"
    "overflow-wrap:anywhere}@media print{body{margin:0;max-width:none}}"
)


def as_text(letter: str, _language: str) -> bytes:
    """With a byte order mark, so that Windows editors recognise UTF-8."""
    return letter.replace("\n", "\r\n").encode("utf-8-sig", "replace")


def as_page(letter: str, language: str) -> bytes:
    page = (
        f'<!doctype html><html lang="{escape(language)}"><head><meta charset="utf-8">'
        f"<title>{escape(letter.partition(chr(10))[0])}</title><style>{_STYLE}</style></head>"
        f"<body>{escape(letter)}</body></html>"
    )
    return page.encode("utf-8", "replace")


def as_word(letter: str, _language: str) -> bytes:
    """The first line becomes the heading, every other line a paragraph."""
    document = Document()
    style = document.styles["Normal"]
    style.font.name, style.font.size = _FONT, _SIZE
    style.element.rPr.rFonts.set(qn("w:eastAsia"), _CHINESE_FONT)
    first, _, rest = xml_text(letter, replacement="").partition("\n")
    document.add_heading(first, level=1)
    for line in rest.split("\n"):
        document.add_paragraph(line).paragraph_format.space_after = Pt(2)
    file = io.BytesIO()
    _describe(document)
    document.save(file)
    return file.getvalue()


def _describe(document: WordDocument) -> None:
    """Clear the metadata, which otherwise name the library's author and the year 2013."""
    about = document.core_properties
    about.author = about.comments = about.last_modified_by = ""
    about.created = about.modified = datetime.now(UTC)


WRITERS: Final[Mapping[str, tuple[str, Callable[[str, str], bytes]]]] = {
    "docx": ("application/vnd.openxmlformats-officedocument.wordprocessingml.document", as_word),
    "txt": ("text/plain; charset=utf-8", as_text),
    "html": ("text/html; charset=utf-8", as_page),
}
"""By file extension: content type and writer."""
