"""From the appearance of a copy in a feed to the alert: under ten minutes where the feed is asked every five."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from ipaddress import ip_network
from itertools import pairwise
from pathlib import Path

from sqlalchemy import Engine, update
from sqlalchemy.orm import Session

from storage.alerts import channels, rules
from storage.analytics import detection_latency
from storage.engine import transaction
from storage.jobs import queue, schedules
from storage.models.operation import Schedule
from storage.models.sites import CrawlRun
from storage.monitoring import site_alarms
from storage.records.alerts import NewAddress, RuleTerms
from storage.records.sites import SiteSettings
from storage.sites import sites
from storage.types import Rights, SiteRole
from tests.support.alert_receivers import web_server
from tests.support.factories import a_site, an_article, commit, story
from zhiwen.alerts.dispatcher import work_off
from zhiwen.config.settings import Settings
from zhiwen.worker.jobs import Jobs
from zhiwen.worker.scheduler import TICK_S
from zhiwen.worker.self_monitoring import watch

FIVE_MINUTES = timedelta(minutes=5)
NOON = datetime(2026, 5, 4, 4, 0, tzinfo=UTC)


class Site(ThreadingHTTPServer):
    """A site of one list and one feed, and of articles that appear in it."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Answer)
        self.host = f"127.0.0.1:{self.server_address[1]}"
        self.items = ""
        self.articles: dict[str, str] = {}

    def publish(self, path: str, text: str, at: datetime) -> None:
        paragraphs = "".join(f"<p>{line}</p>" for line in text.split("\n") if line)
        page = "<!doctype html><html lang='zh'><head><meta charset='utf-8'><title>渡口旧事</title></head>"
        self.articles[path] = f"{page}<body><article><h1>渡口旧事</h1>{paragraphs}</article></body></html>"
        link = f"http://{self.host}{path}"
        self.items += f"<item><title>渡口旧事</title><link>{link}</link><pubDate>{format_datetime(at)}</pubDate></item>"


class Answer(BaseHTTPRequestHandler):
    server: Site

    def do_GET(self) -> None:
        known = {
            "/feed": f'<rss version="2.0"><channel><title>转载网</title>{self.server.items}</channel></rss>',
            "/": "<!doctype html><meta charset='utf-8'><title>转载网</title><p>首页</p>",
            **self.server.articles,
        }
        body = known.get(self.path, "").encode()
        self.send_response(200 if body else 404)
        self.send_header("Content-Type", "application/rss+xml" if self.path == "/feed" else "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_arguments: object) -> None:
        pass


@contextmanager
def served() -> Iterator[Site]:
    with Site() as site:
        threading.Thread(target=site.serve_forever, daemon=True).start()
        try:
            yield site
        finally:
            site.shutdown()


def set_up(session: Session, site: Site, hook: str) -> None:
    """A known original, a watched site, and a channel with immediate alerts."""
    address = f"http://{site.host}"
    chosen = SiteSettings("转载网", (f"{address}/",), (site.host,), feeds=(f"{address}/feed",), delay_s=0.0)
    sites.add_site(session, chosen, owner="转载公司")
    channel = channels.add_channel(session, "编辑部", NewAddress("webhook", hook, hook, is_signed=True), language="zh")
    rules.add_rule(session, channel.id, RuleTerms("all", digest_at=None))


def test_a_copy_is_reported_as_soon_as_the_feed_was_asked_and_the_work_done(
    engine: Engine, clean_database_url: str, tmp_path: Path
) -> None:
    """The article appears right after a look at the feed; five minutes later the schedule says that it is time again.
    What comes on top of these is the time that the work itself takes on this machine, and no waiting.
    """
    settings = Settings(tmp_path, allowed_networks=(ip_network("127.0.0.0/8"),))
    work = Jobs(settings, engine, clean_database_url)
    with transaction(engine) as session:
        ours = a_site(session, "县报", owner="县报社", role=SiteRole.ORIGINAL, rights=Rights.OWN)
    commit(engine, [an_article("https://ours.example/1", story(), site_id=ours.id, title="渡口旧事")])
    with served() as site, web_server() as hook:
        with transaction(engine) as session:
            set_up(session, site, hook.address)
        work.crawl(site="转载网", trigger="schedule")
        with transaction(engine) as session:
            begun = queue.database_time(session)
            appeared = (begun - FIVE_MINUTES).replace(microsecond=0)
            session.execute(update(CrawlRun).values(started_at=appeared, ended_at=appeared))
            watched = sites.get_site(session, "转载网")
            schedules.set_schedule(session, watched.id, "every 5 min", now=appeared)
            session.execute(update(Schedule).values(next_at=appeared + FIVE_MINUTES))
            assert schedules.start_due(session, begun) == ["转载网"]
        site.publish("/news/1", story(), appeared)

        work.crawl(site="转载网", trigger="schedule")
        work.match()
        assert work_off(engine, settings).sent == 1

    with transaction(engine) as session:
        ended = queue.database_time(session)
        (find,) = detection_latency.detected_copies(session, ended, limit=5)
        all_sites, _of_site = detection_latency.site_latencies(session, ended)
    assert find.appeared_at == appeared
    assert find.to_alert_s is not None
    spent_s = (ended - begun).total_seconds()
    assert 300 <= find.to_case_s <= find.to_alert_s <= 301 + spent_s
    assert (all_sites.to_case.median_s, all_sites.to_alert.median_s) == (find.to_case_s, find.to_alert_s)
    watch(engine, tmp_path)
    with transaction(engine) as session:
        assert site_alarms.open_alarms(session) == [], "a site of a day is not judged"


def test_the_schedule_leaves_the_work_more_than_four_of_the_ten_minutes(session: Session) -> None:
    """A worker that looks at the clock as workers do, for two hours: from the appearance of an article, whenever it is,
    to the begin of the crawl that finds it.
    """
    site = a_site(session, "转载网")
    schedules.set_schedule(session, site.id, "every 5 min", now=NOON)
    started = []
    for tick in range(int(2 * 3_600 / TICK_S)):
        now = NOON + timedelta(seconds=tick * TICK_S)
        if schedules.start_due(session, now):
            started.append(now)

    gaps = [later - earlier for earlier, later in pairwise(started)]
    assert len(started) >= 22
    assert max(gaps) <= FIVE_MINUTES + timedelta(seconds=TICK_S)
    # What follows a crawl is queued by it, or at the next look: the comparison, then the alert.
    assert timedelta(minutes=10) - max(gaps) - 2 * timedelta(seconds=TICK_S) >= timedelta(minutes=4)
