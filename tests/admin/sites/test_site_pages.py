"""Managing sites at the desk: preview, adding, editing, pausing, crawling, rules, removing."""

import html
import re
import threading
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient
from sqlalchemy import Engine
from werkzeug.test import TestResponse

from admin.web.services import Services
from crawler.discovery.site_preview import PagePreview, SamplePreview, SitePreview
from crawler.outcomes.refusals import Refusal
from storage.accounts import audit_log
from storage.accounts.audit_log import AuditFilter
from storage.crawl import politeness, runs
from storage.engine import transaction
from storage.errors import NotKnown
from storage.jobs import schedules
from storage.records.crawl import Politeness
from storage.records.sites import SiteRecord, SiteSettings
from storage.sites import sites
from storage.types import AccountRole, Rights, SiteRole
from tests.support.desk_client import COPY, add_person, app_with, csrf_token, let_in, store_hit

HOSTILE = "<script>alert(1)</script>\u202e\"'"
FORM = {
    "name": "江城日报",
    "owner": "江城日报社",
    "role": "original",
    "rights": "unknown",
    "start_urls": "https://daily.example/\nhttps://daily.example/\n",
    "feeds": "https://daily.example/rss.xml",
    "sitemaps": "",
    "hosts": "",
    "allow": "/news/",
    "deny": "",
    "delay_s": "2.5",
    "page_budget": "500",
    "megabytes": "20",
    "time_zone": "Asia/Shanghai",
    "window_start": "01:00",
    "window_end": "06:30",
    "obey_noindex": "1",
}


@dataclass
class World:
    """What the desk reaches outside: it answers what a test says, and remembers what it was asked."""

    site: SitePreview | Refusal = Refusal.UNREACHABLE
    page: PagePreview | Refusal = Refusal.TOO_SHORT
    asked: list[Any] = field(default_factory=list)
    jobs: list[Any] = field(default_factory=list)

    def look_at_site(self, url: str) -> SitePreview | Refusal:
        self.asked.append(url)
        return self.site

    def look_at_page(
        self, url: str, rule: Mapping[str, Any] | None, time_zone: str, *, in_browser: bool
    ) -> PagePreview | Refusal:
        self.asked.append((url, rule, time_zone, in_browser))
        return self.page

    def enqueue(self, job: str, **arguments: object) -> None:
        self.jobs.append((job, arguments))


@pytest.fixture
def world() -> World:
    return World()


@pytest.fixture
def manager(engine: Engine, world: World) -> FlaskClient:
    """The browser of a manager, at a desk with a worker and a way out."""
    app = app_with(
        Services(
            engine=engine,
            secret_key="for tests",
            enqueue=world.enqueue,
            preview_site=world.look_at_site,
            preview_page=world.look_at_page,
        )
    )
    return logged_in(engine, app.test_client())


def logged_in(engine: Engine, client: FlaskClient) -> FlaskClient:
    add_person(engine, role=AccountRole.MANAGER)
    let_in(client)
    return client


def send(client: FlaskClient, path: str, **form: str) -> TestResponse:
    return client.post(path, data={"csrf_token": csrf_token(client, "/account"), **form})


def stored(engine: Engine, name: str = "江城日报") -> SiteRecord:
    with transaction(engine) as session:
        return sites.get_site(session, name)


def acts(engine: Engine) -> list[str]:
    with transaction(engine) as session:
        return [
            f"{event.act} {event.subject}" for event in audit_log.list_events(session, AuditFilter(act="site"), limit=9)
        ]


@pytest.fixture
def site(engine: Engine) -> SiteRecord:
    settings = SiteSettings(
        name="江城日报",
        start_urls=("https://daily.example/",),
        hosts=("daily.example",),
        extraction_rule={"title": "h1"},
    )
    with transaction(engine) as session:
        return sites.add_site(session, settings, owner="江城日报社")


def seen(title: str = "江城日报", *samples: SamplePreview) -> SitePreview:
    settings = SiteSettings(
        name="daily.example",
        start_urls=("https://daily.example/",),
        hosts=("daily.example",),
        feeds=("https://daily.example/rss.xml",),
    )
    return SitePreview(settings, title, samples)


