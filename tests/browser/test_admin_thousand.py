"""A desk with more than a thousand cases, in a browser: a morning by keys and by mouse, in both languages."""

import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Locator, Page, expect

from benchmarks.desk.case_rows import CaseOf
from benchmarks.desk.fill import NAME, PASSWORD, fill
from benchmarks.desk.world import World
from storage.cases.bulk_moves import states_of
from storage.engine import make_engine, transaction
from storage.records.case_states import WAITING_STATES
from storage.types import CaseState, MatchKind
from tests.browser.desk_process import desk_process
from tests.browser.languages import LOCALES, word
from tests.support.store.new_database import database

WORLD: Final = World(pages=5_000, matches=1_700, seed=3)
LEAST: Final = 1_000
DECIDED: Final = 50
_DECIDED: Final = frozenset({CaseState.CONFIRMED, CaseState.DISMISSED, CaseState.NOTIFIED, CaseState.REMOVED})
SHOWN: Final = 50
"""Cases on one page of the list."""


@dataclass(frozen=True, slots=True)
class Filled:
    url: str
    cases: tuple[CaseOf, ...]
    """By index from 0; their ids begin with 1."""


@pytest.fixture(scope="module")
def filled(server_url: str, template_url: str) -> Iterator[Filled]:
    with database(server_url, template=template_url) as url:
        engine = make_engine(url)
        cases = fill(engine, WORLD, progress=lambda _what, _done, _whole: None)
        engine.dispose()
        assert len(cases.cases) > LEAST
        yield Filled(url, cases.cases)


@dataclass(frozen=True, slots=True)
class Desk:
    """The browser of an editor who reads `language`."""

    page: Page
    language: str
    url: str
    """Address of the database."""
    colleague: Callable[[str], Page]
    """The list of cases in the browser of somebody else, logged in under this name."""

    def states(self, case_ids: list[int]) -> "Counter[CaseState]":
        engine = make_engine(self.url)
        with transaction(engine) as session:
            found = Counter(states_of(session, case_ids).values())
        engine.dispose()
        return found

    def word(self, english: str) -> str:
        return word(self.language, english)

    def tab(self, english: str) -> Locator:
        return self.page.locator(".tabs a", has_text=self.word(english))

    def in_tab(self, english: str) -> int:
        return int(re.sub(r"\D", "", self.tab(english).locator("b").inner_text()))


@pytest.fixture(params=["zh", "en"])
def desk(request: pytest.FixtureRequest, chromium: Browser, server_url: str, filled: Filled) -> Iterator[Desk]:
    """Logged in, on a copy of the store; whatever the browser complains about fails the test."""
    language, complaints = request.param, list[str]()
    with database(server_url, template=filled.url) as url, desk_process(url) as (address, _process):

        def logged_in(name: str) -> Page:
            context = chromium.new_context(
                viewport={"width": 1280, "height": 800}, base_url=address, locale=LOCALES[language]
            )
            page = context.new_page()
            page.on("pageerror", lambda error: complaints.append(str(error)))
            page.on("console", lambda message: complaints.append(message.text) if _is_complaint(message) else None)
            page.goto("/cases")
            page.get_by_label(word(language, "Name"), exact=True).fill(name)
            page.get_by_label(word(language, "Password"), exact=True).fill(PASSWORD)
            page.get_by_role("button", name=word(language, "Log in")).click()
            page.wait_for_url("**/cases")
            return page

        page = logged_in(NAME)
        yield Desk(page, language, url, logged_in)
        for context in chromium.contexts:
            context.close()
    assert complaints == []


def test_fifty_of_a_thousand_are_decided_by_keys_and_fifty_by_mouse(desk: Desk) -> None:
    page, waiting, every = desk.page, desk.in_tab("To review"), desk.in_tab("All")
    assert every > LEAST // 2
    page.keyboard.press("j")
    page.keyboard.press("Enter")
    by_keys = decided(page, lambda number: page.keyboard.press("cC"[number % 2]))  # as with Caps Lock on
    page.keyboard.press("u")
    page.wait_for_url(lambda url: _case(url) in by_keys)
    assert desk.states(by_keys)[CaseState.CONFIRMED] == DECIDED - 1
    page.goto("/cases")
    assert desk.in_tab("To review") == waiting - DECIDED + 1

    page.locator("[data-row] a.title").first.click()
    quotation = page.get_by_role("button", name=desk.word("Fair quotation"))
    by_mouse = decided(page, lambda _number: quotation.click())
    assert desk.states(by_mouse) == {CaseState.DISMISSED: DECIDED}
    page.goto("/cases")
    assert desk.in_tab("To review") == waiting - 2 * DECIDED + 1
    assert desk.in_tab("All") == every


