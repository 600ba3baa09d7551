"""What every request passes on its way out: the site's scope, robots.txt, its turn, the guard. Refusals have names."""

from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

    from crawler.spider.site_spider import SiteSpider


def _site_spider(crawler: "Crawler") -> "SiteSpider | None":
    """The spider, where it is ours: single pages and other projects' spiders use the same settings."""
    return cast("SiteSpider", crawler.spider) if hasattr(crawler.spider, "frontier") else None
