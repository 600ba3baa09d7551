"""The whole morning of a reviewer, on the demo's data and in both languages: from the log-in to the evidence."""

import io
import re
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from storage.desk import dashboard
from storage.engine import make_engine, transaction
from storage.matches import hits as match_hits
from storage.pages import pages
from tests.browser.desk_process import desk_process
from tests.browser.languages import word
from tests.support.desk_client import NAME, PASSWORD, add_person
from tests.support.store.new_database import database
from zhiwen.config.settings import Settings
from zhiwen.demo.run import run_demo
from zhiwen.demo.server import serving

PATIENCE_MS: Final = 120_000
"""A busy machine may take its time over the dictionaries and a PDF; nothing is measured here."""

ADDED: Final = "Fu Rao, editor"
TITLE: Final = "顺河茶馆：五毛钱一碗茶，卖了三十八年"
COPIED_AS: Final = "五毛钱一碗茶，这家老茶馆开了三十八年"


@dataclass(frozen=True, slots=True)
class Demo:
    database_url: str
    home: Path


@pytest.fixture(scope="module")
def demo(server_url: str, template_url: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Demo]:
    """The demo's sites, crawled and compared, and a reviewer who was here yesterday evening."""
    home = tmp_path_factory.mktemp("home")
    with database(server_url, template=template_url) as url:
        engine = make_engine(url)
        with serving() as addresses:
            run_demo(engine, url, Settings(home=home), addresses)
        reviewer = add_person(engine)
        with transaction(engine) as session:
            dashboard.note_visit(session, reviewer.id, datetime.now(UTC) - timedelta(hours=15))
        engine.dispose()
        yield Demo(url, home)


@pytest.fixture(scope="module", autouse=True)
def patience() -> Iterator[None]:
    expect.set_options(timeout=PATIENCE_MS)
    yield
    expect.set_options(timeout=None)


def _case_in(url: str) -> int:
    found = re.search(r"/cases/(\d+)(?:\?|$)", url)
    return int(found[1]) if found else 0


@dataclass(frozen=True, slots=True)
class Desk:
    """The browser of somebody who reads `language`: words are asked for in English and looked for in hers."""

    page: Page
    language: str
    text_of_the_copy: str

    def word(self, english: str, **values: object) -> str:
        return word(self.language, english, **values)

    def button(self, english: str) -> Locator:
        return self.page.get_by_role("button", name=self.word(english), exact=True)

    def field(self, english: str) -> Locator:
        return self.page.get_by_label(self.word(english))

    def menu(self, english: str) -> None:
        menu = self.page.get_by_role("navigation").first
        with self.page.expect_navigation():
            menu.get_by_role("link", name=self.word(english), exact=True).click()

    def tab(self, english: str) -> None:
        with self.page.expect_navigation():
            self.page.locator(".tabs a", has_text=self.word(english)).click()

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)

    def case_number(self, after: int = 0) -> int:
        """Of the case whose page is there with its script, once it is no longer that of the case `after`."""
        self.page.wait_for_url(lambda url: _case_in(url) not in {0, after})
        self.page.wait_for_load_state()
        return _case_in(self.page.url)


@pytest.fixture(params=["zh", "en"])
def desk(request: pytest.FixtureRequest, chromium: Browser, server_url: str, demo: Demo) -> Iterator[Desk]:
    """The log-in page, on a copy of the demo's store; whatever the browser complains about fails the test."""
    complaints: list[str] = []
    with (
        database(server_url, template=demo.database_url) as url,
        desk_process(url, demo.home) as (address, _process),
    ):
        context = chromium.new_context(
            base_url=address,
            viewport={"width": 1280, "height": 800},
            permissions=["clipboard-read", "clipboard-write"],
            accept_downloads=True,
        )
        context.set_default_timeout(PATIENCE_MS)
        page = context.new_page()
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
        page.goto("/")
        yield Desk(page, request.param, _text_of_the_copy(url))
        context.close()
    assert complaints == []


def _text_of_the_copy(database_url: str) -> str:
    """What somebody sends who has it from the copying site."""
    engine = make_engine(database_url)
    with transaction(engine) as session:
        hits = match_hits.list_hits(session)
        (text_id,) = (hit.copy.text_id for hit in hits if hit.copy.title == COPIED_AS)
        text = pages.text_body(session, text_id)
    engine.dispose()
    assert text
    return text


def test_from_the_log_in_to_the_evidence(desk: Desk) -> None:
    log_in(desk)
    see_what_is_new(desk)
    decide_by_keys(desk)
    note_a_notice(desk)
    read_side_by_side(desk)
    take_the_evidence(desk)
    confirm(desk)
    write_the_letter(desk)
    put_a_case_off(desk)
    find_a_case_and_ask_a_colleague(desk)
    check_what_was_sent_in(desk)
    log_out(desk)


