"""Scrapy's settings for every crawl and fetch. Settings of a site (delay, budget) are in its row of the database."""

from typing import Final

BOT_NAME = "zhiwen"
SPIDER_MODULES = ["crawler.spider.site_spider"]
USER_AGENT = "Zhiwen"

_MEGABYTE: Final = 1_000_000

# Only http and https, and only by the handler that asks the reactor's resolver: others connect on their own.
DOWNLOAD_HANDLERS = {
    "http": "crawler.network.download_handler.StoppableHandler",
    "https": "crawler.network.download_handler.StoppableHandler",
    "data": None,
    "file": None,
    "ftp": None,
    "s3": None,
}
TWISTED_DNS_RESOLVER = "crawler.network.ssrf_guard.GuardedResolver"
DNSCACHE_ENABLED = False
HTTPPROXY_ENABLED = False  # a proxy would resolve names for us, unguarded
ZHIWEN_ALLOWED_NETWORKS: list[str] = []

# Ports that Scrapy opens by default: the first runs any Python sent to it.
REMOTE_CONTROL_ENABLED = False
TELNETCONSOLE_ENABLED = False

ROBOTSTXT_OBEY = True
COOKIES_ENABLED = False  # sessions in URLs aside, no article needs them, and they identify visitors
DOWNLOAD_VERIFY_CERTIFICATES = True
DOWNLOAD_TIMEOUT = 30
DOWNLOAD_MAXSIZE = 10 * _MEGABYTE
DOWNLOAD_WARNSIZE = 0
REDIRECT_MAX_TIMES = 8
RETRY_TIMES = 2
RETRY_GIVE_UP_LOG_LEVEL = "DEBUG"
# Only errors of a restarting server are retried at once. A timeout has cost enough, and is retried later.
RETRY_EXCEPTIONS = [
    "scrapy.exceptions.CannotResolveHostError",
    "scrapy.exceptions.DownloadConnectionRefusedError",
    "scrapy.exceptions.DownloadFailedError",
]
RETRY_HTTP_CODES = [500, 502, 504, 522, 524, 408]  # not 429 and 503: such hosts are paused
HTTPERROR_ALLOW_ALL = True  # a status is judged, named and counted by the spider
URLLENGTH_LIMIT = 0  # judged, named and counted by the site's scope

# The frontier in the database decides what comes next; nothing that grows is kept in the process.
SCHEDULER_MEMORY_QUEUE = "scrapy.squeues.FifoMemoryQueue"
DUPEFILTER_CLASS = "scrapy.dupefilters.BaseDupeFilter"

CONCURRENT_REQUESTS = 16
CONCURRENT_ITEMS = 1  # Scrapy starts so many tasks for each response, and one leads to two items at most
CONCURRENT_REQUESTS_PER_DOMAIN = 4
AUTOTHROTTLE_ENABLED = False  # the pace is kept over all processes, by PolitenessMiddleware
DOWNLOAD_DELAY = 0

# The components used of Scrapy's defaults. None as a value would still import the others: the remote control imports a
# web server, cookies an HTTP client.
EXTENSIONS_BASE = {
    "scrapy.extensions.closespider.CloseSpider": 0,
    "scrapy.extensions.feedexport.FeedExporter": 0,
    "scrapy.extensions.logstats.LogStats": 0,
}
DOWNLOADER_MIDDLEWARES_BASE = {
    "scrapy.downloadermiddlewares.downloadtimeout.DownloadTimeoutMiddleware": 350,
    "scrapy.downloadermiddlewares.defaultheaders.DefaultHeadersMiddleware": 400,
    "scrapy.downloadermiddlewares.useragent.UserAgentMiddleware": 500,
    "scrapy.downloadermiddlewares.retry.RetryMiddleware": 550,
    "scrapy.downloadermiddlewares.httpcompression.HttpCompressionMiddleware": 590,
}
EXTENSIONS = {
    "crawler.run.run_recorder.RunRecorder": 0,
}
DOWNLOADER_MIDDLEWARES = {
    "crawler.spider.middlewares.scope.ScopeMiddleware": 50,
    "crawler.spider.middlewares.robots.RobotsMiddleware": 100,
    "crawler.spider.middlewares.redirects.MetaRefreshMiddleware": 580,
    "crawler.spider.middlewares.redirects.RedirectMiddleware": 600,
    "crawler.spider.middlewares.politeness.PolitenessMiddleware": 900,
    "crawler.network.raw_response.RawResponseMiddleware": 940,
    "crawler.spider.middlewares.guard.GuardMiddleware": 950,
}
SPIDER_MIDDLEWARES_BASE = {
    "scrapy.spidermiddlewares.referer.RefererMiddleware": 700,
}
ITEM_PIPELINES = {
    "crawler.spider.evidence_pipeline.EvidencePipeline": 400,
    "crawler.spider.pipelines.StorePipeline": 500,
}

LOG_LEVEL = "WARNING"
LOGSTATS_INTERVAL = 0
