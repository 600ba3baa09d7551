"""Articles from the fields of a record, from a page or from a text. Pure."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from pathlib import Path

from crawler.extraction.article import Article, PageReader, plain_article, storable
from crawler.extraction.html.charset import decode
from crawler.extraction.metadata.one_date import date_in
from crawler.extraction.metadata.page_metadata import credit_lines_of
from crawler.importers.model import (
    DEFAULT_LIMITS,
    BadRecord,
    ImportedArticle,
    ImportOutcome,
    ImportProblem,
    Limits,
    explained,
)
from crawler.importers.parallel import Ready, Work
from crawler.outcomes.errors import UnusableUrl
from crawler.outcomes.refusals import Refusal
from crawler.urls.canonical import canonical_url, file_url
from storage.records.pages import Declared, NewArticle
from storage.time_zones import zone_named
from storage.types import DateOrigin, FoundBy, Rights


@dataclass(frozen=True, slots=True)
class RecordReader:
    """Makes articles of records, pages and texts, with what is the same for all of an import."""

    now: datetime
    time_zone: str
    found_by: FoundBy = FoundBy.IMPORT
    whom: str | None = None
    rights: Rights = Rights.UNKNOWN
    limits: Limits = DEFAULT_LIMITS
    read_page: PageReader | None = None
    """Reads pages elsewhere; None: this process reads them."""

    def outcome(self, fields: Mapping[str, object], path: Path, number: int, *, noun: str = "line") -> ImportOutcome:
        """The article of a record of named fields, or why there is none."""
        try:
            identity = _text(fields, "id") or str(number)
        except BadRecord as error:
            return ImportProblem(str(path), number, Refusal.BROKEN_MARKUP, str(error), str(number), noun)
        try:
            article = self._article(fields, path, number)
            return ImportedArticle(article, identity, _text(fields, "site") or None, str(path), number)
        except BadRecord as error:
            return ImportProblem(str(path), number, error.refusal, str(error), identity, noun)

    def reading(
        self, fields: Mapping[str, object], path: Path, number: int, *, noun: str = "line"
    ) -> Work[ImportOutcome]:
        """`outcome` as a work: a record with a page is read later, any other at once."""
        work = partial(self.outcome, fields, path, number, noun=noun)
        return work if fields.get("html") else Ready(work())

    def of_line(self, line: bytes, path: Path, number: int) -> Work[ImportOutcome]:
        """The same of a line of JSON."""
        try:
            fields = _object(line)
        except BadRecord as error:
            return Ready(ImportProblem(str(path), number, Refusal.BROKEN_MARKUP, str(error), str(number)))
        return self.reading(fields, path, number)

    def page(self, body: bytes, url: str, content_type: str, *, at: datetime | None = None) -> Article:
        """The article of a page. Raises BadRecord."""
        fetched_at = at or self.now
        if self.read_page is not None:
            found = self.read_page(body, url, content_type, fetched_at)
        else:
            from crawler.extraction.extract import extract  # noqa: PLC0415  # loads all that reads pages

            found = extract(body, url=url, content_type=content_type, fetched_at=fetched_at, time_zone=self.time_zone)
        if isinstance(found, Refusal):
            raise BadRecord(explained(found, self.limits), found)
        return found

    def of_bytes(self, body: bytes) -> Article:
        """The article of a plain text in any encoding. Raises BadRecord."""
        decoded = decode(body)
        if decoded is None:
            raise BadRecord(explained(Refusal.UNDECODABLE, self.limits), Refusal.UNDECODABLE)
        return self.of_text(decoded.text)

    def of_text(self, text: str) -> Article:
        # As supplied, to the last space: offsets into it are part of every result.
        kept = storable(text)
        checked = plain_article(kept, title="", shortest=self.limits.shortest_article)
        if isinstance(checked, Refusal):
            raise BadRecord(explained(checked, self.limits), checked)
        return Article(checked.title, "", kept, Declared(), checked.language, credit_lines=credit_lines_of(kept))

    def new(
        self,
        article: Article,
        url: str,
        *,
        title: str = "",
        author: str = "",
        declared: Declared | None = None,
        at: datetime | None = None,
    ) -> NewArticle:
        return NewArticle(
            url=url,
            text=article.text,
            found_by=self.found_by,
            found_by_whom=self.whom,
            fetched_at=at or self.now,
            title=storable(title) or article.title,
            author=storable(author) or article.author,
            language=article.language,
            declared=declared or article.declared,
            rights=self.rights,
            credit_lines=article.credit_lines,
            credit_links=article.credit_links,
            canonical_link=article.canonical_link,
            lead_image=article.lead_image,
            kind=article.kind,
            posts=article.posts,
            account=None if article.account is None else article.account.key,
            account_name="" if article.account is None else article.account.name,
        )

    def address(self, url: str) -> str:
        """Raises BadRecord."""
        try:
            return canonical_url(url)
        except UnusableUrl as error:
            raise BadRecord(str(error), Refusal.UNUSABLE_URL) from error

    def _article(self, fields: Mapping[str, object], path: Path, number: int) -> NewArticle:
        url = self._url(fields, path, number)
        html, text = _text(fields, "html"), _text(fields, "text")
        title, author, declared = _text(fields, "title"), _text(fields, "author"), self._declared(fields)
        if text.strip():
            found = self.of_text(text)
        elif html.strip():
            found = self.page(html.encode("utf-8", "replace"), url, "text/html; charset=utf-8")
        else:
            raise BadRecord('neither "text" nor "html" holds anything', Refusal.TOO_SHORT)
        return self.new(found, url, title=title, author=author, declared=declared)

    def _url(self, fields: Mapping[str, object], path: Path, number: int) -> str:
        url = _text(fields, "url")
        if not url and not self.limits.needs_url:
            return f"{file_url(str(path.resolve()))}?line={number}"
        if not url:
            raise BadRecord('"url" is missing', Refusal.UNUSABLE_URL)
        return self.address(url)

    def _declared(self, fields: Mapping[str, object]) -> Declared | None:
        written = _text(fields, "published_at")
        if not written.strip():
            return None
        found = self.date_in(written, DateOrigin.IMPORT)
        if found is None:
            raise BadRecord(f'"published_at" is not a date in the past: {written[:60]!r}', Refusal.BROKEN_MARKUP)
        return found

    def date_in(self, written: str, origin: DateOrigin) -> Declared | None:
        return date_in(written, origin, zone=zone_named(self.time_zone), now=self.now)


def _object(line: bytes) -> dict[str, object]:
    try:
        value = json.loads(line.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise BadRecord("not UTF-8") from error
    except json.JSONDecodeError as error:
        raise BadRecord(f"not JSON: {error.msg} at column {error.colno}") from error
    except (ValueError, RecursionError) as error:
        raise BadRecord("not JSON that can be read: a number too long or nested too deeply") from error
    if not isinstance(value, dict):
        raise BadRecord("not a JSON object")
    return value


def _text(fields: Mapping[str, object], name: str) -> str:
    value = fields.get(name)
    if value is None:
        return ""
    if name == "id" and isinstance(value, int):
        return str(value)
    if not isinstance(value, str):
        raise BadRecord(f'"{name}" is not a text')
    return value