def test_a_look_shows_a_proposal_and_stores_nothing(manager: FlaskClient, world: World, engine: Engine) -> None:
    world.site = seen(
        HOSTILE,
        SamplePreview("https://daily.example/1", title="老桥修好了", chars=812),
        SamplePreview("javascript:alert(1)", refusal=Refusal.LIST_PAGE),
    )

    answer = send(manager, "/sites/look", url="daily.example", role="original")

    assert answer.status_code == 200
    assert world.asked == ["https://daily.example"]
    assert "抽查 2 个页面，其中 1 个可读取为文章" in answer.text
    assert "老桥修好了" in answer.text
    assert "文章列表页" in answer.text
    assert 'value="daily.example"' in answer.text
    assert "https://daily.example/rss.xml" in answer.text
    assert "<script>alert" not in answer.text
    assert 'href="javascript:' not in answer.text
    with transaction(engine) as session:
        assert sites.list_sites(session) == []


def test_a_site_that_cannot_be_looked_at_says_why(manager: FlaskClient, world: World) -> None:
    world.site = Refusal.BLOCKED_ADDRESS

    answer = send(manager, "/sites/look", url="http://10.0.0.1/", role="watched")

    assert answer.status_code == 400
    assert "内网地址" in answer.text
    assert 'value="http://10.0.0.1/"' in answer.text


def test_one_look_at_a_time(manager: FlaskClient, world: World, engine: Engine) -> None:
    begun, may_end = threading.Event(), threading.Event()

    def slow(_url: str) -> SitePreview:
        begun.set()
        assert may_end.wait(60)
        return seen()

    desk = manager.application.extensions["zhiwen"]
    app = app_with(Services(engine=desk.engine, secret_key="for tests", preview_site=slow))
    first, second = app.test_client(), app.test_client()
    let_in(first)
    let_in(second)
    answers: list[int] = []
    token = csrf_token(first, "/account")
    form = {"csrf_token": token, "url": "a.example", "role": "watched"}
    thread = threading.Thread(target=lambda: answers.append(first.post("/sites/look", data=form).status_code))
    thread.start()
    assert begun.wait(60)

    busy = send(second, "/sites/look", url="b.example", role="watched")
    may_end.set()
    thread.join(60)

    assert busy.status_code == 429
    assert "有人正在查看" in busy.text
    assert answers == [200]


def test_a_site_is_added_with_all_that_the_form_says(manager: FlaskClient, world: World, engine: Engine) -> None:
    answer = send(manager, "/sites", **FORM, crawl="1")

    site = stored(engine)
    assert answer.location == f"/sites/{site.id}"
    assert site.owner_name == "江城日报社"
    assert site.settings == SiteSettings(
        name="江城日报",
        start_urls=("https://daily.example/",),
        hosts=("daily.example",),
        role=SiteRole.ORIGINAL,
        feeds=("https://daily.example/rss.xml",),
        allow=("/news/",),
        delay_s=2.5,
        page_budget=500,
        rights=Rights.OWN,
    )
    with transaction(engine) as session:
        found = politeness.get_politeness(session, site.id)
    assert (found.byte_budget, found.obey_noindex, found.obey_noarchive) == (20_000_000, True, False)
    assert (str(found.window_start), str(found.window_end)) == ("01:00:00", "06:30:00")
    assert world.jobs == [("crawl", {"site": "江城日报"})]
    assert acts(engine) == ["site.crawl 江城日报", "site.add 江城日报"]
    page = manager.get(f"/sites/{site.id}").text
    for shown in ("江城日报社", "01:00–06:30", "20 MB", "500 页", "尚未抓取"):
        assert shown in page


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"name": ""}, "请填写站点名称"),
        ({"name": "x" * 201}, "名称最多 200 个字符"),
        ({"start_urls": "javascript:alert(1)"}, "不是网址"),
        ({"start_urls": "", "feeds": "", "sitemaps": ""}, "请至少填写一个起始网址"),
        ({"feeds": "ftp://x.example/"}, "不是网址"),
        ({"sitemaps": "file:///etc/passwd"}, "不是网址"),
        ({"hosts": "no host"}, "不是有效的域名"),
        ({"allow": "(("}, "不是有效的正则表达式"),
        ({"deny": "["}, "不是有效的正则表达式"),
        ({"deny": "/(?:a|aa)+$"}, "匹配过慢"),
        ({"delay_s": "fast"}, "请求间隔应为秒数"),
        ({"delay_s": "-1"}, "请求间隔为 0 至 3600 秒"),
        ({"delay_s": "nan"}, "请求间隔为 0 至 3600 秒"),
        ({"page_budget": "0"}, "正整数"),
        ({"page_budget": "1.5"}, "正整数"),
        ({"megabytes": "9" * 50}, "正整数"),
        ({"time_zone": "Mars/Olympus"}, "没有“Mars/Olympus”这个时区"),
        ({"window_end": ""}, "要么都填"),
        ({"window_start": "soon"}, "不是有效的时间"),
        ({"start_urls": "\n".join(f"https://x.example/{number}" for number in range(201))}, "每项最多 200 行"),
    ],
)
def test_what_cannot_be_used_is_named_and_what_was_typed_stays(
    manager: FlaskClient, engine: Engine, changes: dict[str, str], words: str
) -> None:
    answer = send(manager, "/sites", **(FORM | {"name": "新站<b>"} | changes))

    assert answer.status_code == 400
    assert words in answer.text
    assert "<b>" not in answer.text.partition("<main")[2].replace("<b>1</b>", "")
    assert "https://daily.example/rss.xml" in answer.text or "feeds" in changes
    with transaction(engine) as session:
        assert sites.list_sites(session) == []