def log_in(desk: Desk) -> None:
    if desk.language == "en":
        desk.page.get_by_role("button", name="English", exact=True).click()
    desk.field("Name").fill(NAME)
    desk.field("Password").fill(PASSWORD)
    desk.button("Log in").click()
    expect(desk.page.get_by_role("button", name=desk.word("Log out"))).to_be_visible()
    expect(desk.page.locator("html")).to_have_attribute("lang", re.compile(f"^{desk.language}"))


def see_what_is_new(desk: Desk) -> None:
    main = desk.page.locator(".figure-main")
    expect(main).to_contain_text(desk.word("New since %(time)s", time="").strip())
    new = int(main.locator("dd").inner_text())
    assert new > 0
    with desk.page.expect_navigation():
        main.locator("dd a").click()
    expect(desk.page.locator("tr[data-row]")).to_have_count(new)
    expect(desk.page.get_by_role("link", name=TITLE)).to_be_visible()


def decide_by_keys(desk: Desk) -> None:
    """One is confirmed, the next dismissed; that was too quick, and it is allowed instead."""
    page, done = desk.page, desk.page.locator(".done")
    desk.menu("Cases")
    rows = page.locator("tr[data-row]").all_inner_texts()
    waiting = len(rows)
    # Cases are listed in the order in which they were found; the one that gets a letter later is not decided here.
    of_the_letter = next(number for number, row in enumerate(rows, 1) if TITLE in row)
    desk.press(*"j" * (2 if of_the_letter not in (2, 3, 4) else of_the_letter + 1), "o")
    first = desk.case_number()
    desk.press("c")
    second = desk.case_number(after=first)
    expect(done).to_contain_text(desk.word("Confirmed"))
    desk.press("2")
    third = desk.case_number(after=second)
    expect(done).to_contain_text(desk.word("Dismissed"))
    expect(done).to_contain_text(desk.word("Common wording"))
    desk.press("u")
    assert desk.case_number(after=third) == second
    expect(done).to_contain_text(desk.word("Confirmed"))  # the decision before: u once more would undo it
    desk.press("l")
    expect(page.locator("select[name=requires]")).to_be_focused()  # the condition comes first
    desk.button("Grant").press("Enter")
    assert desk.case_number(after=second) == third
    granted = desk.word(
        "Licence %(number)s for %(name)s created. Open cases closed: %(count)s.", number=1, name="\n", count=1
    )
    expect(page.get_by_role("status").filter(has_text=granted.partition("\n")[2])).to_be_visible()

    desk.menu("Cases")
    expect(page.locator("tr[data-row]")).to_have_count(waiting - 2)


def note_a_notice(desk: Desk) -> None:
    page = desk.page
    desk.tab("Confirmed")
    desk.press("j", "o")
    desk.case_number()
    desk.press("m")
    expect(desk.field("Recipient")).to_be_focused()
    desk.field("Recipient").fill("editor@copier.example")
    desk.field("Answer due").fill(f"{datetime.now(UTC) + timedelta(days=14):%Y-%m-%d}")
    with page.expect_navigation():
        desk.button("Save notice").click()
    expect(page.locator(".done")).to_contain_text(desk.word("Notified"))

    desk.tab("Notified")
    expect(page.locator("tr[data-row]")).to_have_count(1)


def read_side_by_side(desk: Desk) -> None:
    page = desk.page
    desk.tab("All")
    desk.press("/")
    page.keyboard.type(TITLE[:4])
    with page.expect_navigation():
        desk.press("Enter")
    expect(page.locator("tr[data-row]")).to_have_count(1)
    desk.press("j", "o")
    case = desk.case_number()
    expect(page.get_by_role("heading", level=1)).to_have_text(TITLE)
    desk.press("o")
    page.wait_for_url("**/hits/*")

    copy = page.get_by_role("region", name=desk.word("Text of the copy"))
    source = page.get_by_role("region", name=desk.word("Text of the source"))
    first_words = desk.text_of_the_copy[:12]
    expect(copy.locator(".passage").first).to_contain_text(first_words)
    expect(source.locator(".passage").first).to_contain_text(first_words)
    assert copy.locator(".d-homophone").count() > 10
    expect(page.locator(".toolbar").get_by_text(desk.word("Homophone"))).to_be_visible()
    desk.press("n")
    expect(copy.locator(".passage.is-current")).to_have_count(1)
    expect(source.locator(".passage.is-current")).to_have_count(1)
    desk.press("b")
    assert desk.case_number() == case


