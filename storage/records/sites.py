"""Sites and owners as they cross the border of storage."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from storage.types import Rights, SiteRole


@dataclass(frozen=True, slots=True)
class OwnerRecord:
    id: int
    name: str
    registration: str
    complaint_address: str
    notes: str


@dataclass(frozen=True, slots=True)
class SiteSettings:
    """What a person says of a site; the rest is found out."""

    name: str
    start_urls: tuple[str, ...]
    hosts: tuple[str, ...]
    role: SiteRole = SiteRole.WATCHED
    sitemaps: tuple[str, ...] = ()
    feeds: tuple[str, ...] = ()
    allow: tuple[str, ...] = ()
    deny: tuple[str, ...] = ()
    delay_s: float = 1.0
    page_budget: int | None = None
    time_zone: str = "Asia/Shanghai"
    rights: Rights = Rights.UNKNOWN
    enabled: bool = True
    extraction_rule: Mapping[str, Any] | None = None
    """How its pages are read, where that is not left to evidence: see docs/extraction.md."""
    browser: bool = False
    """Whether its pages are opened in a browser: they show their articles by script alone."""


@dataclass(frozen=True, slots=True)
class SiteRecord:
    id: int
    owner_id: int
    owner_name: str
    settings: SiteSettings

    @property
    def name(self) -> str:
        return self.settings.name
