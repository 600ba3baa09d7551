"""What the views need from outside, handed in once when the app is made."""

import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias, cast

from flask import current_app

from matcher.cases.case_rule import DEFAULT_RULE, CaseRule

if TYPE_CHECKING:
    from pathlib import Path

    from sqlalchemy import Engine

    from crawler.discovery.site_preview import LookAtPage, LookAtSite
    from crawler.fetch.fetch import Fetched
    from crawler.outcomes.refusals import Refusal


TryChannel: TypeAlias = Callable[[int], tuple[bool, str]]
"""Sends a test message over a channel: whether it was taken, and what went wrong."""


_EXTENSION = "zhiwen"

READ_AT_ONCE = 2
"""Requests of one process that may keep a thread for long. With the one look at a site, a thread of the server's four
stays free.
"""

Fetch: TypeAlias = "Callable[[str], Fetched | Refusal]"
"""Gets a page through the crawler's guard."""

Enqueue = Callable[..., object]
"""Starts a job of the given name with the given arguments."""


@dataclass(frozen=True, slots=True)
class Desk:
    engine: "Engine"
    language: str
    time_zone: str
    fetch: "Fetch | None" = None
    enqueue: Enqueue | None = None
    home: "Path | None" = None
    """Where the files of the evidence are; None: this desk has none at hand."""
    look_at_site: "LookAtSite | None" = None
    look_at_page: "LookAtPage | None" = None
    try_channel: "TryChannel | None" = None
    """Sends a test message over a channel of alerts."""
    desk_url: str | None = None
    """Where people reach it; None: wherever a request says."""
    metrics_token: str | None = field(default=None, repr=False)
    """Whoever has it may read the metrics; None: this machine alone."""
    import_folder: "Path | None" = None
    """What lies in it can be imported; None: nothing but what is uploaded."""
    case_rule: CaseRule = DEFAULT_RULE
    """From where on a copy of ours makes a case: the desk shows it, and what another one would change."""

    reading_slots: threading.BoundedSemaphore = field(
        default_factory=lambda: threading.BoundedSemaphore(READ_AT_ONCE), repr=False
    )
    """See `admin.web.reading_slots`."""

    def attach(self) -> None:
        """Belongs to the current app from now on."""
        current_app.extensions[_EXTENSION] = self


def desk() -> Desk:
    return cast("Desk", current_app.extensions[_EXTENSION])