def decided(page: Page, decide: Callable[[int], None]) -> list[int]:
    """The cases that were decided one after the other, each by one act, with text and button in view."""
    seen: list[int] = []
    for number in range(DECIDED):
        page.wait_for_url(lambda url: "/cases/" in url and _case(url) not in seen)
        page.wait_for_load_state()
        seen.append(_case(page.url))
        expect(page.locator("#pane-c .passage").first).to_be_in_viewport()
        expect(page.locator("[data-key=c]")).to_be_in_viewport()
        decide(number)
    page.wait_for_url(lambda url: _case(url) not in seen)
    page.wait_for_load_state()
    return seen


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


def test_a_text_that_many_have_is_set_aside_and_withdrawn(desk: Desk, filled: Filled) -> None:
    page = desk.page
    cases = dict(enumerate(filled.cases, start=1))
    waiting = {number: case for number, case in cases.items() if case.state is CaseState.NEW}
    by_story = Counter(case.ours for case in cases.values() if case.state in WAITING_STATES)
    whole = [number for number, case in waiting.items() if case.strongest.kind is MatchKind.IDENTICAL]
    chosen = max(whole, key=lambda number: by_story[cases[number].ours])
    of_story = [number for number, case in cases.items() if case.ours == cases[chosen].ours]
    before = desk.states(of_story)
    page.goto(f"/cases/{chosen}")
    page.locator("details.never-again > summary").click()
    page.locator(".passage-links a").first.click()
    page.locator("select[name=scope]").select_option("everywhere")
    page.locator("button[value=preview]").click()
    expect(page.locator("select[name=scope]")).to_have_value("everywhere")
    withdrawn = int(page.locator(".verdict-figures dd").nth(2).inner_text())
    assert withdrawn == by_story[cases[chosen].ours] > 1
    assert desk.states(of_story) == before

    page.locator("input[name=sure]").check()
    page.locator("button[value=set-aside]").click()
    page.wait_for_url(re.compile(r"/set-aside/\d+$"))
    after = desk.states(of_story)
    assert after[CaseState.WITHDRAWN] == before[CaseState.WITHDRAWN] + withdrawn
    assert {state: after[state] for state in _DECIDED} == {state: before[state] for state in _DECIDED}
    page.locator("form[action$=withdraw] button").click()
    page.wait_for_load_state()
    assert desk.states(of_story) == before


def test_two_people_on_one_list_overwrite_nothing_of_each_other(desk: Desk) -> None:
    mine, waiting = desk.page, desk.in_tab("To review")
    theirs = desk.colleague("审核员1")
    for page in (mine, theirs):
        page.locator("#tick-all").click()
    ticked = mine.locator("[data-row] input[name=case]").evaluate_all("boxes => boxes.map(box => box.value)")
    of_both = [int(value.partition(":")[0]) for value in ticked]
    mine.locator(".bulk button[value=dismissed]").click()
    expect(mine.get_by_role("status").filter(has_text=str(SHOWN)).first).to_be_visible()
    theirs.locator(".bulk button[value=confirmed]").click()
    expect(theirs.get_by_role("status").filter(has_text=f"#{min(of_both)}").first).to_be_visible()
    assert desk.states(of_both) == {CaseState.DISMISSED: SHOWN}

    for page in (mine, theirs):
        page.goto("/cases")
        page.locator("[data-row] a.title").first.click()
        page.wait_for_url("**/cases/*")
    once = _case(mine.url)
    assert once == _case(theirs.url)
    theirs.keyboard.press("c")
    theirs.wait_for_url(lambda url: _case(url) not in {0, once})
    mine.keyboard.press("3")
    expect(mine.get_by_role("alert").filter(has_text="审核员1")).to_be_visible()
    assert desk.states([once]) == {CaseState.CONFIRMED: 1}
    mine.goto("/cases")
    assert desk.in_tab("To review") == waiting - SHOWN - 1


def test_on_a_phone_nothing_is_wider_than_the_window(desk: Desk) -> None:
    width = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
    desk.page.set_viewport_size({"width": 390, "height": 844})
    for path in ("/", "/cases", "/cases?tab=all", "/cases/pages", "/hits", "/analysis"):
        desk.page.goto(path)
        assert desk.page.evaluate(width) <= 0, path


def _is_complaint(message: ConsoleMessage) -> bool:
    """An error, but for the answer that somebody else was first (409), which is what a test may look for."""
    return message.type == "error" and "409" not in message.text


def _case(url: str) -> int:
    found = re.search(r"/cases/(\d+)", url)
    return int(found[1]) if found else 0