def test_values_that_only_a_program_sends_end_the_request(manager: FlaskClient) -> None:
    for changes, status in (
        ({"role": "emperor"}, 400),
        ({"rights": "x"}, 400),
        ({"start_urls": "x" * 30_000}, 413),
        ({"name": "x" * 5_000}, 413),
    ):
        assert send(manager, "/sites", **(FORM | changes)).status_code == status


def test_nul_and_line_breaks_in_a_name_do_no_harm(manager: FlaskClient, engine: Engine) -> None:
    send(manager, "/sites", **(FORM | {"name": "江\0城\r\n日报 "}))

    assert stored(engine, "江 城 日报").name == "江 城 日报"


def test_a_name_that_is_taken_is_refused(manager: FlaskClient, site: SiteRecord, engine: Engine) -> None:
    assert send(manager, "/sites", **FORM).status_code == 409
    with transaction(engine) as session:
        other = sites.add_site(session, SiteSettings(name="另一站", start_urls=(), hosts=()))

    assert send(manager, f"/sites/{other.id}/edit", **FORM).status_code == 409
    assert stored(engine, "另一站") == other


def test_editing_keeps_what_the_form_has_no_field_for(manager: FlaskClient, site: SiteRecord, engine: Engine) -> None:
    shown = manager.get(f"/sites/{site.id}/edit").text
    assert "https://daily.example/" in shown

    answer = send(manager, f"/sites/{site.id}/edit", **(FORM | {"name": "江城晚报", "role": "watched"}))

    assert answer.location == f"/sites/{site.id}"
    after = stored(engine, "江城晚报")
    assert (after.id, after.settings.extraction_rule, after.settings.enabled) == (site.id, {"title": "h1"}, True)
    assert after.settings.rights is Rights.UNKNOWN
    with transaction(engine) as session:
        event = audit_log.list_events(session, AuditFilter(act="site.edit"), limit=1)[0]
    assert event.detail["name"] == "江城日报 → 江城晚报"
    assert "hosts" not in event.detail


def test_an_unchanged_form_changes_nothing(manager: FlaskClient, site: SiteRecord, engine: Engine) -> None:
    with transaction(engine) as session:
        politeness.set_politeness(session, site.id, Politeness(byte_budget=7_000_000))
    from_page = {
        "name": site.name, "owner": site.owner_name, "role": "watched", "rights": "unknown",
        "start_urls": "https://daily.example/", "hosts": "daily.example", "delay_s": "1", "megabytes": "7",
        "time_zone": "Asia/Shanghai", "obey_noindex": "1", "obey_noarchive": "1",
    }  # fmt: skip

    send(manager, f"/sites/{site.id}/edit", **from_page)

    assert stored(engine) == site
    with transaction(engine) as session:
        assert politeness.get_politeness(session, site.id).byte_budget == 7_000_000


def test_pausing_and_resuming(manager: FlaskClient, site: SiteRecord, engine: Engine) -> None:
    send(manager, f"/sites/{site.id}/pause")
    assert not stored(engine).settings.enabled
    assert "已暂停" in manager.get(f"/sites/{site.id}").text

    send(manager, f"/sites/{site.id}/resume")
    assert stored(engine) == site
    assert acts(engine) == ["site.resume 江城日报", "site.pause 江城日报"]


