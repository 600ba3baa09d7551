"""Pages captured anew: fetched, kept whole in the evidence, and read."""

from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Final
from urllib.parse import urlsplit

from crawler.browser.availability import what_is_missing
from crawler.browser.screenshot import screenshot
from crawler.evidence.capturing import Captured, capture
from crawler.evidence.keeper import Keeper
from crawler.extraction.extract import Article, PageReader
from crawler.network.ssrf_guard import Network
from crawler.outcomes.errors import UnusableUrl
from crawler.outcomes.refusals import Refusal
from crawler.urls.canonical import canonical_url
from storage.engine import transaction
from storage.records.evidence import EvidenceEntry, EvidenceKind
from storage.sites import sites

AT_ONCE: Final = 2
"""The two pages of a case, side by side."""


@dataclass(frozen=True, slots=True)
class CapturedPage:
    """`entry` tells what was answered, or why nothing was. `outcome`: the article on the page, or why there is none."""

    url: str
    at: datetime
    entry: EvidenceEntry
    outcome: Article | Refusal


@dataclass(frozen=True, slots=True)
class Occasion:
    """What an entry says of its occasion."""

    why: str | None
    whom: str | None

    def noting(self, what: str) -> "Occasion":
        return Occasion(f"{what}; {self.why}" if self.why else what, self.whom)


@dataclass(frozen=True, slots=True)
class Capturer:
    """What holds for all captures: where evidence goes, who reads pages, what is allowed."""

    keeper: Keeper
    read_page: PageReader
    allowed_networks: tuple[Network, ...] = ()
    user_agent: str | None = None

    def capture_page(self, url: str, *, why: str | None = None, whom: str | None = None) -> CapturedPage:
        """Fetches `url` past the guard and keeps the answer, or that there was none. Blocks up to half a minute.

        Of a site whose pages are opened in a browser, what was sent is kept, and then what the browser made of it:
        that may take a minute more. `why`, `whom`: what the entry is to say of the occasion. Raises OSError where it
        cannot be kept.
        """
        occasion = Occasion(why, whom)
        found = capture(url, allowed_networks=self.allowed_networks, user_agent=self.user_agent)
        if isinstance(found, Refusal):
            return self._failed(_shown(url), found, occasion)
        if found.refusal is not None or not self._is_of_script(found.url):
            return self._kept(found, occasion)
        missing = what_is_missing()
        if missing is not None:
            return self._kept(found, occasion.noting(f"not opened in a browser: {missing}"))
        sent = self._kept(found, occasion.noting("as sent, before it was opened in a browser"))
        shown = capture(found.url, allowed_networks=self.allowed_networks, user_agent=self.user_agent, in_browser=True)
        if isinstance(shown, Refusal):
            self._failed(found.url, shown, occasion.noting("opened in a browser"))
            return replace(sent, outcome=shown)
        return self._kept(shown, occasion)

    def _failed(self, url: str, refusal: Refusal, occasion: "Occasion") -> CapturedPage:
        now, why = datetime.now(UTC), occasion.noting(str(refusal)).why
        return CapturedPage(url, now, self.keeper.keep_failure(url, now, why=why or "", whom=occasion.whom), refusal)

    def _kept(self, found: Captured, occasion: "Occasion") -> CapturedPage:
        outcome = found.refusal or self._read(found)
        text = outcome.text if isinstance(outcome, Article) else None
        entry = self.keeper.keep_capture(found.response, url=found.url, text=text, why=occasion.why, whom=occasion.whom)
        return CapturedPage(found.url, found.response.at, entry, outcome)

    def _is_of_script(self, url: str) -> bool:
        """Whether the site that `url` belongs to shows its articles by script."""
        with transaction(self.keeper.engine) as session:
            site = sites.site_for_host(session, urlsplit(url).netloc)
        return site is not None and site.settings.browser

    def capture_pages(self, urls: Iterable[str], *, why: str | None = None) -> Sequence[CapturedPage]:
        """Several, side by side, in their order: those of a case that has just been opened."""
        with ThreadPoolExecutor(AT_ONCE) as at_once:
            return list(at_once.map(lambda url: self.capture_page(url, why=why), urls))

    def keep_screenshot(self, url: str, *, whom: str | None = None) -> EvidenceEntry:
        """What the page looks like now. Raises NoScreenshot where there is no browser, or it shows nothing."""
        picture = screenshot(url, allowed_networks=self.allowed_networks)
        kind, now = EvidenceKind.SCREENSHOT, datetime.now(UTC)
        return self.keeper.keep_content(picture, "image/png", url=url, at=now, kind=kind, whom=whom)

    def _read(self, found: Captured) -> Article | Refusal:
        return self.read_page(found.body, found.url, found.content_type, found.response.at)


def _shown(url: str) -> str:
    """The address by which the page is known; as given where it is none."""
    try:
        return canonical_url(url)
    except UnusableUrl:
        return url[:2_000]
