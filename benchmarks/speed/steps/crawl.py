"""A crawl of a generated site, and its two bounds: extracting the same pages alone, and downloading them alone."""

import logging
import multiprocessing
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import Final

from benchmarks.common.stores import add_whole_site, opened
from benchmarks.crawl.generated import page, served
from crawler.network.loopback_server import LOOPBACK
from crawler.run.crawl_order import CrawlOrder
from crawler.run.crawl_process import crawl_site

CORES: Final = 2
_SITE: Final = "generated"


@dataclass(frozen=True, slots=True)
class Crawled:
    """Articles a second by the clock: our crawl, trafilatura alone in `CORES` processes, Scrapy that only downloads."""

    articles: int
    ours: float
    trafilatura: float
    scrapy: float


def measure_crawl(articles: int) -> Crawled:
    reading = _read_alone(articles)
    with served(articles) as web:
        downloading = _download_alone(web, articles)
        ours = _crawl(web, articles)
    return Crawled(articles, ours, reading, downloading)


def _read_alone(articles: int) -> float:
    with multiprocessing.get_context("spawn").Pool(CORES) as pool:
        pool.map(_read, range(2 * CORES))
        began = perf_counter()
        for _ in pool.imap_unordered(_read, range(articles), chunksize=8):
            pass
        return articles / (perf_counter() - began)


def _read(number: int) -> int:
    import trafilatura  # noqa: PLC0415  # in its process

    html = page(f"/a/{number}", articles=number + 1) or ""
    return len(trafilatura.extract(html, include_comments=False) or "")


def _download_alone(web: str, articles: int) -> float:
    began = perf_counter()
    command = [sys.executable, "-m", "benchmarks.speed.steps.bare_spider", f"{web}/"]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)  # noqa: S603  # ours
    seconds = perf_counter() - began
    assert int(done.stdout) >= articles, done.stdout
    return articles / seconds


def _crawl(web: str, articles: int) -> float:
    with (
        tempfile.TemporaryDirectory(prefix="zhiwen-bench-", dir="/tmp") as folder,
        opened(Path(folder)) as (url, engine),
    ):
        add_whole_site(engine, _SITE, web)
        began = perf_counter()
        run = crawl_site(CrawlOrder(url, _SITE, allowed_networks=LOOPBACK, trigger="benchmark"))
        seconds = perf_counter() - began
    stored = run.counters.get("articles/new", 0)
    if stored < articles:
        logging.getLogger(__name__).warning("the crawl stored %d of %d articles", stored, articles)
    return stored / seconds