def test_without_a_worker_the_page_says_what_to_run(engine: Engine, site: SiteRecord) -> None:
    with transaction(engine) as session:
        settings = SiteSettings(name="it's; rm -rf ~", start_urls=(), hosts=())
        odd = sites.add_site(session, settings)
    client = logged_in(engine, app_with(Services(engine=engine, secret_key="for tests")).test_client())

    assert "zhiwen crawl '江城日报'" in _after(client, send(client, f"/sites/{site.id}/crawl"))
    quoted = "zhiwen crawl 'it'\"'\"'s; rm -rf ~'"
    assert quoted in _after(client, send(client, f"/sites/{odd.id}/crawl")), "whoever copies it runs nothing else"
    assert send(client, "/sites/look", url="x.example", role="watched").status_code == 501
    assert send(client, f"/sites/{site.id}/rule", rule="", url="https://x.example/").status_code == 501


def _after(client: FlaskClient, answer: TestResponse) -> str:
    assert answer.status_code == 302
    return html.unescape(client.get(answer.location).text)


def test_a_rule_is_tried_before_it_is_kept(
    manager: FlaskClient, world: World, site: SiteRecord, engine: Engine
) -> None:
    world.page = PagePreview(
        url="https://daily.example/1", title=HOSTILE, author="王记者", published_at=datetime(2026, 3, 1, tzinfo=UTC),
        precision="day", origin="meta", language="zh", text="老桥修好了。" + HOSTILE, chars=30_000, parts=2,
        credit_lines=("来源：县报",), agency=None, kind="article", posts=0,
    )  # fmt: skip
    path, rule = f"/sites/{site.id}/rule", '{"content": "div.article"}'
    assert "h1" in manager.get(path).text

    tried = send(manager, path, rule=rule, url="https://daily.example/1")

    assert tried.status_code == 200
    assert world.asked == [("https://daily.example/1", {"content": "div.article"}, "Asia/Shanghai", False)]
    for shown in ("王记者", "2026-03-01", "30,000 字", "由 2 页拼接", "来源：县报", "老桥修好了"):
        assert shown in tried.text
    assert "<script>alert" not in tried.text
    assert stored(engine).settings.extraction_rule == {"title": "h1"}, "trying keeps nothing"

    assert send(manager, path, rule=rule, url="", do="save").location == f"/sites/{site.id}"
    assert stored(engine).settings.extraction_rule == {"content": "div.article"}
    send(manager, path, rule="", url="", do="save")
    assert stored(engine).settings.extraction_rule is None


