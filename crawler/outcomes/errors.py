"""Errors of the crawler. Every message names the cause and the remedy.

CrawlerError
├── UnusableUrl      not an address that can be fetched or stored
├── BadScope         an allow or deny pattern that is not a regular expression, or takes too long
├── BadRule          a site's extraction rule that is invalid
├── NoEvidence       an article without the response that it was read from
├── SiteBusy         another crawl of the same site is at work
├── BrowserMissing   a site needs a browser that is not installed
├── CrawlFailed      the child process of a crawl ended without a report
└── ImportNotReadable  a path to import that is not there or may not be read
"""


class CrawlerError(Exception):
    """Base class of the errors of the crawler."""


class UnusableUrl(CrawlerError):
    def __init__(self, url: str, cause: str) -> None:
        shown = url if len(url) <= _SHOWN_CHARACTERS else url[:_SHOWN_CHARACTERS] + "…"
        super().__init__(f"{shown!r} is not a usable web address: {cause}.")


class BadScope(CrawlerError):
    def __init__(self, pattern: str, cause: str) -> None:
        super().__init__(f"The pattern {pattern!r} cannot be used: {cause}. Correct it in the site's settings.")


class BadRule(CrawlerError):
    def __init__(self, name: str, cause: str) -> None:
        where = f"{name!r} of the extraction rule" if name else "The extraction rule"
        super().__init__(f"{where} cannot be used: {cause}. Correct it, and try it with: zhiwen site try")


class NoEvidence(CrawlerError):
    def __init__(self, url: str) -> None:
        super().__init__(
            f"The article at {url} comes without the response that it was read from, and is not stored. "
            "The setting DOWNLOADER_MIDDLEWARES must hold crawler.network.raw_response.RawResponseMiddleware."
        )


class SiteBusy(CrawlerError):
    def __init__(self) -> None:
        super().__init__("Another crawl of this site is at work. Wait for its end, or stop it.")


class BrowserMissing(CrawlerError):
    def __init__(self, site: str, missing: str) -> None:
        super().__init__(
            f"{site} is opened in a browser, and that cannot be done here: {missing}. "
            f"Or read its pages as they are sent: zhiwen site edit {site} --no-browser"
        )


class CrawlFailed(CrawlerError):
    """The child process of a crawl ended without a report; the message carries the end of its log."""


class ImportNotReadable(CrawlerError):
    def __init__(self, path: str, cause: str) -> None:
        super().__init__(f"Cannot read {path}: {cause}. Give a file or folder that exists and that you may read.")


_SHOWN_CHARACTERS = 200
