"""Articles as a publisher's system sends them, prepared for storing."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

from admin.api.problems import refuse
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
class Prepared:
    site_id: int
    external_id: str
    item: FingerprintedArticle


def site_for(params: Mapping[str, Any]) -> SiteRecord:
    """The site that an article belongs to: the one it names, else the one of ours with its host. Raises Problem."""
    known = [site for site in sites.list_sites(database()) if site.settings.role is SiteRole.ORIGINAL]
    if name := params.get("site"):
        found = next((site for site in known if site.name == name), None)
        return found or refuse(422, f"There is no site of ours named “{name}”.", word="site-unknown")
    try:
        host = urlsplit(canonical_url(params["url"])).netloc
    except UnusableUrl as error:
        refuse(422, str(error), word="url-unusable")
    found = next((site for site in known if host in site.settings.hosts), None)
    return found or refuse(
        422, f"No site of ours has the host {host}: add it, or name a site of yours with site.", word="site-unknown"
    )


def prepare(params: Mapping[str, Any], site: SiteRecord) -> Prepared:
    """Reads and fingerprints an article; stores nothing. Raises Problem."""
    if site.settings.role is not SiteRole.ORIGINAL:
        refuse(422, f"“{site.name}” is a watched site, not one of ours.", word="site-not-ours")
    record = {name: params[name] for name in ("url", "text", "title", "author", "published_at") if name in params}
    if not record.get("text", "").strip() and params.get("html", "").strip():
        record["text"] = read_html(params["html"]).text
    if not record["url"].startswith(_WEB):
        refuse(422, "url is not a web address. It must begin with https:// or http://.", word="url-unusable")
    reader = RecordReader(
        now=datetime.now(UTC),
        time_zone=site.settings.time_zone,
        found_by=FoundBy.IMPORT,
        rights=Rights(params.get("rights", Rights.UNKNOWN)),
    )
    outcome = reader.outcome(record, _HERE, 1)
    if isinstance(outcome, ImportProblem):
        refuse(422, f"Not stored: {outcome.message}.", word=outcome.refusal.value)
    article = with_rights(replace(outcome.article, site_id=site.id), site)
    return Prepared(site.id, params["id"], FingerprintedArticle(article, fingerprint_text(article.text)))
