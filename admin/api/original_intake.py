"""From what a publisher's system sends to an article that can be stored, or the words for why there is none."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

from admin.api.problems import Problem
from admin.api.reading import read_html
from admin.web.db_session import database
from crawler.extraction.metadata.rights import with_rights
from crawler.importers.model import ImportProblem
from crawler.importers.records import RecordReader
from crawler.outcomes.errors import UnusableUrl
from crawler.urls.canonical import canonical_url
from fingerprint.compute import fingerprint_text
from storage.records.pages import FingerprintedArticle
from storage.records.sites import SiteRecord
from storage.sites import sites
from storage.types import FoundBy, Rights, SiteRole

_HERE: Final = Path("request")
_WEB: Final = ("http://", "https://")


@dataclass(frozen=True, slots=True)
class NotTaken:
    """`word` is for programs, `detail` for people."""

    detail: str
    word: str


@dataclass(frozen=True, slots=True)
class Prepared:
    site_id: int
    external_id: str
    item: FingerprintedArticle


def placed(asked: Mapping[str, Any]) -> SiteRecord | NotTaken:
    """The site that an article belongs to: the one it names, else the one of ours that has its host."""
    known = [site for site in sites.list_sites(database()) if site.settings.role is SiteRole.ORIGINAL]
    if name := asked.get("site"):
        found = next((site for site in known if site.name == name), None)
        return found or NotTaken(f"There is no site of ours named “{name}”.", "site-unknown")
    try:
        host = urlsplit(canonical_url(asked["url"])).netloc
    except UnusableUrl as error:
        return NotTaken(str(error), "url-unusable")
    found = next((site for site in known if host in site.settings.hosts), None)
    return found or NotTaken(f"No site of ours has the host {host}: add it, or say which with site.", "site-unknown")


def prepare(asked: Mapping[str, Any], site: SiteRecord) -> Prepared | NotTaken:
    """Reads and fingerprints; nothing is stored."""
    if site.settings.role is not SiteRole.ORIGINAL:
        return NotTaken(f"“{site.name}” is a site where copies are looked for, not one of ours.", "site-not-ours")
    record = {name: asked[name] for name in ("url", "text", "title", "author", "published_at") if name in asked}
    if not record.get("text", "").strip() and asked.get("html", "").strip():
        try:
            record["text"] = read_html(asked["html"]).text
        except Problem as error:
            return NotTaken(error.description or "", error.word)
    if not record["url"].startswith(_WEB):
        return NotTaken("url is no web address: it begins with https:// or http://.", "url-unusable")
    reader = RecordReader(
        now=datetime.now(UTC),
        time_zone=site.settings.time_zone,
        found_by=FoundBy.IMPORT,
        rights=Rights(asked.get("rights", Rights.UNKNOWN)),
    )
    outcome = reader.outcome(record, _HERE, 1)
    if isinstance(outcome, ImportProblem):
        return NotTaken(f"Not taken: {outcome.message}.", outcome.refusal.value)
    article = with_rights(replace(outcome.article, site_id=site.id), site)
    return Prepared(site.id, asked["id"], FingerprintedArticle(article, fingerprint_text(article.text)))
