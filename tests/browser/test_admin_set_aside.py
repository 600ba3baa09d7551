"""Never again: a passage is set aside by keyboard and without scripts, and the cases that rest on it are gone."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from matcher.worker.backlog import work_off
from storage.cases import listing
from storage.engine import make_engine, transaction
from storage.matches import hits
from storage.types import AccountRole, CaseState, Rights, SiteRole
from tests.browser.desk_process import desk_process
from tests.support.desk_client import NAME, PASSWORD, add_person
from tests.support.factories import a_site, an_article, save, story, text_of

PARAGRAPH = story()[:260]
OURS = range(1, 7)


def around(number: int) -> str:
    text = text_of(number, chars=900)
    return f"{text[:450]}\n{PARAGRAPH}\n{text[450:]}"


@pytest.fixture
def hit_id(clean_database_url: str) -> int:
    """A hit of one page that holds a paragraph of six articles of ours, each of which has a case."""
    engine = make_engine(clean_database_url)
    add_person(engine, role=AccountRole.REVIEWER)
    with transaction(engine) as session:
        ours = a_site(
            session, "河畔日报", owner="河畔社", role=SiteRole.ORIGINAL, host="ours.example", rights=Rights.OWN
        )
        other = a_site(session, "抄写网", owner="抄写公司", host="other.example")
        mine = [an_article(f"https://ours.example/{n}", around(n), site_id=ours.id, title=f"河畔第{n}篇") for n in OURS]
        theirs = an_article("https://other.example/1", around(99), hours=2, site_id=other.id, title="抄写网首页推荐")
        save(session, *mine, theirs)
    assert work_off(engine, should_stop=lambda: False).failed == 0
    with transaction(engine) as session:
        found = hits.list_hits(session)[0].id
    engine.dispose()
    return found


@pytest.fixture
def address(clean_database_url: str, hit_id: int) -> Iterator[str]:
    assert hit_id
    with desk_process(clean_database_url) as (address, _process):
        yield address


def entered(page: Page, path: str) -> None:
    page.goto(path)
    page.get_by_label("用户名").fill(NAME)
    page.get_by_label("密码").fill(PASSWORD)
    page.get_by_role("button", name="登录").click()
    page.wait_for_url(re.compile(re.escape(path)))


def states(database_url: str) -> set[CaseState]:
    engine = make_engine(database_url)
    with transaction(engine) as session:
        found = {case.state for case in listing.list_cases(session)}
    engine.dispose()
    return found


@pytest.mark.parametrize("scripts", [True, False], ids=["by keys", "without scripts"])
def test_a_passage_is_set_aside_and_withdrawn(
    chromium: Browser, address: str, clean_database_url: str, hit_id: int, scripts: bool
) -> None:
    context = chromium.new_context(
        base_url=address, java_script_enabled=scripts, viewport={"width": 390, "height": 844}
    )
    page = context.new_page()
    entered(page, f"/hits/{hit_id}")
    page.locator("details.never-again > summary").focus()
    page.keyboard.press("Enter")
    page.locator(".passage-links a").first.focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="受影响的命中和案件")).to_be_visible()
    expect(page.get_by_text("撤回案件").first).to_be_visible()
    assert states(clean_database_url) == {CaseState.NEW}

    page.get_by_role("button", name="设为套话").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_text("已设为套话")).to_be_visible()
    assert states(clean_database_url) == {CaseState.WITHDRAWN}

    page.get_by_role("button", name="撤回").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_text("已撤回，恢复案件 6 件")).to_be_visible()
    assert states(clean_database_url) == {CaseState.NEW}
    context.close()
