"""What of the sites' pages only a browser shows: a run that is brought up to date by itself, and fields that a choice
shows; and a login that expired between two clicks.
"""

from playwright.sync_api import Browser, expect
from sqlalchemy import Engine, delete

from storage.crawl import runs
from storage.engine import make_engine, transaction
from storage.jobs import schedules
from storage.models.people import DeskSession
from storage.records.sites import SiteSettings
from storage.sites import sites
from storage.types import AccountRole
from tests.browser.desk_process import desk_process
from tests.support.desk_client import NAME, PASSWORD, add_person

PATIENCE_MS = 120_000
"""Two busy cores: the page asks every two seconds, and each answer may take long."""


def test_a_run_is_updated_until_it_ends(chromium: Browser, clean_database_url: str) -> None:
    engine = make_engine(clean_database_url)
    add_person(engine, role=AccountRole.VIEWER)
    add_person(engine, role=AccountRole.MANAGER, name="manager")
    with transaction(engine) as session:
        site = sites.add_site(session, SiteSettings(name="江城日报", start_urls=(), hosts=()))
        run_id = runs.start_run(session, site.id, trigger="hand")
    with desk_process(clean_database_url) as (address, _process):
        context = chromium.new_context(base_url=address)
        context.set_default_timeout(PATIENCE_MS)
        page = context.new_page()
        page.goto(f"/login?next=/sites/{site.id}")
        page.locator("#name").fill(NAME)
        page.locator("#password").fill(PASSWORD)
        page.locator(".gate .btn-primary").click()
        page.wait_for_url(f"**/sites/{site.id}")
        shown = page.locator("[data-live]")
        expect(shown).not_to_contain_text("4,321")

        with transaction(engine) as session:
            runs.record_run(session, run_id, counters={"pages/fetched": 4321}, refusal_samples={})
        expect(shown).to_contain_text("4,321", timeout=PATIENCE_MS)

        with transaction(engine) as session:
            runs.finish_run(
                session, run_id, exit_reason="finished", counters={"pages/fetched": 5678}, refusal_samples={}
            )
        expect(shown).to_contain_text("5,678", timeout=PATIENCE_MS)
        expect(shown).to_contain_text("已完成")
        context.close()
        a_manager_chooses(chromium, address, engine, site.id)
    engine.dispose()


def a_manager_chooses(chromium: Browser, address: str, engine: Engine, site_id: int) -> None:
    """In an English browser: nobody chose a language."""
    context = chromium.new_context(base_url=address, locale="en-GB")
    context.set_default_timeout(PATIENCE_MS)
    page = context.new_page()
    page.goto("/sites/add")
    page.get_by_label("Name").fill("manager")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Log in").click()
    page.wait_for_url("**/sites/add")
    assert page.locator("#rule").input_value() == "adaptive"

    page.goto(f"/sites/{site_id}")
    assert page.locator("#rule").input_value() == ""
    other = page.get_by_label("Custom rule", exact=True)
    expect(other).to_be_hidden()
    page.locator("#rule").select_option("other")
    other.fill("30 6 * * 1-5")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("Saved.")).to_be_visible()
    with transaction(engine) as session:
        found = schedules.get_schedule(session, site_id)
    assert found is not None
    assert found.rule == "30 6 * * 1-5"
    expect(other).to_have_value("30 6 * * 1-5")

    page.goto("/licences")
    expect(page.get_by_label("Owner", exact=True)).to_be_visible()
    expect(page.get_by_label("URL of the article")).to_be_hidden()
    page.locator("#whose").select_option("article")
    expect(page.get_by_label("URL of the article")).to_be_visible()
    expect(page.get_by_label("Owner", exact=True)).to_be_hidden()

    page.goto(f"/sites/{site_id}")
    with transaction(engine) as session:
        session.execute(delete(DeskSession))
    page.get_by_role("button", name="Pause").click()
    page.get_by_label("Name").fill("manager")
    expect(page.get_by_text("Your login has expired.")).to_be_visible()
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Log in").click()
    page.wait_for_url(f"**/sites/{site_id}")
    context.close()
