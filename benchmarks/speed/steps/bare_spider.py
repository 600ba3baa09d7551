"""`python -m benchmarks.speed.steps.bare_spider URL`: Scrapy that follows links, reads nothing and stores nothing."""

import sys
from collections.abc import Iterator
from typing import Any

from scrapy import Request, Spider
from scrapy.crawler import CrawlerProcess
from scrapy.http import HtmlResponse, Response

SETTINGS = {"LOG_ENABLED": False, "TELNETCONSOLE_ENABLED": False, "CONCURRENT_REQUESTS_PER_DOMAIN": 16}


class Bare(Spider):
    name = "bare"
    articles = 0

    def parse(self, response: Response, **_: Any) -> Iterator[Request]:
        if "/a/" in response.url:
            Bare.articles += 1
        elif isinstance(response, HtmlResponse):
            for link in response.css("a::attr(href)").getall():
                yield response.follow(link)


def main() -> None:
    process = CrawlerProcess(SETTINGS)
    process.crawl(Bare, start_urls=[sys.argv[1]])
    process.start()
    print(Bare.articles)


if __name__ == "__main__":
    main()
