"""Captures of pages: fetched, kept whole in the evidence, and read."""

from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial
from typing import Final
from urllib.parse import urlsplit

from crawler.browser.availability import what_is_missing
from crawler.browser.screenshot import screenshot
from crawler.evidence.keeper import Keeper
from crawler.extraction.article import Article, PageReader
from crawler.fetch.fetch import Fetched, ask
from crawler.network.public_addresses import Network
from crawler.outcomes.errors import UnusableUrl
from crawler.outcomes.refusals import Refusal
from crawler.urls.canonical import canonical_url
from crawler.warc.writer import RawResponse
from storage.engine import transaction
from storage.records.evidence import EvidenceEntry, EvidenceKind
from storage.sites import sites

TIMEOUT_S: Final = 20.0
"""The captures of both pages of a case should end within a minute."""

AT_ONCE: Final = 2
"""The two pages of a case, side by side."""


@dataclass(frozen=True, slots=True)
class Captured:
    """The answer of an address, with the response as sent; an answer that holds no page (a 404) is kept, too."""

    page: Fetched
    response: RawResponse


@dataclass(frozen=True, slots=True)
class CapturedPage:
    """`entry` records the answer, or why there was none. `outcome`: the article on the page, or why there is none."""

    url: str
    at: datetime
    entry: EvidenceEntry
    outcome: Article | Refusal


@dataclass(frozen=True, slots=True)
class Look:
    """An address that was looked at, with nothing kept yet. `responses`: as sent and, if it took one, from a browser.
    `outcome`: the article on the page, or why there is none.
    """

    responses: tuple[Captured, ...]
    outcome: Article | Refusal

    @property
    def last(self) -> Captured:
        return self.responses[-1]


@dataclass(frozen=True, slots=True)
class Occasion:
    """The reason of an entry, and who caused it."""

    why: str | None
    whom: str | None

    def noting(self, what: str) -> "Occasion":
        return Occasion(f"{what}; {self.why}" if self.why else what, self.whom)


