"""Previews of a site and of one of its pages, before anything is stored. Pure."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Protocol

from crawler.outcomes.refusals import Refusal
from storage.records.sites import SiteSettings


@dataclass(frozen=True, slots=True)
class SamplePreview:
    """A page that looks like an article from the front page; `refusal` says why no article was read."""

    url: str
    refusal: Refusal | None = None
    title: str = ""
    chars: int = 0


@dataclass(frozen=True, slots=True)
class SitePreview:
    """`settings` for a person to review; `title` of the front page."""

    settings: SiteSettings
    title: str
    samples: tuple[SamplePreview, ...]

    @property
    def readable(self) -> int:
        """Samples that hold an article."""
        return sum(sample.refusal is None for sample in self.samples)


@dataclass(frozen=True, slots=True)
class PagePreview:
    """An article as a crawl of the site would read it. The text is cut; `chars` counts all of it."""

    url: str
    title: str
    author: str
    published_at: datetime | None
    precision: str
    origin: str
    language: str
    text: str
    chars: int
    parts: int
    credit_lines: tuple[str, ...]
    agency: str | None
    kind: str
    """A value of `ArticleKind`."""
    posts: int
    """Of a thread, those in the text."""


PreviewSite = Callable[[str], SitePreview | Refusal]
"""The proposal for an address: of a front page, a feed, a sitemap or an article."""


class PreviewPage(Protocol):
    """A page read by an extraction rule that is valid, or None, and a time zone, as sent or opened in a browser.

    Both previews take seconds, at most two minutes.
    """

    def __call__(
        self, url: str, rule: Mapping[str, Any] | None, time_zone: str, *, in_browser: bool
    ) -> PagePreview | Refusal: ...
