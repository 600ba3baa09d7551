"""A desk with no data, in both languages: the menu by the tab key alone, keys of lists, every list by mouse."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from storage.engine import make_engine
from storage.types import AccountRole
from tests.browser.desk_process import desk_process
from tests.browser.languages import enter, word
from tests.support.desk_client import add_person
from tests.support.store.new_database import database

LIST_KEYS = ("j", "k", "x", "o", "c", "d", "u", "n")
FOCUSED = "document.activeElement.textContent.trim()"
STEP = "Skip for now"


@pytest.fixture(scope="module")
def address(server_url: str, template_url: str) -> Iterator[str]:
    with database(server_url, template=template_url) as url:
        engine = make_engine(url)
        add_person(engine, role=AccountRole.ADMINISTRATOR)
        engine.dispose()
        with desk_process(url) as (address, _process):
            yield address


@pytest.mark.parametrize("language", ["zh", "en"])
def test_every_page_is_reached_and_says_what_comes_here(chromium: Browser, address: str, language: str) -> None:
    complaints: list[str] = []
    context = chromium.new_context(base_url=address, viewport={"width": 1280, "height": 800})
    context.on("weberror", lambda error: complaints.append(str(error.error)))
    context.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
    page = context.new_page()
    page.goto("/login")
    enter(page, language)

    go_through_the_menu(page, language)
    go_through_the_tabs(page)
    search(page, language)
    put_a_step_off(page, language)
    assert complaints == []
    check_a_text(page, language)
    context.close()


def go_through_the_menu(page: Page, language: str) -> None:
    """By tab and Enter; what the keys of a list would do happens to nothing."""
    menu = page.get_by_role("navigation").first.get_by_role("link").all_inner_texts()
    assert len(menu) > 10
    for number, name in enumerate(menu):
        page.keyboard.press("Tab")
        assert page.evaluate(FOCUSED) == word(language, "Skip to content")
        for _ in range(number + 2):
            page.keyboard.press("Tab")
        assert page.evaluate(FOCUSED) == name
        with page.expect_navigation():
            page.keyboard.press("Enter")
        expect(page.get_by_role("navigation").first.locator("[aria-current]")).to_have_text(name)
        expect(page.get_by_role("heading", level=1)).to_have_count(1)
        here = page.url
        for key in LIST_KEYS:
            page.keyboard.press(key)
        page.keyboard.press("?")
        expect(page.locator("#keys-help")).to_be_visible()
        page.keyboard.press("Escape")
        expect(page.locator("#keys-help")).to_be_hidden()
        assert page.url == here


def go_through_the_tabs(page: Page) -> None:
    """By mouse: a list without rows is a sentence, not a table."""
    page.goto("/cases")
    tabs = page.locator(".tabs a")
    assert tabs.count() > 5
    for number in range(tabs.count()):
        with page.expect_navigation():
            tabs.nth(number).click()
        expect(tabs.nth(number)).to_have_attribute("aria-current", "page")
        expect(page.locator("main .notice p").first).to_be_visible()
        expect(page.locator("main table")).to_have_count(0)
        expect(page.locator(".bulk")).to_have_count(0)


def search(page: Page, language: str) -> None:
    """The search box finds pages of the desk, and says so where it finds nothing."""
    page.keyboard.press("ControlOrMeta+k")
    page.keyboard.type("顺河茶馆")
    found = page.locator("dialog.find .found")
    expect(found).to_contain_text(word(language, "Nothing found."))
    page.locator("#find-words").fill(word(language, "Settings"))
    expect(found.locator("a[data-found]").first).to_contain_text(word(language, "Settings"))
    with page.expect_navigation():
        page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text(word(language, "Settings"))


def put_a_step_off(page: Page, language: str) -> None:
    """The guided set-up: the second step opens, and the first one is taken up again."""
    page.goto("/first-hour")
    now = page.locator("li[aria-current=step]")
    expect(now).to_contain_text(word(language, "Your site"))
    now.get_by_role("button", name=word(language, STEP)).press("Enter")
    expect(now).to_contain_text(word(language, "Your articles"))
    first = page.locator(".setup > li").first
    first.locator("summary").press("Enter")
    first.get_by_role("button", name=word(language, "Resume")).press("Enter")
    expect(now).to_contain_text(word(language, "Your site"))


def check_a_text(page: Page, language: str) -> None:
    """There is nothing to compare it with, which is said, and the text is still there."""
    text = "老桥修好了，来往的人又多了起来，河边的茶馆也开了门。" * 8
    page.goto("/check")
    page.get_by_label(word(language, "Paste the text")).fill(text)
    page.get_by_role("button", name=word(language, "Check"), exact=True).click()
    expect(page.get_by_role("alert")).to_be_visible()
    expect(page.get_by_label(word(language, "Paste the text"))).to_have_value(text)
