"""Redirects, by status and by meta refresh, within the scope of a site."""

from typing import Any

from scrapy.downloadermiddlewares.redirect import MetaRefreshMiddleware as ScrapyMetaRefreshMiddleware
from scrapy.downloadermiddlewares.redirect import RedirectMiddleware as ScrapyRedirectMiddleware
from scrapy.http import Request


class RedirectMiddleware(ScrapyRedirectMiddleware):
    """Scrapy's own, but a redirect to a known address is counted as refused, not dropped by the scheduler."""

    def _redirect(self, redirected: Request, request: Request, reason: Any) -> Request:
        return _unconditional(super()._redirect(redirected, request, reason))


class MetaRefreshMiddleware(ScrapyMetaRefreshMiddleware):
    """The same for redirects in the markup."""

    def _redirect(self, redirected: Request, request: Request, reason: Any) -> Request:
        return _unconditional(super()._redirect(redirected, request, reason))


def _unconditional(redirected: Request) -> Request:
    """Drops the validators: those of one address say nothing about another."""
    headers = redirected.headers.copy()
    headers.pop("If-None-Match", None)
    headers.pop("If-Modified-Since", None)
    return redirected.replace(dont_filter=True, headers=headers)
