"""Scrapy's settings for every crawl and fetch. What a site decides (delay, budget) stands in its row."""

from itertools import chain
from typing import Final

from scrapy.settings import default_settings

BOT_NAME = "zhiwen"
SPIDER_MODULES = ["crawler.spider"]
USER_AGENT = "Zhiwen"

_MEGABYTE: Final = 1_000_000

# Only http and https, and only by the handler that asks the reactor's resolver: others connect on their own.
DOWNLOAD_HANDLERS = {
    "http": "crawler.handlers.StoppableHandler",
    "https": "crawler.handlers.StoppableHandler",
    "data": None,
    "file": None,
    "ftp": None,
    "s3": None,
}
TWISTED_DNS_RESOLVER = "crawler.guard.GuardedResolver"
DNSCACHE_ENABLED = False
HTTPPROXY_ENABLED = False  # a proxy would resolve names for us, unguarded
ZHIWEN_ALLOWED_NETWORKS: list[str] = []

# Doors that Scrapy opens by default: the first runs any Python sent to it.
REMOTE_CONTROL_ENABLED = False
TELNETCONSOLE_ENABLED = False

ROBOTSTXT_OBEY = True
COOKIES_ENABLED = False  # sessions in URLs aside, no article needs them, and they tell visits apart
DOWNLOAD_VERIFY_CERTIFICATES = True
DOWNLOAD_TIMEOUT = 30
DOWNLOAD_MAXSIZE = 10 * _MEGABYTE
DOWNLOAD_WARNSIZE = 0
REDIRECT_MAX_TIMES = 8
RETRY_TIMES = 2
RETRY_GIVE_UP_LOG_LEVEL = "DEBUG"
# At once only what a server that restarts shows. A timeout has cost enough, and comes again later.
RETRY_EXCEPTIONS = [
    "scrapy.exceptions.CannotResolveHostError",
    "scrapy.exceptions.DownloadConnectionRefusedError",
    "scrapy.exceptions.DownloadFailedError",
]
RETRY_HTTP_CODES = [500, 502, 504, 522, 524, 408]  # not 429 and 503: those are left alone for a while
HTTPERROR_ALLOW_ALL = True  # a status is judged, named and counted by the spider
URLLENGTH_LIMIT = 0  # judged, named and counted by the site's scope

# The frontier says what comes next and what was met; nothing that grows is kept in the process.
SCHEDULER_MEMORY_QUEUE = "scrapy.squeues.FifoMemoryQueue"
DUPEFILTER_CLASS = "scrapy.dupefilters.BaseDupeFilter"

CONCURRENT_REQUESTS = 16
CONCURRENT_REQUESTS_PER_DOMAIN = 4
AUTOTHROTTLE_ENABLED = False  # the pace is kept over all processes, by TurnMiddleware
DOWNLOAD_DELAY = 0

# What is off is not loaded either, as a None would have it be: the remote control brings a web server with it, and
# cookies a client.
_OFF: Final = {
    "scrapy.extensions.memdebug.MemoryDebugger",
    "scrapy.extensions.remote_control.RemoteControl",
    "scrapy.extensions.telnet.TelnetConsole",
    "scrapy.extensions.throttle.AutoThrottle",
    "scrapy.downloadermiddlewares.cookies.CookiesMiddleware",
    "scrapy.downloadermiddlewares.httpproxy.HttpProxyMiddleware",
}
EXTENSIONS_BASE = {name: turn for name, turn in default_settings.EXTENSIONS_BASE.items() if name not in _OFF}
DOWNLOADER_MIDDLEWARES_BASE = {
    name: turn for name, turn in default_settings.DOWNLOADER_MIDDLEWARES_BASE.items() if name not in _OFF
}
EXTENSIONS = {
    "crawler.extensions.RunRecorder": 0,
}
DOWNLOADER_MIDDLEWARES = {
    "scrapy.downloadermiddlewares.robotstxt.RobotsTxtMiddleware": None,
    "scrapy.downloadermiddlewares.offsite.OffsiteMiddleware": None,
    "scrapy.downloadermiddlewares.redirect.MetaRefreshMiddleware": None,
    "scrapy.downloadermiddlewares.redirect.RedirectMiddleware": None,
    "crawler.middlewares.ScopeMiddleware": 50,
    "crawler.middlewares.RobotsMiddleware": 100,
    "crawler.middlewares.MetaRefreshMiddleware": 580,
    "crawler.middlewares.RedirectMiddleware": 600,
    "crawler.middlewares.TurnMiddleware": 900,
    "crawler.evidence.responses.RawResponseMiddleware": 940,
    "crawler.middlewares.GuardMiddleware": 950,
}
SPIDER_MIDDLEWARES = {
    "scrapy.spidermiddlewares.depth.DepthMiddleware": None,
    "crawler.evidence.responses.WitnessMiddleware": 900,
}
ITEM_PIPELINES = {
    "crawler.evidence.responses.EvidencePipeline": 400,
    "crawler.pipelines.StorePipeline": 500,
}

OWN_PARTS: Final = tuple(
    sorted(
        {
            name.rpartition(".")[0]
            for name in chain(EXTENSIONS, DOWNLOADER_MIDDLEWARES, SPIDER_MIDDLEWARES, ITEM_PIPELINES)
            if name.startswith("crawler.")
        }
    )
)
"""Modules that Scrapy will load by the names above."""

LOG_LEVEL = "WARNING"
LOGSTATS_INTERVAL = 0
