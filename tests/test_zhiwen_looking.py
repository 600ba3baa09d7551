"""Looks at sites and pages in a child process, on a real web server."""

import ipaddress
from collections.abc import Iterator
from pathlib import Path

import pytest

from admin.site_looks import PageSeen, SiteSeen
from crawler.refusals import Refusal
from tests.fake_web import served
from zhiwen.config import Settings
from zhiwen.looking import look_at_page, look_at_site


@pytest.fixture(scope="module")
def web() -> Iterator[str]:
    with served() as address:
        yield address


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(tmp_path, allowed_networks=(ipaddress.ip_network("127.0.0.0/8"),), time_zone="Europe/Berlin")


def test_a_private_address_is_not_looked_at_unless_it_is_allowed(web: str, tmp_path: Path) -> None:
    assert look_at_site(Settings(tmp_path), web) is Refusal.BLOCKED_ADDRESS
    assert look_at_page(Settings(tmp_path), web, None, "UTC") is Refusal.BLOCKED_ADDRESS


@pytest.mark.parametrize("url", ["javascript:alert(1)", "", "file:///etc/passwd", "https://", "x" * 9_000])
def test_what_is_no_address_is_named_so(settings: Settings, url: str) -> None:
    assert look_at_site(settings, url) is Refusal.UNUSABLE_URL
