"""What goes to a process that reads pages, and what comes back."""

from dataclasses import dataclass, field
from datetime import datetime

from crawler.extraction.article import Page
from crawler.extraction.site_knowledge import SiteKnowledge
from fingerprint.model import Fingerprint


@dataclass(frozen=True, slots=True)
class PageTask:
    body: bytes
    url: str
    content_type: str
    fetched_at: datetime
    time_zone: str
    known: SiteKnowledge = field(default_factory=SiteKnowledge)


@dataclass(frozen=True, slots=True)
class ReadPage:
    """A page that was read; with the fingerprint of its text if it is an article."""

    page: Page
    fingerprint: Fingerprint | None = None
    is_absent: bool = False
    """Whether it says that the requested page does not exist."""
    is_barred: bool = False
    """Whether it asks for a captcha or a log-in, or says that it is busy: it says nothing about the requested page."""
    holds_notice: bool = False
    """Whether it holds no article, and a line that says that the requested page does not exist."""
