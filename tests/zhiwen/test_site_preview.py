"""Previews of sites and pages in a child process, on a real web server."""

import ipaddress
from collections.abc import Iterator
from pathlib import Path

import pytest

from crawler.discovery.site_preview import PagePreview, SitePreview
from crawler.outcomes.refusals import Refusal
from tests.fake_web import served
from zhiwen.config.settings import Settings
from zhiwen.preview.site_preview import preview_page, preview_site


@pytest.fixture(scope="module")
def web() -> Iterator[str]:
    with served() as address:
        yield address


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(tmp_path, allowed_networks=(ipaddress.ip_network("127.0.0.0/8"),), time_zone="Europe/Berlin")


def test_a_private_address_is_not_looked_at_unless_it_is_allowed(web: str, tmp_path: Path) -> None:
    assert preview_site(Settings(tmp_path), web) is Refusal.BLOCKED_ADDRESS
    assert preview_page(Settings(tmp_path), web, None, "UTC") is Refusal.BLOCKED_ADDRESS


@pytest.mark.parametrize("url", ["javascript:alert(1)", "file:///etc/passwd"])
def test_what_is_no_address_is_named_so(settings: Settings, url: str) -> None:
    assert preview_site(settings, url) is Refusal.UNUSABLE_URL


def test_a_site_is_seen_with_its_articles(settings: Settings, web: str) -> None:
    seen = preview_site(settings, web)

    assert isinstance(seen, SitePreview)
    assert seen.settings.start_urls[0].startswith(web)
    assert seen.settings.time_zone == "Europe/Berlin"
    assert isinstance(seen.settings.start_urls, tuple)
    assert len(seen.samples) >= 1


def test_the_address_of_a_sitemap_leads_to_its_site(settings: Settings, web: str) -> None:
    seen = preview_site(settings, f"{web}/sitemap.xml")

    assert isinstance(seen, SitePreview)
    assert f"{web}/sitemap.xml" in seen.settings.sitemaps
    assert seen.settings.start_urls == (f"{web}/",)


def test_a_page_is_read_by_a_rule(settings: Settings, web: str) -> None:
    by_itself = preview_page(settings, f"{web}/gbk", None, "Asia/Shanghai")
    by_rule = preview_page(settings, f"{web}/gbk", {"title": "//title/text()"}, "Asia/Shanghai")

    assert isinstance(by_itself, PagePreview)
    assert isinstance(by_rule, PagePreview)
    assert by_itself.chars == by_rule.chars == len(by_itself.text)
    assert preview_page(settings, f"{web}/gbk", {"content": "div.no-such"}, "UTC") is Refusal.RULE_FOUND_NOTHING
