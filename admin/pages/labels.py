"""The words for what is known of pages: their presence, and what was captured of them."""

from collections.abc import Mapping
from typing import Final

from flask_babel import lazy_gettext as _l

from storage.records.crawl import PageEventKind
from storage.records.evidence import EvidenceKind

PRESENCE: Final[Mapping[str, object]] = {
    PageEventKind.GONE: _l("Gone"),
    PageEventKind.BACK: _l("Back again"),
}

CAPTURES: Final[Mapping[str, object]] = {
    EvidenceKind.STORED: _l("a version was stored from this response"),
    EvidenceKind.CAPTURED: _l("captured"),
    EvidenceKind.FAILED: _l("could not be captured"),
    EvidenceKind.GIVEN: _l("brought by hand"),
    EvidenceKind.SCREENSHOT: _l("screenshot"),
    EvidenceKind.REMOVED: _l("files removed"),
}

PAGE_ACTS: Final[Mapping[str, object]] = {"page.remove": _l("page removed")}

PAGE_TABLES: Final[Mapping[str, Mapping[str, object]]] = {"presence": PRESENCE, "capture": CAPTURES}
