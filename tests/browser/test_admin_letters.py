"""A letter about several cases of one copier, by keys: written, put into the outbox, and taken back."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from storage.alerts import channels
from storage.engine import make_engine, transaction
from storage.letters import letterhead
from storage.records.alerts import NewAddress
from tests.admin.evidence.test_letters import a_case
from tests.browser.desk_process import desk_process
from tests.support.correspondence.notices import SENDER
from tests.support.desk_client import NAME, PASSWORD, add_person

CASES = 50


@pytest.fixture
def page(chromium: Browser, clean_database_url: str) -> Iterator[Page]:
    """A page after the log-in; whatever the browser complains about fails the test."""
    engine = make_engine(clean_database_url)
    add_person(engine)
    for number in range(1, CASES + 1):
        a_case(engine, number)
    with transaction(engine) as session:
        address = "mailto://smtp.example?from=a@b.example&to=c@d.example"
        channel = channels.add_channel(
            session, "法务", NewAddress("mail", address, "c@d.example · smtp.example"), language="zh"
        )
        words = {name: getattr(SENDER, name) for name in letterhead.WORDS}
        letterhead.set_letterhead(session, words, mail_channel_id=channel.id, outbox_minutes=10, changed_by="")
    engine.dispose()
    complaints: list[str] = []
    with desk_process(clean_database_url) as (address, _process):
        context = chromium.new_context(viewport={"width": 390, "height": 844}, base_url=address)
        page = context.new_page()
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
        page.goto("/")
        page.get_by_label("用户名").fill(NAME)
        page.get_by_label("密码").fill(PASSWORD)
        page.get_by_role("button", name="登录").click()
        yield page
        context.close()
    assert complaints == []


def test_fifty_cases_are_notified_and_taken_back_by_keys(page: Page) -> None:
    page.goto("/cases/1")
    page.keyboard.press("g")
    page.wait_for_url("**/cases/1/letter")
    page.get_by_label("发送到").fill("legal@copier.example")
    page.get_by_label("发送到").blur()
    page.keyboard.press("g")
    page.wait_for_url(re.compile(r"/letters/\d+$"), timeout=90_000)
    expect(page.get_by_text(f"已通知案件 {CASES} 件")).to_be_visible()
    expect(page.get_by_role("link", name=f"#{CASES} ")).to_be_visible()
    page.keyboard.press("u")
    expect(page.get_by_text(f"恢复原状的案件 {CASES} 件")).to_be_visible()
    page.goto("/cases?tab=confirmed")
    expect(page.get_by_role("link", name="第3篇")).to_be_visible()
    complete_a_notice(page)


def complete_a_notice(page: Page) -> None:
    """A notification to a service: fits a narrow screen, and is neither ticked nor signed before a person does it."""
    page.goto("/cases/1/notices")
    page.get_by_role("button", name="DMCA 侵权通知").click()
    page.wait_for_url(re.compile(r"/notices/\d+$"))
    expect(page.get_by_text("还不能发送")).to_be_visible()
    page.get_by_label("服务或平台").fill("Example Hosting")
    page.get_by_role("button", name="保存").click()
    expect(page.get_by_text("还不能发送")).to_have_count(0)
    expect(page.get_by_role("button", name="复制").first).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    ticks = page.get_by_role("checkbox", name=re.compile("good faith|perjury"))
    assert [tick.is_checked() for tick in ticks.all()] == [False, False]
    page.get_by_role("button", name="标记为已发出").click()
    assert re.search(r"/notices/\d+$", page.url)
    expect(page.get_by_text("已通知案件")).to_have_count(0)
