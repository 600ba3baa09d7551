"""A desk with more than a thousand cases, in a browser: a morning by keys and by mouse, in both languages."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from benchmarks.desk.fill import NAME, PASSWORD, fill
from benchmarks.desk.world import World
from storage.engine import make_engine
from tests.browser.desk_process import desk_process
from tests.conftest import database

WORLD: Final = World(pages=5_000, matches=1_700, seed=3)
LEAST: Final = 1_000
DECIDED: Final = 50
SHOWN: Final = 50
"""Cases on one page of the list."""

CHINESE: Final[Mapping[str, str]] = {
    "Name": "用户名",
    "Password": "密码",
    "Log in": "登录",
    "Save list": "保存为列表",
    "Name of the list": "列表名称",
    "Save": "保存",
    "To review": "待处理",
    "All": "全部",
}


@pytest.fixture(scope="module")
def filled(server_url: str, template_url: str) -> Iterator[str]:
    with database(server_url, template=template_url) as url:
        engine = make_engine(url)
        cases = fill(engine, WORLD, progress=lambda _what, _done, _whole: None)
        engine.dispose()
        assert len(cases.cases) > LEAST
        yield url


@dataclass(frozen=True, slots=True)
class Desk:
    """The browser of an editor who reads `language`."""

    page: Page
    language: str

    def word(self, english: str) -> str:
        return english if self.language == "en" else CHINESE[english]

    def tab(self, english: str) -> Locator:
        return self.page.locator(".tabs a", has_text=self.word(english))

    def in_tab(self, english: str) -> int:
        return int(re.sub(r"\D", "", self.tab(english).locator("b").inner_text()))


@pytest.fixture(params=["zh", "en"])
def desk(request: pytest.FixtureRequest, chromium: Browser, server_url: str, filled: str) -> Iterator[Desk]:
    """Logged in, on a copy of the store; whatever the browser complains about fails the test."""
    complaints: list[str] = []
    locale = {"zh": "zh-CN", "en": "en-GB"}[request.param]
    with database(server_url, template=filled) as url, desk_process(url) as (address, _process):
        context = chromium.new_context(viewport={"width": 1280, "height": 800}, base_url=address, locale=locale)
        page = context.new_page()
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
        page.goto("/cases")
        found = Desk(page, request.param)
        page.get_by_label(found.word("Name"), exact=True).fill(NAME)
        page.get_by_label(found.word("Password"), exact=True).fill(PASSWORD)
        page.get_by_role("button", name=found.word("Log in")).click()
        page.wait_for_url("**/cases")
        yield found
        context.close()
    assert complaints == []


def test_fifty_of_a_thousand_are_decided_by_keys_and_the_last_is_undone(desk: Desk) -> None:
    page, waiting, every = desk.page, desk.in_tab("To review"), desk.in_tab("All")
    assert every > LEAST // 2
    page.keyboard.press("j")
    page.keyboard.press("Enter")
    seen = set()
    for _ in range(DECIDED):
        page.wait_for_url(lambda url: "/cases/" in url and _case(url) not in seen)
        page.wait_for_load_state()
        seen.add(_case(page.url))
        expect(page.locator("#pane-c .passage").first).to_be_in_viewport()
        page.keyboard.press("c")
    page.wait_for_url(lambda url: _case(url) not in seen)
    page.wait_for_load_state()
    page.keyboard.press("u")
    page.wait_for_url(lambda url: _case(url) in seen)

    page.goto("/cases")
    assert desk.in_tab("To review") == waiting - DECIDED + 1
    assert desk.in_tab("All") == every


def test_all_of_a_filtered_list_is_decided_at_once_by_mouse_and_undone(desk: Desk) -> None:
    page, waiting = desk.page, desk.in_tab("To review")
    page.goto("/cases?severity=grave")
    grave = desk.in_tab("To review")
    assert SHOWN < grave < waiting
    page.locator("#tick-all").click()
    expect(page.locator("#ticked-count")).to_have_text(str(SHOWN))
    page.locator("#all-of-list input").click()
    with page.expect_navigation():
        page.locator(".bulk button[value=dismissed]").click()

    expect(page.get_by_role("status").filter(has_text=str(grave)).first).to_be_visible()
    assert desk.in_tab("To review") == 0
    with page.expect_navigation():
        page.keyboard.press("u")
    page.goto("/cases")
    assert desk.in_tab("To review") == waiting


def test_a_list_is_paged_through_narrowed_and_kept(desk: Desk) -> None:
    page = desk.page
    first = page.locator("[data-row] a.title").first.inner_text()
    page.locator(".pagination a", has_text="2").first.click()
    page.wait_for_url("**page=2*")
    expect(page.locator("[data-row]")).to_have_count(SHOWN)
    page.goto("/cases?tab=all")
    page.locator("input[type=search][name=text]").fill(first[:6])
    page.keyboard.press("Enter")
    page.wait_for_url("**text=*")
    assert "severity=" not in page.url
    assert "assignee=" not in page.url
    expect(page.locator("[data-row] a.title").first).to_contain_text(first[:6])

    page.goto("/cases?severity=grave")
    grave = desk.in_tab("To review")
    page.locator(".save-view summary").click()
    page.get_by_label(desk.word("Name of the list")).fill("七点")
    with page.expect_navigation():
        page.get_by_role("button", name=desk.word("Save"), exact=True).click()
    expect(page.locator(".views a", has_text="七点").locator("b")).to_have_text(f"{grave:,}")


@pytest.mark.parametrize("path", ["/", "/cases", "/cases?tab=all", "/cases/pages", "/hits", "/analysis"])
def test_on_a_phone_nothing_is_wider_than_the_window(desk: Desk, path: str) -> None:
    desk.page.set_viewport_size({"width": 390, "height": 844})
    desk.page.goto(path)

    width = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
    assert desk.page.evaluate(width) <= 0


def _case(url: str) -> int:
    found = re.search(r"/cases/(\d+)", url)
    return int(found[1]) if found else 0