def test_a_page_of_a_site_of_script_is_tried_in_a_browser_or_not_at_all(
    manager: FlaskClient,
    world: World,
    site: SiteRecord,
    engine: Engine,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    with transaction(engine) as session:
        sites.edit_site(session, site.name, replace(site.settings, browser=True))
    monkeypatch.setenv("PATH", str(tmp_path))

    without = send(manager, f"/sites/{site.id}/rule", rule="", url="https://daily.example/1")

    assert without.status_code == 501
    assert "no Chromium is installed" in without.text
    assert world.asked == []
    (tmp_path / "chromium").touch(mode=0o700)  # what it is does not matter: the desk only hands over

    send(manager, f"/sites/{site.id}/rule", rule="", url="https://daily.example/1")

    assert world.asked == [("https://daily.example/1", None, "Asia/Shanghai", True)]


@pytest.mark.parametrize(
    "rule", ["{", "[]", '"x"', '{"nonsense": "p"}', '{"content": 7}', '{"content": "((("}', "[" * 9_000, '{"a": NaN}']
)
def test_a_rule_that_is_none_is_refused_with_the_reason(
    manager: FlaskClient, world: World, site: SiteRecord, engine: Engine, rule: str
) -> None:
    for do in ("", "save"):
        answer = send(manager, f"/sites/{site.id}/rule", rule=rule, url="https://daily.example/1", do=do)

        assert answer.status_code == 400
        assert 'role="alert"' in answer.text
    assert world.asked == []
    assert stored(engine) == site


def test_a_page_without_an_article_says_why(manager: FlaskClient, world: World, site: SiteRecord) -> None:
    world.page = Refusal.RULE_FOUND_NOTHING

    answer = send(manager, f"/sites/{site.id}/rule", rule="", url="https://daily.example/1")

    assert answer.status_code == 400
    assert "站点的提取规则没有找到正文" in answer.text


def test_to_remove_a_site_its_name_is_typed(manager: FlaskClient, site: SiteRecord, engine: Engine) -> None:
    path = f"/sites/{site.id}/remove"
    assert "将删除的页面" in manager.get(path).text

    assert send(manager, path, name="江城").status_code == 400
    assert stored(engine) == site
    assert send(manager, path, name="江城日报").location == "/sites"
    with pytest.raises(NotKnown):
        stored(engine)
    assert acts(engine) == ["site.remove 江城日报"]
    assert manager.get(f"/sites/{site.id}").status_code == 404


def test_the_page_of_a_site_counts_its_pages(manager: FlaskClient, engine: Engine) -> None:
    with transaction(engine) as session:
        store_hit(session)
        site = sites.get_site(session, COPY.site or "")

    assert "<dd>1 ·" in manager.get(f"/sites/{site.id}").text
    assert "<b>1</b>" in manager.get(f"/sites/{site.id}/remove").text


def test_a_run_that_goes_on_is_shown_and_asked_for_again(
    manager: FlaskClient, site: SiteRecord, engine: Engine
) -> None:
    with transaction(engine) as session:
        run_id = runs.start_run(session, site.id, trigger="hand")
        runs.record_run(session, run_id, counters={"pages/fetched": 7, "refused/robots": 2}, refusal_samples={})
    path = f"/runs/{run_id}/progress"

    for page in (f"/sites/{site.id}", f"/runs/{run_id}"):
        shown = manager.get(page).text
        assert f'data-live="{path}"' in shown
        assert re.search(r"/static/live\.[0-9a-f]{12}\.js", shown)
    part = manager.get(path).text
    assert "<b>7</b>" in part
    assert "robots.txt 禁止 <b>2</b>" in part
    assert "data-ended" not in part
    assert "<html" not in part

    with transaction(engine) as session:
        runs.finish_run(session, run_id, exit_reason="finished", counters={"pages/fetched": 9}, refusal_samples={})
    assert "data-ended" in manager.get(path).text
    assert "data-live" not in manager.get(f"/runs/{run_id}").text
    assert manager.get("/runs/999/progress").status_code == 404


def test_sites_are_found_by_name_owner_host_and_role(manager: FlaskClient, site: SiteRecord) -> None:
    for query in ({"q": "江城"}, {"q": "日报社"}, {"q": "DAILY.example"}, {"role": "watched"}):
        assert f'href="/sites/{site.id}"' in manager.get("/sites", query_string=query).text
    for query in ({"q": "%"}, {"role": "original"}, {"q": "\0no such"}):
        assert "没有符合条件的站点" in manager.get("/sites", query_string=query).text


def test_a_long_list_of_sites_comes_in_pages(manager: FlaskClient, engine: Engine) -> None:
    with transaction(engine) as session:
        for number in range(60):
            sites.add_site(session, SiteSettings(name=f"site {number:02}", start_urls=(), hosts=()))

    first, second = manager.get("/sites").text, manager.get("/sites?page=2").text
    assert ("site 49" in first, "site 50" in first) == (True, False)
    assert ("site 49" in second, "site 59" in second) == (False, True)
    for odd in ("0", "-1", "x", "9" * 30):
        assert manager.get(f"/sites?page={odd}").status_code == 200


def test_a_site_gets_a_schedule_and_loses_it(manager: FlaskClient, site: SiteRecord, engine: Engine) -> None:
    path = f"/sites/{site.id}/schedule"
    assert "仅手动抓取" in manager.get(f"/sites/{site.id}").text

    assert send(manager, path, rule="every 6 h", jitter="5").location == f"/sites/{site.id}"
    with transaction(engine) as session:
        found = schedules.get_schedule(session, site.id)
    assert found is not None
    assert (found.rule, found.jitter_s) == ("every 6 h", 300)
    page = manager.get(f"/sites/{site.id}").text
    assert "下次抓取" in page
    assert "后台任务未运行" in page

    for rule, jitter in (("now and then", "0"), ("every 6 h", "-1"), ("* * *", "x"), ("every 6 h", "1441")):
        answer = send(manager, path, rule=rule, jitter=jitter)
        assert 'role="alert"' in manager.get(answer.location).text
    send(manager, path, rule="", jitter="")
    with transaction(engine) as session:
        assert schedules.get_schedule(session, site.id) is None
