"""A text pasted with its formatting is checked, read where it stands elsewhere, and kept."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from storage.engine import make_engine, transaction
from tests.browser.desk_process import desk_process
from tests.support.desk_client import NAME, PASSWORD, add_person
from tests.support.factories import an_article, save, story

PATIENCE_MS = 180_000

PUT_ON_THE_CLIPBOARD = """async ([html, plain]) => {
    const item = new ClipboardItem({
        "text/html": new Blob([html], { type: "text/html" }),
        "text/plain": new Blob([plain], { type: "text/plain" }),
    });
    await navigator.clipboard.write([item]);
}"""


@pytest.fixture
def address(clean_database_url: str) -> Iterator[str]:
    engine = make_engine(clean_database_url)
    add_person(engine)
    with transaction(engine) as session:
        save(session, an_article("https://ours.example/story", story(), title="老桥修好了"))
    engine.dispose()
    with desk_process(clean_database_url) as (address, _process):
        yield address


@pytest.fixture
def page(chromium: Browser, address: str) -> Iterator[Page]:
    """The form of the check, and proof that its scripts and its policy get on."""
    context = chromium.new_context(base_url=address, permissions=["clipboard-read", "clipboard-write"])
    complaints: list[str] = []
    page = context.new_page()
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
    page.goto("/login")
    page.get_by_label("用户名").fill(NAME)
    page.get_by_label("密码").fill(PASSWORD)
    page.get_by_role("button", name="登录").click()
    page.get_by_role("link", name="查重", exact=True).click()
    page.wait_for_url("**/check")
    page.wait_for_load_state()
    yield page
    context.close()
    assert complaints == []


def paste(page: Page, html: str, plain: str) -> None:
    page.evaluate(PUT_ON_THE_CLIPBOARD, [html, plain])
    page.get_by_label("粘贴文字").focus()
    page.keyboard.press("ControlOrMeta+V")


def press(page: Page, name: str) -> None:
    """The first check loads the dictionaries, which takes a busy machine its time."""
    with page.expect_navigation(timeout=PATIENCE_MS):
        page.get_by_role("button", name=name, exact=True).click()


def test_a_formatted_text_is_pasted_checked_and_kept(page: Page) -> None:
    lines = "".join(f"<p><b>{line[:3]}</b>{line[3:]}</p>" for line in story().splitlines())
    paste(page, lines, "the plain words say nothing")
    expect(page.get_by_label("粘贴文字")).to_have_value("the plain words say nothing")

    press(page, "查重")

    expect(page.get_by_role("heading", level=1)).to_have_text("大部分重复")
    page.locator("a.src-swatch", has_text="1").first.click()
    expect(page.locator("#source-1")).to_be_in_viewport()
    expect(page.locator("#source-1 .pairs td").first).to_contain_text(story().splitlines()[0][:12])

    page.get_by_label("文集").fill("春季征文")
    page.get_by_label("作者").fill("李四")
    press(page, "保存")
    expect(page.get_by_text("已保存。今后提交到该文集的文章都会与它比对。")).to_be_visible()


def test_a_result_is_counted_anew_at_once_and_opened_again(page: Page) -> None:
    page.get_by_label("粘贴文字").fill(story())
    press(page, "查重")
    address = page.url
    assert "/check/results/" in address
    expect(page.get_by_role("status").first).to_contain_text("99%")
    page.evaluate("window.kept = true")

    page.get_by_label("不计 1").check()

    expect(page.get_by_role("status").first).to_contain_text(re.compile(r"^\s*0%"))
    expect(page.get_by_label("不计 1")).to_be_focused()
    assert page.evaluate("window.kept"), "without a reload"
    assert page.url == f"{address}?without=1"
    expect(page.locator(".painted .of-source")).to_have_count(0)
    page.reload()
    expect(page.get_by_label("不计 1")).to_be_checked()
    page.get_by_role("link", name="全部计入").click()
    expect(page.locator(".painted .src-number").first).to_have_text("1")

    page.get_by_role("link", name="我的查重结果").click()
    page.locator("td.party a.title").first.click()
    page.wait_for_url(address)
    page.get_by_role("button", name="立即删除").click()
    expect(page.get_by_text("文章及其结果已删除。")).to_be_visible()


def test_what_was_changed_after_pasting_is_what_is_checked(page: Page) -> None:
    paste(page, "<p>" + story().replace("\n", "</p><p>") + "</p>", "抄来的文字")
    expect(page.get_by_label("粘贴文字")).to_have_value("抄来的文字")
    page.get_by_label("粘贴文字").fill("我重新写了一句自己的话，跟库里的什么都不一样，这一句只有我会这么写。" * 3)

    press(page, "查重")

    expect(page.get_by_role("heading", level=1)).not_to_have_text("大部分重复")