def take_the_evidence(desk: Desk) -> None:
    page = desk.page
    page.get_by_role("link", name=desk.word("Report"), exact=True).click()
    expect(page.get_by_role("main")).to_contain_text(COPIED_AS)

    report = downloaded(desk, desk.word("Save as HTML")).decode()
    assert TITLE in report
    assert COPIED_AS in report
    assert downloaded(desk, "PDF").startswith(b"%PDF-")
    with zipfile.ZipFile(io.BytesIO(downloaded(desk, desk.word("Evidence bundle")))) as bundle:
        assert bundle.testzip() is None
        names = bundle.namelist()
        assert any(name.endswith(".warc.gz") for name in names)
        texts = [bundle.read(name).decode() for name in names if name.endswith(".txt")]
    assert any(desk.text_of_the_copy in text for text in texts)
    page.go_back()
    desk.case_number()


def confirm(desk: Desk) -> None:
    """Unless it is the case confirmed above: they are listed in the order in which they were found."""
    page, url = desk.page, desk.page.url
    page.get_by_role("link", name=desk.word("Notice of infringement"), exact=True).click()
    expect(desk.field("Letter text (editable)")).to_be_visible()
    is_decided = page.locator("input[name=sure]").count() == 0
    page.goto(url)
    case = desk.case_number()
    if not is_decided:
        desk.press("c")
        page.wait_for_url("**/cases?*")  # the only case of this list: no other opens
        expect(page.locator(".done")).to_contain_text(desk.word("Confirmed"))
        page.goto(url)
        assert desk.case_number() == case


def write_the_letter(desk: Desk) -> None:
    """Of the case that was confirmed: the letter names the copy, and is saved as it was edited."""
    page = desk.page
    page.get_by_role("link", name=desk.word("Notice of infringement"), exact=True).click()
    letter = desk.field("Letter text (editable)")
    expect(letter).to_have_value(re.compile(re.escape(TITLE)))
    letter.press("ControlOrMeta+End")
    letter.press_sequentially(ADDED)
    expect(page.locator("input[name=sure]")).to_have_count(0)  # asked only about undecided cases
    with page.expect_download() as download:
        desk.button("Save as text").click()
    saved = Path(download.value.path()).read_bytes().decode("utf-8-sig")
    assert TITLE in saved
    assert saved.rstrip().endswith(ADDED)
    page.go_back()
    desk.case_number()


def put_a_case_off(desk: Desk) -> None:
    """By keys: it leaves the list, and stands in the list of what is put off."""
    page = desk.page
    desk.menu("Cases")
    waiting = page.locator("tr[data-row]").count()
    desk.press("j", "o")
    case = desk.case_number()
    desk.press("v")
    expect(page.locator("button[name=days]").first).to_be_focused()
    with page.expect_navigation():
        desk.press("Enter")
    desk.menu("Cases")
    expect(page.locator("tr[data-row]")).to_have_count(waiting - 1)
    desk.tab("Snooze")
    expect(page.locator("tr[data-row]")).to_contain_text(f"#{case}")


def find_a_case_and_ask_a_colleague(desk: Desk) -> None:
    """With the search box and no mouse; the name is proposed once an @ is typed."""
    page = desk.page
    desk.press("ControlOrMeta+k")
    page.keyboard.type(TITLE[:6])
    found = page.locator("dialog.find a[data-found]")
    expect(found.first).to_contain_text(TITLE)
    desk.press("ArrowDown", "Enter")
    desk.case_number()
    box = page.locator("#comment")
    desk.press(".")
    expect(box).to_be_focused()
    page.keyboard.type(f"@{NAME[:1]}")
    desk.press("ArrowDown", "Enter")
    expect(box).to_have_value(f"@{NAME} ")
    page.keyboard.type("?")
    with page.expect_navigation():
        desk.button("Comment").click()
    expect(page.locator(".comment")).to_contain_text(f"@{NAME} ?")


def downloaded(desk: Desk, link: str) -> bytes:
    with desk.page.expect_download() as download:
        desk.page.get_by_role("link", name=link, exact=True).click()
    return Path(download.value.path()).read_bytes()


def check_what_was_sent_in(desk: Desk) -> None:
    page = desk.page
    desk.menu("Check")
    page.evaluate("text => navigator.clipboard.writeText(text)", desk.text_of_the_copy)
    desk.field("Paste the text").focus()
    desk.press("ControlOrMeta+V")
    expect(desk.field("Paste the text")).to_have_value(re.compile(re.escape(desk.text_of_the_copy[:40])))
    with page.expect_navigation():
        desk.button("Check").click()
    expect(page.get_by_role("heading", level=1)).to_have_text(desk.word("Mostly found elsewhere"))
    expect(page.locator(".source").filter(has_text=TITLE).first).to_be_visible()


def log_out(desk: Desk) -> None:
    desk.button("Log out").click()
    expect(desk.button("Log in")).to_be_visible()
    desk.page.goto("/cases")
    expect(desk.button("Log in")).to_be_visible()
