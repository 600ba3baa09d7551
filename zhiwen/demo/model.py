"""The demo's web sites as values: pages by path, and the ground truth about copies."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Final, Literal

from storage.types import Credit, RetellingKind


class Disguise(StrEnum):
    EXACT = "exact"
    HOMOPHONES = "homophones"
    TRADITIONAL = "traditional script"
    PARAGRAPHS = "paragraphs shuffled"
    SENTENCES = "sentences shuffled"
    EXCERPT = "excerpt"
    MIXED = "two sources mixed"
    EMBEDDED = "embedded in another text"
    EDITED = "edited"
    HIDDEN = "invisible characters, other punctuation"
    FULL_WIDTH = "full-width letters"
    RETOLD = "retold in other words"
    TRANSLATED = "translated"


_BY_MEANING: Final = {Disguise.RETOLD: RetellingKind.RETOLD, Disguise.TRANSLATED: RetellingKind.TRANSLATED}


@dataclass(frozen=True, slots=True)
class Page:
    body: bytes
    content_type: str
    modified: datetime


@dataclass(frozen=True, slots=True)
class Planted:
    """One copy that the demo must find. None of this is in the HTML."""

    copy_path: str
    source_paths: tuple[str, ...]
    disguise: Disguise
    credit: Credit
    claims_earlier: bool = False
    """The copy's page says that it was published before its source."""

    @property
    def retelling(self) -> RetellingKind | None:
        """As which kind only its meaning shows it; None for a copy that its wording shows."""
        return _BY_MEANING.get(self.disguise)


@dataclass(frozen=True, slots=True)
class DemoSite:
    name: str
    title: str
    role: Literal["original", "watched"]
    owner: str
    address: str
    pages: Mapping[str, Page]
    """Pages by path. Any other path is a 404."""
    article_paths: tuple[str, ...]
    start_path: str = "/"
    sitemap_path: str | None = None
    feed_path: str | None = None
    planted: tuple[Planted, ...] = ()
    innocent_paths: tuple[str, ...] = ()
    """Articles that must never be reported as copies of the original's."""
