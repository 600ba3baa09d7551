"""Suspects: single pages that a person submits. Each is fetched or read from a file, and kept as evidence."""

from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from crawler.extraction.article import Article
from crawler.extraction.metadata.rights import with_rights
from crawler.importers.model import BadRecord, Limits
from crawler.importers.records import RecordReader
from crawler.importers.saved_pages import MAX_SAVED_BYTES, SavedPage, read_saved_page
from crawler.outcomes.refusal_words import in_words
from crawler.outcomes.refusals import Refusal
from fingerprint.compute import fingerprint_text
from storage.engine import transaction
from storage.pages import saving
from storage.records.pages import FingerprintedArticle, NewArticle
from storage.records.pages import SavedPage as StoredPage
from storage.sites import sites
from storage.types import FoundBy
from zhiwen.wiring import capturer_of, keeper_of

if TYPE_CHECKING:
    from sqlalchemy import Engine

    from crawler.evidence.keeper import Keeper
    from crawler.extraction.article import PageReader
    from zhiwen.config.settings import Settings

_ANY_LENGTH: Final = Limits(shortest_article=1)

_LOOKS_LIKE_NONE: Final = (Refusal.LIST_PAGE, Refusal.SITE_PAGE)
"""A person who has seen the page may overrule these."""


class NotTaken(Exception):
    """A page that cannot be stored; the message says why."""


def _way_out(refusal: Refusal) -> str:
    return ". If it is an article, add --as-article" if refusal in _LOOKS_LIKE_NONE else ""


@dataclass(frozen=True, slots=True)
class Suspects:
    """Stores submitted pages; `whom` is the submitter. Evidence is kept before the page is stored."""

    engine: "Engine"
    settings: "Settings"
    read_page: "PageReader"
    whom: str

    def add_url(self, url: str) -> StoredPage:
        """Fetches the page behind the SSRF guard. Raises NotTaken; the response is kept as evidence even then."""
        page = capturer_of(self.settings, self.engine, self.read_page).capture_page(url, whom=self.whom)
        if isinstance(page.outcome, Refusal):
            raise NotTaken(f"{url}: {in_words(page.outcome)}{_way_out(page.outcome)}")
        return self._store(self._records(page.at).new(page.outcome, page.url))

    def add_page(self, file: Path, url: str | None) -> StoredPage:
        """Reads a saved page. `url` is needed where the file does not contain its address. Raises NotTaken."""
        with file.open("rb") as opened:
            content = opened.read(MAX_SAVED_BYTES + 1)
        saved = read_saved_page(content)
        if isinstance(saved, Refusal):
            raise NotTaken(f"{file}: {in_words(saved)}")
        stated = url or saved.url
        if stated is None:
            raise NotTaken(f"{file} does not contain the address it was saved from. Give it with --url.")
        now = datetime.now(UTC)
        address, article = self._read(file, saved, stated, now)
        # The whole file as it was submitted: of MHTML, all parts.
        kind = saved.content_type if saved.body is content else "multipart/related"
        self._keeper.keep_content(content, kind, url=address, at=now, text=article.text, whom=self.whom)
        return self._store(self._records(now).new(article, address))

    def add_text(self, content: bytes, url: str, *, title: str = "") -> StoredPage:
        """Stores pasted text under the address where it was found. Raises NotTaken."""
        now = datetime.now(UTC)
        records = self._records(now)
        try:
            address, article = records.address(url), records.of_bytes(content)
        except BadRecord as error:
            raise NotTaken(str(error)) from error
        self._keeper.keep_content(content, "text/plain", url=address, at=now, text=article.text, whom=self.whom)
        return self._store(records.new(article, address, title=title))

    @property
    def _keeper(self) -> "Keeper":
        return keeper_of(self.engine, self.settings.home)

    def _records(self, now: datetime) -> RecordReader:
        return RecordReader(
            now, self.settings.time_zone, FoundBy.HAND, whom=self.whom, limits=_ANY_LENGTH, read_page=self.read_page
        )

    def _read(self, file: Path, saved: SavedPage, url: str, now: datetime) -> tuple[str, Article]:
        records = self._records(now)
        try:
            address = records.address(url)
            return address, records.page(saved.body, address, saved.content_type)
        except BadRecord as error:
            raise NotTaken(f"{file}: {error}{_way_out(error.refusal)}") from error

    def _store(self, article: NewArticle) -> StoredPage:
        fingerprint = fingerprint_text(article.text)
        with transaction(self.engine) as session:
            site = sites.site_for_host(session, urlsplit(article.url).netloc)
            placed = with_rights(replace(article, site_id=None if site is None else site.id), site)
            return saving.save_pages(session, [FingerprintedArticle(placed, fingerprint)])[0]
