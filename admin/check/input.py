"""The text of a check: pasted, uploaded, or at an address; or the words for why there is none."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Final

from flask import request
from flask_babel import gettext as _
from flask_babel import lazy_gettext as _l

from admin.web import form_fields, reading_slots
from admin.web.labels import label
from admin.web.services import current_services
from crawler.importers.document_process import read_in_child
from crawler.importers.documents import MAX_TEXT_CHARS, Document, Unread
from crawler.outcomes.refusals import Refusal
from storage.postgres.text import storable
from storage.records.pages import NewArticle
from storage.types import FoundBy

LONGEST_TITLE: Final = 300
LONGEST_URL: Final = 2_000
LONGEST_MARKUP: Final = 4_000_000
"""In characters: pasted HTML; an office program writes twenty for each visible one."""


NO_TEXT: Final[Mapping[Unread, object]] = {
    Unread.EMPTY: _l("The file is empty."),
    Unread.TOO_LARGE: _l("The file is too large: the limit is 20 MB."),
    Unread.TOO_LONG: _l(
        "The text is too long: up to %(most)s characters can be checked at once. Check it in parts.",
        most=MAX_TEXT_CHARS,
    ),
    Unread.UNKNOWN_KIND: _l("This file type is not supported. Use plain text, HTML, Word (.docx) or PDF."),
    Unread.OLD_WORD: _l("This is the Word format from before 2007. Save it as .docx and try again."),
    Unread.ENCRYPTED: _l("The file is protected by a password. Save it without one and try again."),
    Unread.BROKEN: _l("The file is damaged and cannot be read. Save it again, or paste its text."),
    Unread.BOMB: _l("The file expands to an abnormal size and was not opened."),
    Unread.SCAN: _l("This is a scan: page images without text. Run text recognition (OCR) first."),
    Unread.UNDECODABLE: _l("The encoding of the file is unknown. Save it as UTF-8 and try again."),
    Unread.NO_TEXT: _l("It contains no text."),
    Unread.CROWDED: _l("A tag of the page has more than 1,000 attributes. Paste its text instead."),
    Unread.DEADLINE: _l("Reading the file took too long. Paste its text instead."),
    Unread.DIED: _l("The file could not be read. Paste its text instead."),
}
"""What is wrong with a file, and what to do about it."""


@dataclass(frozen=True, slots=True)
class CheckInput:
    """A text to check. `kind`: kind of the file that it was read from, or "text"; `url`: where it is published, if
    known.
    """

    text: str
    kind: str = "text"
    title: str = ""
    author: str = ""
    url: str = ""

    @property
    def article(self) -> NewArticle:
        """The text as an article that can be compared with stored ones."""
        return NewArticle(
            url=self.url or "about:checked",
            text=storable(self.text),
            found_by=FoundBy.HAND,
            fetched_at=datetime.now(UTC),
            title=self.title,
            author=self.author,
        )


@dataclass(frozen=True, slots=True)
class NoInput:
    """Why nothing can be checked, and the remedy, in the viewer's language."""

    words: str


def submitted_input() -> CheckInput | NoInput:
    """The text of this request's form. A file takes precedence over a URL, a URL over pasted text."""
    stated = {name: form_fields.line(name, LONGEST_TITLE) for name in ("title", "author")}
    found = _found()
    if isinstance(found, NoInput):
        return found
    if len(found.text) > MAX_TEXT_CHARS:
        return NoInput(str(NO_TEXT[Unread.TOO_LONG]))
    return replace(found, title=stated["title"] or found.title, author=stated["author"] or found.author)


def _found() -> CheckInput | NoInput:
    file = request.files.get("file")
    if file is not None and file.filename:
        reading_slots.take()
        with file.stream as stream:
            return _of_document(read_in_child(stream.read()))
    url = form_fields.line("url", LONGEST_URL)
    text = form_fields.text("text", LONGEST_MARKUP)
    if url and not text:
        return _of_url(url)
    markup = form_fields.text("html", LONGEST_MARKUP)
    if markup:
        reading_slots.take()
        return _of_document(read_in_child(markup.encode(), is_fragment=True))
    if not text:
        return NoInput(_("Nothing to check yet: paste a text, choose a file or enter an address."))
    return CheckInput(text, url=url)


def _of_document(found: Document | Unread, url: str = "") -> CheckInput | NoInput:
    if isinstance(found, Unread):
        return NoInput(str(NO_TEXT[found]))
    return CheckInput(found.text, found.kind, found.title[:LONGEST_TITLE], found.author[:LONGEST_TITLE], url)


def _of_url(url: str) -> CheckInput | NoInput:
    fetch = current_services().fetch
    if fetch is None:
        return NoInput(_("This installation does not fetch pages. Paste the text instead."))
    reading_slots.take()
    page = fetch(url if "://" in url else f"https://{url}")
    if isinstance(page, Refusal):
        return NoInput(_("Could not fetch the page: %(reason)s.", reason=label(page, "refusal")))
    return _of_document(read_in_child(page.body, url=page.url), page.url)
