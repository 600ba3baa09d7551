"""What requests carry for those who handle them on their way."""

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from scrapy.http import Response

    from crawler.series import Series
    from storage.crawling import Claim

CLAIM: Final = "zhiwen_claim"
"""The address of the frontier that the request is made for."""

TWIN: Final = "zhiwen_twin"
"""An article that names the requested address as its own: it waits for what stands there."""

SERIES: Final = "zhiwen_series"
"""An article of several pages, as far as it was read: the requested address is its next part."""

OUTSIDE_SCOPE: Final = "zhiwen_outside_scope"
"""Set on requests for feeds and sitemaps, which may be on another host: guarded, but not bound to the scope."""

BROWSER: Final = "zhiwen_browser"
"""Set on requests whose page is opened in a browser."""


def claim_of(response: "Response") -> "Claim | None":
    """The address of the frontier that a response belongs to, be it that of a further part; None of one without any."""
    series: Series | None = response.meta.get(SERIES)
    claim: Claim | None = response.meta.get(CLAIM)
    return claim if series is None else series.claim
