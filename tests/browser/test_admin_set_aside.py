"""Never again: a passage is set aside by keyboard and without scripts, and the cases that rest on it are gone."""

from collections.abc import Iterator
from dataclasses import dataclass

import pytest
from playwright.sync_api import Browser, expect
from sqlalchemy import Engine

from matcher.worker.backlog import work_off
from storage.cases import listing
from storage.engine import make_engine, transaction
from storage.matches import hits
from storage.types import AccountRole, CaseState, Rights, SiteRole
from tests.browser.desk_process import desk_process
from tests.browser.languages import enter, word
from tests.support.desk_client import add_person
from tests.support.factories import a_site, an_article, save, story, text_of
from tests.support.store.new_database import database

PARAGRAPH = story()[:260]
OURS = range(1, 7)


def around(number: int) -> str:
    text = text_of(number, chars=900)
    return f"{text[:450]}\n{PARAGRAPH}\n{text[450:]}"


@dataclass(frozen=True, slots=True)
class Desk:
    address: str
    database_url: str
    hit_id: int

    def states(self) -> set[CaseState]:
        engine = make_engine(self.database_url)
        with transaction(engine) as session:
            found = {case.state for case in listing.list_cases(session)}
        engine.dispose()
        return found


def a_hit_of_six_cases(engine: Engine) -> int:
    """Of one page that holds a paragraph of six articles of ours, each of which has a case."""
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
        return hits.list_hits(session)[0].id


@pytest.fixture(scope="module")
def desk(server_url: str, template_url: str) -> Iterator[Desk]:
    """One for all: every walk takes back what it did, and begins by looking that nothing is left."""
    with database(server_url, template=template_url) as url:
        engine = make_engine(url)
        hit_id = a_hit_of_six_cases(engine)
        engine.dispose()
        with desk_process(url) as (address, _process):
            yield Desk(address, url, hit_id)


@pytest.mark.parametrize(
    ("language", "scripts"), [("zh", True), ("en", True), ("zh", False)], ids=["zh", "en", "without scripts"]
)
def test_a_passage_is_set_aside_and_withdrawn_by_keys(
    chromium: Browser, desk: Desk, language: str, scripts: bool
) -> None:
    context = chromium.new_context(
        base_url=desk.address, java_script_enabled=scripts, viewport={"width": 390, "height": 844}
    )
    page = context.new_page()
    page.goto("/login")
    enter(page, language)
    page.goto(f"/hits/{desk.hit_id}")
    page.locator("details.never-again > summary").press("Enter")
    page.locator(".passage-links a").first.press("Enter")
    expect(page.get_by_role("heading", name=word(language, "Effect"), exact=True)).to_be_visible()
    expect(page.get_by_text(word(language, "case withdrawn"), exact=True).first).to_be_visible()
    assert desk.states() == {CaseState.NEW}

    page.get_by_role("button", name=word(language, "Set this aside")).press("Enter")
    done = word(language, "Set aside. Cases withdrawn: %(count)s.", count=len(OURS))
    expect(page.get_by_text(done)).to_be_visible()
    assert desk.states() == {CaseState.WITHDRAWN}

    page.get_by_role("button", name=word(language, "Withdraw (it does prove something)")).press("Enter")
    undone = word(language, "Withdrawn. Cases restored: %(count)s.", count=len(OURS))
    expect(page.get_by_text(undone)).to_be_visible()
    assert desk.states() == {CaseState.NEW}
    context.close()