@dataclass(frozen=True, slots=True)
class Capturer:
    """Captures pages. `keeper`: where evidence goes; `read_page`: reads the page's article."""

    keeper: Keeper
    read_page: PageReader
    allowed_networks: tuple[Network, ...] = ()
    user_agent: str | None = None

    def capture_page(self, url: str, *, why: str | None = None, whom: str | None = None) -> CapturedPage:
        """Fetches `url` past the guard and keeps the answer, or that there was none. Blocks up to half a minute.

        Of a site whose pages are opened in a browser, what was sent is kept, and then what the browser made of it:
        that may take a minute more. `why`, `whom`: what the entry is to say of the occasion. Raises OSError if it
        cannot be kept.
        """
        occasion = Occasion(why, whom)
        found = capture(url, allowed_networks=self.allowed_networks, user_agent=self.user_agent)
        if isinstance(found, Refusal):
            return self._failed(_shown(url), found, occasion)
        if found.page.refusal is not None or not self._is_of_script(found.page.url):
            return self._kept(found, occasion)
        missing = what_is_missing()
        if missing is not None:
            return self._kept(found, occasion.noting(f"not opened in a browser: {missing}"))
        sent = self._kept(found, occasion.noting("as sent, before it was opened in a browser"))
        shown = capture(
            found.page.url, allowed_networks=self.allowed_networks, user_agent=self.user_agent, in_browser=True
        )
        if isinstance(shown, Refusal):
            self._failed(found.page.url, shown, occasion.noting("opened in a browser"))
            return replace(sent, outcome=shown)
        return self._kept(shown, occasion)

    def look_at(self, url: str) -> Look | Refusal:
        """Fetches `url` as a crawl does: past the guard, and nothing that robots.txt forbids. Keeps nothing.

        Returns why there is no answer; of an answer without a page (a 404), a look whose outcome is a refusal.
        """
        take = partial(capture, allowed_networks=self.allowed_networks, user_agent=self.user_agent, obeys_robots=True)
        sent = take(url)
        if isinstance(sent, Refusal):
            return sent
        if sent.page.refusal is not None:
            return Look((sent,), sent.page.refusal)
        if not self._is_of_script(sent.page.url) or what_is_missing() is not None:
            return Look((sent,), self._read(sent))
        shown = take(sent.page.url, in_browser=True)
        if isinstance(shown, Refusal):
            return Look((sent,), shown)
        return Look((sent, shown), shown.page.refusal or self._read(shown))

    def keep_look(self, look: Look, *, why: str | None = None, whom: str | None = None) -> EvidenceEntry:
        """Keeps the responses of a look, and returns the last entry. Raises OSError if they cannot be kept."""
        text = look.outcome.text if isinstance(look.outcome, Article) else None
        for one in look.responses[:-1]:
            self.keeper.keep_capture(one.response, url=one.page.url, why=why, whom=whom)
        return self.keeper.keep_capture(look.last.response, url=look.last.page.url, text=text, why=why, whom=whom)

    def _failed(self, url: str, refusal: Refusal, occasion: "Occasion") -> CapturedPage:
        now, why = datetime.now(UTC), occasion.noting(str(refusal)).why
        return CapturedPage(url, now, self.keeper.keep_failure(url, now, why=why or "", whom=occasion.whom), refusal)

    def _kept(self, found: Captured, occasion: "Occasion") -> CapturedPage:
        outcome = found.page.refusal or self._read(found)
        text = outcome.text if isinstance(outcome, Article) else None
        entry = self.keeper.keep_capture(
            found.response, url=found.page.url, text=text, why=occasion.why, whom=occasion.whom
        )
        return CapturedPage(found.page.url, found.response.at, entry, outcome)

    def _is_of_script(self, url: str) -> bool:
        """Whether the site that `url` belongs to shows its articles by script."""
        with transaction(self.keeper.engine) as session:
            site = sites.site_for_host(session, urlsplit(url).netloc)
        return site is not None and site.settings.browser

    def capture_pages(self, urls: Iterable[str], *, why: str | None = None) -> Sequence[CapturedPage]:
        """Captures several pages in parallel and returns them in order: those of a case that was just opened."""
        with ThreadPoolExecutor(AT_ONCE) as at_once:
            return list(at_once.map(lambda url: self.capture_page(url, why=why), urls))

    def keep_screenshot(self, url: str, *, whom: str | None = None) -> EvidenceEntry:
        """Takes and keeps a screenshot of the page. Raises NoScreenshot if there is no browser, or it shows nothing."""
        picture = screenshot(url, allowed_networks=self.allowed_networks)
        kind, now = EvidenceKind.SCREENSHOT, datetime.now(UTC)
        return self.keeper.keep_content(picture, "image/png", url=url, at=now, kind=kind, whom=whom)

    def _read(self, found: Captured) -> Article | Refusal:
        page = found.page
        return self.read_page(page.body, page.url, page.content_type, found.response.at)


def capture(
    url: str,
    *,
    allowed_networks: Iterable[Network] = (),
    user_agent: str | None = None,
    in_browser: bool = False,
    obeys_robots: bool = False,
) -> Captured | Refusal:
    """Fetches `url`. Returns its answer or the reason of the failure. Blocks; each hop of redirects passes the guard.

    If a person or a case requests it, robots.txt is not read; otherwise `obeys_robots`. `in_browser`: the page after
    its scripts have run, with a header that says so, and without the certificate.
    """
    page = ask(
        url,
        allowed_networks=allowed_networks,
        user_agent=user_agent,
        timeout_s=TIMEOUT_S,
        is_evidence=True,
        in_browser=in_browser,
        obeys_robots=obeys_robots,
    )
    if isinstance(page, Refusal):
        return page
    return page.refusal or Refusal.BROKEN_RESPONSE if page.raw is None else Captured(page, page.raw)


def _shown(url: str) -> str:
    """The canonical URL; the URL as given if it is not usable."""
    try:
        return canonical_url(url)
    except UnusableUrl:
        return url[:2_000]
