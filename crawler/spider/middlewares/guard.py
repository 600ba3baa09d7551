"""Names refusals of the SSRF guard."""

from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from scrapy.exceptions import CannotResolveHostError
from scrapy.http import Request, Response

from crawler.network.failures import Refused
from crawler.network.public_addresses import Network, allowed_networks, is_allowed
from crawler.network.ssrf_guard import GuardedResolver
from crawler.outcomes.refusals import Refusal

if TYPE_CHECKING:
    from scrapy.crawler import Crawler


class GuardMiddleware:
    """Names refusals of the guard, and checks the address that really answered."""

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
