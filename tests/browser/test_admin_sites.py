"""What of the sites' pages only a browser shows: a run that is brought up to date by itself."""

from playwright.sync_api import Browser, expect

from storage.crawl import runs
from storage.engine import make_engine, transaction
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
    engine.dispose()
