"""What every request passes on its way out: the site's scope, robots.txt, the guard. Each refusal has its name."""

from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

from scrapy.downloadermiddlewares.redirect import MetaRefreshMiddleware as ScrapyMetaRefreshMiddleware
from scrapy.downloadermiddlewares.redirect import RedirectMiddleware as ScrapyRedirectMiddleware
from scrapy.downloadermiddlewares.robotstxt import RobotsTxtMiddleware
from scrapy.exceptions import CannotResolveHostError, IgnoreRequest
from scrapy.http import Request, Response

from crawler.failures import Refused
from crawler.guard import GuardedResolver, Network, allowed_networks, is_allowed
from crawler.refusals import Refusal
from crawler.urls import canonical_url

if TYPE_CHECKING:
    from scrapy.crawler import Crawler
    from scrapy.robotstxt import RobotParser

    from crawler.frontier import Frontier
    from crawler.urls import Scope

OUTSIDE_SCOPE_META: Final = "zhiwen_outside_scope"
"""Set on requests that a person's settings name (a sitemap on another host): guarded, but not bound to the scope."""

BUDGETED_META: Final = "zhiwen_budgeted"
"""Set on requests for pages: they count against the run's budget."""


class ScopeMiddleware:
    """Refuses what leaves the site, redirects included: they come by here again."""

    def __init__(self, crawler: "Crawler") -> None:
        self._crawler = crawler

    @classmethod
    def from_crawler(cls, crawler: "Crawler") -> "ScopeMiddleware":
        return cls(crawler)

    def process_request(self, request: Request) -> None:
        scope: Scope | None = getattr(self._crawler.spider, "scope", None)
        if scope is None or request.meta.get(OUTSIDE_SCOPE_META) or request.url.endswith("/robots.txt"):
            return
        url = canonical_url(request.url)
        refusal = scope.refusal(url)
        if refusal is not None:
            raise Refused(refusal)
        if self._was_met_by_another_way(request, url):
            raise Refused(Refusal.DUPLICATE)

    def _was_met_by_another_way(self, request: Request, url: str) -> bool:
        """Whether a redirect leads where the crawl has been. A redirect to itself may yet lead on, and is bounded."""
        frontier: Frontier | None = getattr(self._crawler.spider, "frontier", None)
        meta = request.meta
        is_first_try = bool(meta.get("redirect_times")) and not meta.get("retry_times")
        if frontier is None or not is_first_try or request.url in meta.get("redirect_urls", ()):
            return False
        return not frontier.is_new(url)


class BudgetMiddleware:
    """Refuses pages beyond the run's budget. A retry or redirect of a page is the same page."""

    def __init__(self, crawler: "Crawler") -> None:
        self._crawler = crawler
        self._spent = 0

    @classmethod
    def from_crawler(cls, crawler: "Crawler") -> "BudgetMiddleware":
        return cls(crawler)

    def process_request(self, request: Request) -> None:
        budget: int | None = getattr(self._crawler.spider, "page_budget", None)
        is_again = request.meta.get("retry_times") or request.meta.get("redirect_times")
        if budget is None or is_again or not request.meta.get(BUDGETED_META):
            return
        if self._spent >= budget:
            raise Refused(Refusal.BUDGET)
        self._spent += 1


class RedirectMiddleware(ScrapyRedirectMiddleware):
    """Scrapy's own; but a redirect to an address that was met is named and counted, not dropped by the scheduler."""

    def _redirect(self, redirected: Request, request: Request, reason: Any) -> Request:
        return super()._redirect(redirected, request, reason).replace(dont_filter=True)


class MetaRefreshMiddleware(ScrapyMetaRefreshMiddleware):
    """The same for redirects in the markup."""

    def _redirect(self, redirected: Request, request: Request, reason: Any) -> Request:
        return super()._redirect(redirected, request, reason).replace(dont_filter=True)


class RobotsMiddleware(RobotsTxtMiddleware):
    """Scrapy's own, with a name for what it refuses."""

    def process_request_2(self, rp: "RobotParser | None", request: Request) -> None:
        try:
            super().process_request_2(rp, request)
        except IgnoreRequest as error:
            raise Refused(Refusal.ROBOTS) from error


class GuardMiddleware:
    """Names what the guard did, and looks once more at the address that really answered."""

    def __init__(self, allowed: tuple[Network, ...]) -> None:
        self._allowed = allowed

    @classmethod
    def from_crawler(cls, crawler: "Crawler") -> "GuardMiddleware":
        return cls(allowed_networks(crawler.settings))

    def process_response(self, request: Request, response: Response) -> Response:
        address = response.ip_address
        if address is not None and not is_allowed(str(address), self._allowed):
            raise Refused(Refusal.BLOCKED_ADDRESS)
        return response

    def process_exception(self, request: Request, exception: Exception) -> None:
        from twisted.internet import reactor  # noqa: PLC0415  (importing it earlier would install a reactor)

        guard = getattr(reactor, "nameResolver", None)
        if not isinstance(exception, CannotResolveHostError) or not isinstance(guard, GuardedResolver):
            return
        if guard.has_blocked(urlsplit(request.url).hostname or ""):
            raise Refused(Refusal.BLOCKED_ADDRESS) from exception
