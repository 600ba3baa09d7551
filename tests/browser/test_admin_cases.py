"""The morning of a reviewer: from the list through the cases by keys alone, and the same without scripts."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from storage.engine import make_engine, transaction
from storage.types import AccountRole, CaseState
from tests.browser.desk_process import desk_process
from tests.browser.languages import LOCALES, enter, word
from tests.support.case_actions import owned_cases, state_of
from tests.support.desk_client import NAME, PASSWORD, add_person


@pytest.fixture
def case_ids(clean_database_url: str) -> list[int]:
    """Five cases between two owners, and a manager to decide them."""
    engine = make_engine(clean_database_url)
    add_person(engine, role=AccountRole.MANAGER)
    with transaction(engine) as session:
        found = owned_cases(session, range(1, 6))
    engine.dispose()
    return found


@pytest.fixture
def address(clean_database_url: str, case_ids: list[int]) -> Iterator[str]:
    assert case_ids
    with desk_process(clean_database_url) as (address, _process):
        yield address


def logged_in(context: BrowserContext, path: str) -> Page:
    page = context.new_page()
    page.goto(path)
    page.get_by_label("用户名").fill(NAME)
    page.get_by_label("密码").fill(PASSWORD)
    page.get_by_role("button", name="登录").click()
    expect(page.get_by_role("heading", name="案件", exact=True)).to_be_visible()
    page.wait_for_load_state()
    return page


def states(database_url: str, case_ids: list[int]) -> list[str]:
    engine = make_engine(database_url)
    found = [state_of(engine, case_id).value for case_id in case_ids]
    engine.dispose()
    return found


def opened(page: Page, case_id: int) -> None:
    """Waits until the page of this case is there, with its script."""
    page.wait_for_url(f"**/cases/{case_id}?*")
    page.wait_for_load_state()
    expect(page.get_by_text(f"#{case_id} ·").first).to_be_visible()


def test_case_after_case_is_decided_by_keys(
    chromium: Browser, address: str, clean_database_url: str, case_ids: list[int]
) -> None:
    first, second, third, fourth, _fifth = case_ids
    context = chromium.new_context(base_url=address, viewport={"width": 1280, "height": 800})
    page = logged_in(context, "/cases?sort=oldest")
    complaints: list[str] = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)

    page.keyboard.press("j")
    expect(page.locator("tr.is-current")).to_contain_text(f"#{first}")
    page.keyboard.press("o")
    opened(page, first)
    page.keyboard.press("w")  # the licence is folded away: a key must not press what nobody sees
    page.keyboard.press("c")
    opened(page, second)
    expect(page.locator(".done")).to_contain_text("已确认")
    page.keyboard.press("3")
    opened(page, third)
    expect(page.locator(".done")).to_contain_text("合理引用")
    page.keyboard.press("u")
    opened(page, second)
    expect(page.locator(".done")).to_contain_text("已确认")  # the decision before it is the next to be undone
    page.keyboard.press("j")
    opened(page, third)
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_contain_text("确认抄袭")
    page.keyboard.press("Escape")
    page.keyboard.press("l")
    expect(page.locator("select[name=requires]")).to_be_focused()  # the condition comes first
    page.keyboard.press("w")  # and no key grants before it was read
    expect(page.locator(".case-head")).to_contain_text(f"#{third}")
    page.get_by_role("button", name="准许", exact=True).press("Enter")
    opened(page, fourth)
    expect(page.get_by_text("了结未决案件 1 件")).to_be_visible()
    assert states(clean_database_url, case_ids) == ["confirmed", "new", "licensed", "new", "new"]
    page.keyboard.press("b")
    page.wait_for_url("**/cases?sort=oldest")
    context.close()
    assert complaints == []


def test_rows_are_ticked_decided_and_undone_by_keys(
    chromium: Browser, address: str, clean_database_url: str, case_ids: list[int]
) -> None:
    context = chromium.new_context(base_url=address, viewport={"width": 1280, "height": 800})
    page = logged_in(context, "/cases?sort=oldest")

    page.keyboard.press("j")
    page.keyboard.press("x")
    page.keyboard.press("j")
    page.keyboard.press("x")
    expect(page.locator("#ticked-count")).to_have_text("2")
    page.keyboard.press("d")
    expect(page.locator(".done")).to_contain_text("已处理 2 件案件")
    page.wait_for_load_state()
    assert states(clean_database_url, case_ids) == ["dismissed", "dismissed", "new", "new", "new"]
    page.keyboard.press("u")
    expect(page.locator("tr[data-row]")).to_have_count(5)
    page.wait_for_load_state()
    page.keyboard.press("j")
    page.keyboard.press("c")  # nothing is ticked: the row that is looked at is meant
    expect(page.locator(".done")).to_contain_text("已确认")
    assert states(clean_database_url, case_ids) == [CaseState.CONFIRMED, *[CaseState.NEW] * 4]
    context.close()


def test_of_two_people_at_once_the_second_is_told_and_overwrites_nothing(
    chromium: Browser, address: str, clean_database_url: str, case_ids: list[int]
) -> None:
    contexts = [chromium.new_context(base_url=address) for _person in range(2)]
    one, other = (logged_in(context, "/cases?sort=oldest") for context in contexts)
    for page in (one, other):
        page.get_by_role("link", name="我方第1篇").click()
        opened(page, case_ids[0])
    one.get_by_role("button", name="确认抄袭").click()
    opened(one, case_ids[1])
    other.get_by_role("button", name="合理引用").click()

    expect(other.get_by_role("alert")).to_contain_text("已确认")
    expect(other.get_by_role("alert")).to_contain_text(NAME)
    assert states(clean_database_url, case_ids) == ["confirmed", "new", "new", "new", "new"]
    for context in contexts:
        context.close()


def test_a_key_after_the_login_expired_leads_to_the_decision_by_keys_in_both_languages(
    chromium: Browser, address: str, clean_database_url: str, case_ids: list[int]
) -> None:
    expired = "Your login has expired. Log in again; your decision is then shown and nothing is lost."
    for language, case_id in zip(LOCALES, case_ids, strict=False):
        context = chromium.new_context(base_url=address, locale=LOCALES[language])
        page = context.new_page()
        page.goto(f"/cases/{case_id}")
        enter(page, language)
        page.wait_for_load_state()
        context.clear_cookies()
        page.keyboard.press("c")

        expect(page.get_by_text(word(language, expired))).to_be_visible()
        enter(page, language)
        expect(page.get_by_text(word(language, "Case #%(number)s", number=case_id), exact=True)).to_be_visible()
        assert states(clean_database_url, [case_id]) == ["new"]
        carry_out = page.get_by_role("button", name=word(language, "Carry out now"))
        expect(carry_out).to_be_focused()
        page.keyboard.press("Enter")
        expect(page.locator(".done")).to_contain_text(word(language, "Confirmed"))
        assert states(clean_database_url, [case_id]) == ["confirmed"]
        context.close()


def test_keys_stay_letters_where_somebody_writes(
    chromium: Browser, address: str, clean_database_url: str, case_ids: list[int]
) -> None:
    context = chromium.new_context(base_url=address)
    page = logged_in(context, "/cases?sort=oldest")
    page.keyboard.press("/")
    page.keyboard.type("ccdj")

    expect(page.get_by_label("标题、网址或名称")).to_have_value("ccdj")
    assert states(clean_database_url, case_ids) == ["new"] * 5
    context.close()


def test_a_key_that_is_held_down_decides_one_case(
    chromium: Browser, address: str, clean_database_url: str, case_ids: list[int]
) -> None:
    context = chromium.new_context(base_url=address)
    page = logged_in(context, "/cases?sort=oldest")
    page.get_by_role("link", name="我方第1篇").click()
    opened(page, case_ids[0])
    page.keyboard.down("c")
    opened(page, case_ids[1])
    for _ in range(3):
        page.keyboard.down("c")
    page.keyboard.up("c")
    page.keyboard.press("j")
    opened(page, case_ids[2])

    assert states(clean_database_url, case_ids) == ["confirmed", "new", "new", "new", "new"]
    context.close()


def test_without_scripts_everything_is_a_button(
    chromium: Browser, address: str, clean_database_url: str, case_ids: list[int]
) -> None:
    context = chromium.new_context(base_url=address, java_script_enabled=False)
    page = logged_in(context, "/cases?sort=oldest")
    page.get_by_role("link", name="我方第1篇").click()
    page.get_by_role("button", name="不是我方文章").click()
    opened(page, case_ids[1])
    page.get_by_role("button", name="撤销").click()
    opened(page, case_ids[0])
    page.get_by_role("button", name="确认抄袭").click()
    opened(page, case_ids[1])
    page.goto("/cases?sort=oldest")
    page.locator("input[name=case]").first.check()
    page.get_by_role("button", name="确认抄袭").click()

    expect(page.locator(".done")).to_contain_text("已确认")
    assert states(clean_database_url, case_ids) == ["confirmed", "confirmed", "new", "new", "new"]
    context.close()
