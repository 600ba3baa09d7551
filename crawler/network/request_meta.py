"""Keys of `Request.meta` for the spider and its middlewares."""

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from scrapy.http import Request

    from storage.records.crawl import Claim

CLAIM: Final = "zhiwen_claim"
"""The address of the frontier that the request is made for."""

TWIN: Final = "zhiwen_twin"
"""An article that names the requested address as canonical, and waits for the visit of that."""

SERIES: Final = "zhiwen_series"
"""An article on several pages, as far as it was read: the requested address is its next part."""

OUTSIDE_SCOPE: Final = "zhiwen_outside_scope"
"""Set on requests for feeds and sitemaps, which may be on another host: guarded, but not bound to the scope."""

BROWSER: Final = "zhiwen_browser"
"""Set on requests for pages that are opened in a browser."""

CRAWL_DELAY: Final = "zhiwen_crawl_delay"
"""The delay that robots.txt of its host asks for, of a request outside of a crawl."""


def claims_of(request: "Request") -> "tuple[Claim, ...]":
    """All claims that depend on a request: its own, that of the article whose next part it fetches, that of the article
    that waits for it.
    """
    meta = request.meta
    carried = [meta.get(CLAIM), *(getattr(meta.get(name), "claim", None) for name in (SERIES, TWIN))]
    return tuple(claim for claim in carried if claim is not None)
