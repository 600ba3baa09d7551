"""A reviewer's first minutes: log in, look through the list, open a hit, follow a passage."""

from collections.abc import Iterator
from dataclasses import replace

import pytest
from playwright.sync_api import Browser, Page, expect

from storage.engine import make_engine, transaction
from storage.records.differences import Differences
from storage.records.matches import Passage
from tests.browser.desk_process import desk_process
from tests.support.desk_client import COPY, NAME, PASSWORD, SOURCE, add_person, store_hit

FILLER = "河水涨了又落，桥下的石头一年比一年圆。" * 60
SHARED = ("老桥修好了，来往的人又多了起来。", "河边的茶馆开了门，说书的先生也回来了。", "县里说，明年还要修一座新桥。")
SWAPPED = "县里说，明年还要修一坐新桥。"


def texts_and_passages() -> tuple[str, str, list[Passage]]:
    """Three passages far apart, in reverse order in the source; one character of the last was swapped."""
    parts = (SHARED[0], SHARED[1], SWAPPED)
    copy = "\n".join(f"{part}\n{FILLER}" for part in parts)
    source = "\n".join(f"{FILLER}\n{part}" for part in reversed(SHARED))
    passages = [
        Passage(
            *(copy.index(part), copy.index(part) + len(part)),
            *(source.index(shared), source.index(shared) + len(shared)),
            similarity=0.97,
            differences=Differences(homophone=int(part is SWAPPED)),
        )
        for part, shared in zip(parts, SHARED, strict=True)
    ]
    return copy, source, passages


@pytest.fixture
def address(clean_database_url: str) -> Iterator[str]:
    engine = make_engine(clean_database_url)
    copy, source, passages = texts_and_passages()
    add_person(engine)
    with transaction(engine) as session:
        store_hit(session, copy=replace(COPY, text=copy), source=replace(SOURCE, text=source), passages=passages)
    engine.dispose()
    with desk_process(clean_database_url) as (address, _process):
        yield address


@pytest.fixture
def page(chromium: Browser, address: str) -> Iterator[Page]:
    """A page at the log-in; whatever the browser complains about fails the test."""
    context = chromium.new_context(viewport={"width": 1280, "height": 800}, base_url=address)
    page = context.new_page()
    complaints: list[str] = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
    page.goto("/")
    yield page
    context.close()
    assert complaints == []


def log_in(page: Page) -> None:
    page.get_by_label("用户名").fill(NAME)
    page.get_by_label("密码").fill(PASSWORD)
    page.get_by_role("button", name="登录").click()


def open_hit(page: Page) -> None:
    log_in(page)
    page.get_by_role("link", name="命中", exact=True).first.click()
    page.get_by_role("link", name="老桥又通了").click()
    # Loaded, and not only asked for: keys pressed before the script runs are lost.
    page.wait_for_url("**/hits/*")


TOP_IS_INSIDE_ITS_PANE = """id => {
    const element = document.getElementById(id);
    const pane = element.closest(".pane").getBoundingClientRect();
    const top = element.getBoundingClientRect().top;
    return top >= pane.top - 1 && top < pane.bottom;
}"""


def is_in_view(page: Page, passage: str) -> bool:
    return bool(page.evaluate(TOP_IS_INSIDE_ITS_PANE, passage))


def wait_until_in_view(page: Page, passage: str) -> None:
    page.wait_for_function(TOP_IS_INSIDE_ITS_PANE, arg=passage)


def test_a_reviewer_logs_in_and_follows_a_passage_to_its_source(page: Page) -> None:
    open_hit(page)
    expect(page.get_by_text("可能是转载")).to_be_visible()
    assert not is_in_view(page, "s1"), "its partner is at the end of the other text"

    page.locator("#c1").click(position={"x": 100, "y": 10})

    wait_until_in_view(page, "s1")
    expect(page.locator("#s1")).to_have_class("passage is-current")
    expect(page.locator("#c1")).to_have_class("passage is-current")
    assert page.url.endswith("#c1")


def test_a_hit_is_opened_from_the_list_by_keys(page: Page) -> None:
    open_hit(page)
    page.goto("/hits")
    page.keyboard.press("j")
    expect(page.locator("[data-row] a.title").first).to_be_focused()
    expect(page.locator("#row-words")).to_have_text("第 1 行，共 1 行")
    page.keyboard.press("o")
    page.wait_for_url("**/hits/*")


def test_the_keyboard_goes_from_passage_to_passage(page: Page) -> None:
    open_hit(page)

    page.keyboard.press("n")
    page.keyboard.press("n")
    page.keyboard.press("n")
    wait_until_in_view(page, "c3")
    wait_until_in_view(page, "s3")
    expect(page.locator("#c3 .d-homophone")).to_have_text("坐")
    assert "座" in (page.locator("#c3 .d-homophone").get_attribute("title") or "")

    page.keyboard.press("p")
    wait_until_in_view(page, "c2")
    expect(page.locator(".chip.is-current")).to_have_text("2")


def test_buttons_and_the_picture_lead_to_passages(page: Page) -> None:
    open_hit(page)

    page.get_by_role("button", name="下一处").click()
    wait_until_in_view(page, "s1")
    page.get_by_role("button", name="下一处").click()
    wait_until_in_view(page, "c2")
    page.get_by_role("button", name="上一处").click()
    wait_until_in_view(page, "c1")

    page.locator('.minimap [data-passage="3"] .tie-copy').click()
    wait_until_in_view(page, "c3")
    wait_until_in_view(page, "s3")
    expect(page.locator(".chip.is-current")).to_have_text("3")


def test_only_what_matches_hides_the_rest(page: Page) -> None:
    open_hit(page)
    plain = page.locator("#pane-c .plain-text").last
    expect(plain).to_be_visible()

    page.locator("label", has_text="只看重合").click()
    expect(plain).to_be_hidden()
    expect(page.locator("#pane-c .skipped").first).to_be_visible()

    page.keyboard.press("m")
    expect(plain).to_be_visible()


def test_the_numbers_are_links_where_scripts_are_off(chromium: Browser, address: str) -> None:
    context = chromium.new_context(java_script_enabled=False, base_url=address)
    page = context.new_page()
    page.goto("/")
    open_hit(page)

    page.locator("#c1 .number").click()

    expect(page.locator("#s1")).to_be_in_viewport()
    expect(page.get_by_role("button", name="下一处")).to_be_hidden()
    page.locator("label", has_text="只看重合").click()
    expect(page.locator("#pane-c .plain-text").last).to_be_hidden()
    context.close()


def test_the_language_can_be_switched_on_any_page(page: Page) -> None:
    open_hit(page)
    here = page.url

    page.get_by_role("button", name="English").click()

    expect(page.get_by_text("Probably the copy")).to_be_visible()
    assert page.url == here


def test_no_page_is_wider_than_its_window(page: Page) -> None:
    page.set_viewport_size({"width": 360, "height": 740})
    log_in(page)
    page.get_by_role("button", name="English").click()
    for path in (
        *("/", "/cases?tab=all", "/letters", "/hits", "/hits/1", "/retellings", "/discovery", "/pages", "/pages/1"),
        *("/pages/1/story", "/why?left=1&right=2", "/sites", "/runs", "/analysis", "/alerts", "/check"),
    ):
        page.goto(path)
        for width in (360, 390, 768, 1024, 1280):
            page.set_viewport_size({"width": width, "height": 740})
            assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"), (path, width)
