"""One screen to review, in a browser: what is left out counts at once, and the focus goes along the rows."""

from collections.abc import Iterator
from dataclasses import replace

import pytest
from playwright.sync_api import Browser, Page, expect
from sqlalchemy import Engine

from storage.engine import make_engine, transaction
from storage.records.matches import Passage
from storage.types import AccountRole, MatchKind
from tests.browser.desk_process import desk_process
from tests.support.cases import store_case
from tests.support.desk_client import COPY, NAME, PASSWORD, SOURCE, add_person, store_hit

CASES = 4


@pytest.fixture
def case_ids(clean_database_url: str) -> list[int]:
    """Four cases, the first of which has two sources."""
    engine = make_engine(clean_database_url)
    add_person(engine, role=AccountRole.REVIEWER)
    found = [store_case(engine).id]
    with transaction(engine) as session:
        other = replace(SOURCE, url="https://w.example/tea", text="周刊：河边的茶馆也开了门", title="茶馆")
        store_hit(session, source=other, passages=[Passage(34, 45, 0, 11, 1.0)], kind=MatchKind.MOSAIC)
    found += [a_numbered_case(engine, number) for number in range(1, CASES)]
    engine.dispose()
    return found


def a_numbered_case(engine: Engine, number: int) -> int:
    ours = replace(SOURCE, url=f"https://county.example/{number}", text=f"{SOURCE.text}{number}", title=f"桥{number}")
    theirs = replace(COPY, url=f"https://copier.example/{number}", text=f"{COPY.text}{number}")
    return store_case(engine, copy=theirs, source=ours).id


@pytest.fixture
def page(chromium: Browser, clean_database_url: str, case_ids: list[int]) -> Iterator[Page]:
    """The list of these cases; whatever the browser complains about fails the test."""
    assert case_ids
    with desk_process(clean_database_url) as (address, _process):
        context = chromium.new_context(viewport={"width": 1280, "height": 800}, base_url=address)
        found = context.new_page()
        complaints: list[str] = []
        found.on("pageerror", lambda error: complaints.append(str(error)))
        found.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
        found.goto("/cases?sort=oldest")
        found.get_by_label("用户名").fill(NAME)
        found.get_by_label("密码").fill(PASSWORD)
        found.get_by_role("button", name="登录").click()
        found.wait_for_url("**/cases?sort=oldest")
        found.wait_for_load_state()
        yield found
        context.close()
    assert complaints == []


def test_what_is_ticked_counts_without_a_reload_and_the_keyboard_stays(page: Page, case_ids: list[int]) -> None:
    page.goto(f"/cases/{case_ids[0]}?sort=oldest")
    page.evaluate("window.isSamePage = true")
    shares = page.locator(".shares-line")
    expect(shares).to_contain_text("86% 疑似抄袭文取自全部原文")
    expect(page.get_by_role("button", name="重新计算")).to_be_hidden()

    second = page.locator(".source-list input[name=without]").last
    second.focus()
    page.keyboard.press("Space")

    expect(shares).to_contain_text("67% 疑似抄袭文取自全部原文")
    expect(page.locator(".source-list input[name=without]").last).to_be_checked()
    expect(page.locator(".source-list input[name=without]").last).to_be_focused()
    assert "without=" in page.url
    assert "sort=oldest" in page.url
    assert page.evaluate("window.isSamePage")
    page.get_by_role("link", name="全部计入").click()
    expect(shares).to_contain_text("86% 疑似抄袭文取自全部原文")
    assert "without=" not in page.url


def test_the_focus_goes_along_the_rows_and_a_bar_comes_with_the_first_tick(page: Page) -> None:
    bar = page.locator(".bulk")
    expect(bar).to_be_hidden()

    page.keyboard.press("j")
    page.keyboard.press("j")
    expect(page.get_by_role("link", name="桥1")).to_be_focused()
    expect(page.locator("#row-words")).to_have_text("第 2 行，共 4 行")
    page.keyboard.press("x")
    expect(bar).to_be_visible()
    expect(page.locator("#row-words")).to_have_text("第 2 行，共 4 行, 已选 1 条")
    page.keyboard.press("x")
    expect(bar).to_be_hidden()


def test_a_choice_of_a_filter_acts_at_once(page: Page) -> None:
    page.get_by_label("严重", exact=True).check(force=True)

    page.wait_for_url("**severity=grave**")
    expect(page.get_by_label("严重", exact=True)).to_be_focused()
