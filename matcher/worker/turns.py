"""The versions of a batch as they are compared: each with its page and its text, read for many together."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from fingerprint.compute import Analysis, analyse
from matcher.comparison.query import Query, query_of_page
from matcher.worker.stored_analysis import analyse_stored
from storage.errors import StorageError
from storage.pages import pages
from storage.records.matches import BacklogItem
from storage.records.pages import PageRecord

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

TOGETHER_CHARS: Final = 500_000
"""Characters that are compared together, unless one text alone is longer: some 30 MB of keys and offsets."""


@dataclass(frozen=True, slots=True, eq=False)
class Turn:
    """A version with its page, and its text."""

    page: PageRecord
    body: str
    text: Analysis
    is_former: bool
    """Whether the page has replaced it before its turn: copies made meanwhile are found, and nothing is dropped."""

    @property
    def query(self) -> Query:
        return replace(query_of_page(self.page, self.text), keeps_verdicts=True)


def turns_of(session: "Session", items: Sequence[BacklogItem]) -> Iterator[list[Turn]]:
    """Yield the versions to compare, in order, as many together as TOGETHER_CHARS allows. Those of removed pages are
    left out. Raises StorageError.
    """
    group: list[tuple[PageRecord, bool]] = []
    chars = 0
    for page, is_former in _with_pages(session, items):
        if group and chars + page.chars > TOGETHER_CHARS:
            yield _read(session, group)
            group, chars = [], 0
        group.append((page, is_former))
        chars += page.chars
    if group:
        yield _read(session, group)


def _with_pages(session: "Session", items: Sequence[BacklogItem]) -> Iterator[tuple[PageRecord, bool]]:
    present = pages.pages_by_id(session, {item.page_id for item in items})
    for item in items:
        page = present.get(item.page_id)
        if page is not None and page.text_id == item.text_id:
            yield page, False
        elif page is not None and (former := pages.page_at_version(session, item.version_id)) is not None:
            yield former, True


def _read(session: "Session", found: Collection[tuple[PageRecord, bool]]) -> list[Turn]:
    bodies = pages.text_bodies(session, {page.text_id for page, _ in found})
    for page, is_former in found:
        if page.text_id not in bodies and not is_former:
            raise StorageError(f"text {page.text_id} of page {page.url} is missing")
    codes = pages.codes_of_texts(session, bodies)
    texts = {
        text_id: analyse_stored(body, codes[text_id]) if text_id in codes else analyse(body)
        for text_id, body in bodies.items()
    }
    return [
        Turn(page, bodies[page.text_id], texts[page.text_id], is_former)
        for page, is_former in found
        if page.text_id in bodies
    ]
