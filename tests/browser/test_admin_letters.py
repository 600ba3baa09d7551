"""A letter about several cases of one copier, by keys: written, put into the outbox, and taken back."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from storage.alerts import channels
from storage.engine import make_engine, transaction
from storage.letters import letterhead
from storage.records.alerts import NewAddress
from tests.admin.evidence.test_letters import a_case
from tests.browser.desk_process import desk_process
from tests.browser.languages import enter, word
from tests.support.correspondence.notices import SENDER
from tests.support.desk_client import add_person

CASES = 50


@pytest.fixture
def context(chromium: Browser, clean_database_url: str) -> Iterator[BrowserContext]:
    """A browser in front of the desk with the cases and a way to send mail; what it complains about fails the test."""
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
        context.on("weberror", lambda error: complaints.append(str(error.error)))
        context.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
        yield context
        context.close()
    assert complaints == []


def test_fifty_cases_are_notified_and_taken_back_by_keys_in_both_languages(context: BrowserContext) -> None:
    """One after the other on the same cases: what is taken back can be sent again."""
    page = context.new_page()
    page.goto("/login")
    enter(page, "zh")
    notify_and_take_back(page, "zh", number=1)
    page.get_by_role("button", name="English").click()
    notify_and_take_back(page, "en", number=2)
    complete_a_notice(page, "en")
    page.get_by_role("button", name="中文").click()
    complete_a_notice(page, "zh")


def notify_and_take_back(page: Page, language: str, *, number: int) -> None:
    page.goto("/cases/1")
    page.keyboard.press("g")
    page.wait_for_url("**/cases/1/letter")
    to = page.get_by_label(word(language, "To"), exact=True)
    to.fill("legal@copier.example")
    to.blur()
    page.keyboard.press("g")
    page.wait_for_url(f"**/letters/{number}", timeout=90_000)
    expect(page.locator("html")).to_have_attribute("lang", re.compile(f"^{language}"))
    expect(page.get_by_text(word(language, "Cases notified: %(count)s.", count=CASES))).to_be_visible()
    expect(page.get_by_role("link", name=f"#{CASES} ")).to_be_visible()
    page.keyboard.press("u")
    expect(page.get_by_text(word(language, "Recalled. Cases restored: %(count)s.", count=CASES))).to_be_visible()
    page.goto("/cases?tab=confirmed")
    expect(page.get_by_role("link", name="第3篇")).to_be_visible()


def complete_a_notice(page: Page, language: str) -> None:
    """A notification to a service: fits a narrow screen, and is neither ticked nor signed before a person does it."""
    missing = word(language, "It cannot be sent yet. Missing elements:")
    page.goto("/cases/1/notices")
    page.get_by_role("button", name=word(language, "DMCA notification")).click()
    page.wait_for_url(re.compile(r"/notices/\d+$"))
    expect(page.get_by_text(missing)).to_be_visible()
    page.get_by_label(word(language, "Service or platform")).fill("Example Hosting")
    page.get_by_role("button", name=word(language, "Save"), exact=True).click()
    expect(page.get_by_text(missing)).to_have_count(0)
    expect(page.get_by_role("button", name=word(language, "Copy the field")).first).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    ticks = page.get_by_role("checkbox", name=re.compile("good faith|perjury"))
    assert [tick.is_checked() for tick in ticks.all()] == [False, False]
    page.get_by_role("button", name=word(language, "Mark as sent")).click()
    assert re.search(r"/notices/\d+$", page.url)
    expect(page.get_by_text(re.compile(r"已通知案件|Cases notified"))).to_have_count(0)
