"""Records of sites and owners."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from storage.types import Rights, SiteRole

LONGEST_DELAY_S: Final = 3_600.0
MOST_PAGES: Final = 10_000_000
"""Of one run."""
MOST_MEGABYTES: Final = 1_000_000
"""Of one run."""


@dataclass(frozen=True, slots=True)
class OwnerRecord:
    id: int
    name: str
    registration: str
    complaint_address: str
    notes: str


@dataclass(frozen=True, slots=True)
class AccountRecord:
    """An account on a platform of many authors. `account`: “platform:id”. `proposed_owner`: the owner of that name."""

    account: str
    name: str
    pages: int
    owner_name: str | None = None
    proposed_owner: str | None = None


@dataclass(frozen=True, slots=True)
class SiteSettings:
    """The settings of a site made by a person; all others are detected."""

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
    """Rules for its pages, if they are not detected: see docs/extraction.md."""
    browser: bool = False
    """Whether its pages are opened in a browser: their articles are only shown by a script."""


@dataclass(frozen=True, slots=True)
class SiteRecord:
    id: int
    owner_id: int
    owner_name: str
    settings: SiteSettings

    @property
    def name(self) -> str:
        return self.settings.name
