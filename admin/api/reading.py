"""Texts from HTML and URLs that programs send; the request ends where one cannot be read."""

from typing import Final

from admin.api.problems import refuse
from admin.check.input import CheckInput
from admin.web import reading_slots
from admin.web.services import current_services
from crawler.importers.document_process import read_in_child
from crawler.importers.documents import Document, Unread
from crawler.outcomes.refusals import Refusal
from storage.postgres.text import storable

LONGEST_NAME: Final = 300
"""In characters: titles and authors."""


def read_html(markup: str) -> CheckInput:
    """The text of an HTML page or fragment, parsed in a child process, which takes about a second."""
    reading_slots.take()
    return _of(read_in_child(markup.encode(), is_fragment=True))


def read_url(url: str) -> CheckInput:
    """The article at a URL, fetched through the SSRF guard."""
    fetch = current_services().fetch
    if fetch is None:
        refuse(422, "This installation does not fetch pages. Send the text instead.", word="no-fetching")
    reading_slots.take()
    page = fetch(url if "://" in url else f"https://{url}")
    if isinstance(page, Refusal):
        refuse(422, f"Could not fetch the page: {page.value}.", word=f"refused-{page.value}")
    return _of(read_in_child(page.body, url=page.url), page.url)


def _of(found: Document | Unread, url: str = "") -> CheckInput:
    if isinstance(found, Unread):
        refuse(422, f"Could not read a text: {found.value}.", word=f"unread-{found.value}")
    title, author = storable(found.title[:LONGEST_NAME]), storable(found.author[:LONGEST_NAME])
    return CheckInput(storable(found.text), found.kind, title, author, url)
