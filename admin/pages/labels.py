"""Labels of pages: rights, dates, presence and captures."""

from collections.abc import Mapping
from typing import Final

from flask_babel import lazy_gettext as _l

from storage.records.crawl import PageEventKind
from storage.types import ArticleKind, DateOrigin, FoundBy, Precision, Rights

RIGHTS: Final[Mapping[str, object]] = {
    Rights.OWN: _l("own"),
    Rights.AGENCY: _l("agency"),
    Rights.LICENSED_IN: _l("licensed in"),
    Rights.UNKNOWN: _l("unknown"),
}


ARTICLE_KINDS: Final[Mapping[str, object]] = {
    ArticleKind.ARTICLE: _l("article"),
    ArticleKind.THREAD: _l("forum thread"),
    ArticleKind.RECIPE: _l("recipe"),
    ArticleKind.PRODUCT: _l("product"),
    ArticleKind.QUESTION: _l("question and answers"),
    ArticleKind.DOCUMENT: _l("document"),
}

PAGE_ACTS: Final[Mapping[str, object]] = {
    "page.capture": _l("capture requested"),
    "page.remove": _l("page removed"),
}

PAGE_TABLES: Final[Mapping[str, Mapping[str, object]]] = {
    "rights": RIGHTS,
    "article_kind": ARTICLE_KINDS,
    "precision": {
        Precision.SECOND: _l("to the second"),
        Precision.MINUTE: _l("to the minute"),
        Precision.DAY: _l("day only"),
        Precision.MONTH: _l("month only"),
        Precision.NONE: _l("not stated"),
    },
    "origin": {
        DateOrigin.FEED: _l("from the feed"),
        DateOrigin.SITEMAP: _l("from the sitemap"),
        DateOrigin.JSON_LD: _l("from the page’s structured data"),
        DateOrigin.META: _l("from the page’s metadata"),
        DateOrigin.VISIBLE: _l("as printed on the page"),
        DateOrigin.URL: _l("from the address"),
        DateOrigin.HTTP: _l("from the server"),
        DateOrigin.IMPORT: _l("as imported"),
        DateOrigin.NONE: _l("not stated"),
    },
    "found_by": {
        FoundBy.SPIDER: _l("found by crawling"),
        FoundBy.SITEMAP: _l("found in the sitemap"),
        FoundBy.FEED: _l("found in the feed"),
        FoundBy.IMPORT: _l("imported"),
        FoundBy.HAND: _l("added by hand"),
        FoundBy.SEARCH: _l("found by a search service"),
    },
    "presence": {
        PageEventKind.GONE: _l("Removed"),
        PageEventKind.BACK: _l("Back again"),
    },
}
