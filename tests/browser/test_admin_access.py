"""Every page of the desk by axe: no serious violation, in both languages, at both widths, empty and filled."""

from collections import defaultdict
from typing import Literal

import pytest
from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]
from playwright.sync_api import Browser, BrowserContext, Page, ViewportSize

from admin.app import create_app
from admin.web.services import Services
from storage.engine import make_engine
from storage.types import AccountRole
from tests.browser.desk_process import desk_process
from tests.browser.languages import enter
from tests.support.desk_client import NAME, add_person
from tests.support.desk_world import fill, routes

SEVERE = ("serious", "critical")
SEVERE_VIOLATIONS = """async (severe) => {
  const rules = axe._audit.rules.filter((one) => !severe.includes(one.impact));
  const found = await axe.run({
    resultTypes: ["violations"], preload: false, rules: Object.fromEntries(rules.map(({id}) => [id, {enabled: false}])),
  });
  return found.violations.flatMap((one) => one.nodes.map((node) => `${one.id} ${node.target}`));
}"""
"""By all rules that axe has on and that can find such: what a rule finds is as severe as axe says the rule is. What axe
would load before, all style sheets and sounds once more, is for two rules: one that it has off, and one about sounds
that play by themselves, which is none of the severe.
"""
NO_PAGES = frozenset(
    {
        *("analysis.network", "exports.download", "evidence.bundle", "evidence.pdf", "imports.progress"),
        *("runs.progress", "letterhead.seal", "sent_letters.pdf", "sent_letters.text"),
        *("check_results.file", "check_results.progress", "certificates.document"),
        *("evidence.package", "evidence.package_signature", "evidence.witnesses", "notices.file"),
        "notice_acts.sent_file",
    }
)
"""What they answer is a file, or a part of a page that is looked at whole."""
DESK, PHONE = ViewportSize(width=1280, height=800), ViewportSize(width=360, height=740)
A4 = ViewportSize(width=718, height=1047)
"""Upright, without the margins."""
PRINTED_WRONGLY = """() => {
  const seen = (one) => one.checkVisibility() && one.getClientRects().length > 0;
  const rows = [...document.querySelectorAll(".table > tbody > tr")].filter(seen);
  const wrong = [...document.querySelectorAll("button, .btn")].filter(seen).map((one) => one.textContent.trim());
  if (rows.some((row) => getComputedStyle(row).display !== "table-row")) wrong.push("a row that is none");
  if (document.documentElement.scrollWidth > window.innerWidth) wrong.push("wider than the paper");
  return [...new Set(wrong)];
}"""


def paths(database_url: str, *, filled: bool) -> list[str]:
    """All pages there are, by the app's own map; of an empty desk those that are about nothing in particular."""
    engine = make_engine(database_url)
    person = add_person(engine, role=AccountRole.ADMINISTRATOR)
    values = fill(engine, person) if filled else defaultdict(lambda: "1")
    app = create_app(Services(engine=engine, secret_key="for tests"))
    found = [route for route in routes(app, values) if route.reads and route.rule.endpoint not in NO_PAGES]
    engine.dispose()
    return [route.path for route in found if filled or route.path == route.rule.rule]


def page_with_axe(context: BrowserContext) -> Page:
    page = context.new_page()
    # Half a megabyte, sent once and not for each page that is looked at.
    page.add_init_script(Axe().axe_script)
    return page


def violations(page: Page, path: str) -> list[str]:
    page.goto(path)
    found: list[str] = page.evaluate(SEVERE_VIOLATIONS, SEVERE)
    if page.evaluate("document.documentElement.scrollWidth > window.innerWidth"):
        found.append("wider than its window")
    return [f"{path}: {one}" for one in found]


@pytest.mark.parametrize(
    ("language", "size", "scheme", "filled"),
    [
        ("zh", DESK, "light", True),
        ("en", PHONE, "dark", True),
        ("zh", PHONE, "dark", False),
    ],
    ids=["desk", "phone", "empty"],
)
def test_no_page_has_a_serious_violation(
    chromium: Browser,
    clean_database_url: str,
    language: str,
    size: ViewportSize,
    scheme: Literal["light", "dark"],
    filled: bool,
) -> None:
    wanted = paths(clean_database_url, filled=filled)
    assert len(wanted) > 10
    with desk_process(clean_database_url) as (address, _process):
        context = chromium.new_context(viewport=size, base_url=address, color_scheme=scheme)
        page = page_with_axe(context)
        found = violations(page, "/login")
        enter(page, language)
        for path in (*wanted, "/no-such-page"):
            found += violations(page, path)
        context.close()

    assert found == []


def test_on_paper_tables_stay_tables_and_nothing_asks_to_be_clicked(chromium: Browser, clean_database_url: str) -> None:
    wanted = paths(clean_database_url, filled=True)
    with desk_process(clean_database_url) as (address, _process):
        context = chromium.new_context(viewport=A4, base_url=address)
        page = context.new_page()
        page.goto("/login")
        enter(page, "zh")
        page.emulate_media(media="print")
        found = {path: printed_wrongly(page, path) for path in wanted}
        context.close()

    assert {path: wrong for path, wrong in found.items() if wrong} == {}


def printed_wrongly(page: Page, path: str) -> list[str]:
    page.goto(path)
    wrong: list[str] = page.evaluate(PRINTED_WRONGLY)
    return wrong


def test_everybody_reaches_the_account_from_a_phone(chromium: Browser, clean_database_url: str) -> None:
    paths(clean_database_url, filled=False)
    with desk_process(clean_database_url) as (address, _process):
        context = chromium.new_context(viewport=PHONE, base_url=address)
        page = context.new_page()
        page.goto("/login")
        enter(page, "zh")
        page.get_by_role("link", name=NAME).click()
        page.wait_for_url("**/account")
        context.close()


@pytest.mark.parametrize(
    ("broken", "named"),
    [
        ("<img src='x'>", "image-alt img"),
        ("<p style='color: #ccc; background: #fff'>faint</p>", "color-contrast p"),
        ("<button></button>", "button-name button"),
        ("<input>", "label input"),
        ("<p style='width: 3000px'>wide</p>", "wider than its window"),
        ("<h6>deep</h6>", None),
    ],
)
def test_what_is_wrong_is_found(chromium: Browser, broken: str, named: str | None) -> None:
    context = chromium.new_context(viewport=PHONE)
    page = page_with_axe(context)
    html = f"<html lang=en><title>t</title><main><h1>t</h1>{broken}</main></html>"
    page.route("http://page.example/", lambda route: route.fulfill(body=html, content_type="text/html"))

    assert violations(page, "http://page.example/") == ([f"http://page.example/: {named}"] if named else [])
    context.close()
