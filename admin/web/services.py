"""The services that views use: engine, settings and functions of other parts, handed to `create_app` once."""

import threading
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias, cast

from flask import Flask, current_app

from matcher.cases.case_rule import DEFAULT_RULE, CaseRule

if TYPE_CHECKING:
    from pathlib import Path

    from sqlalchemy import Engine

    from admin.web.search_desk import SearchDesk
    from admin.web.settings_desk import SettingsDesk
    from crawler.discovery.site_preview import PreviewPage, PreviewSite
    from crawler.fetch.fetch import Fetched
    from crawler.outcomes.refusals import Refusal
    from matcher.retellings.check_by_meaning import OpenSearch
    from storage.postgres.replica import Replica


TryChannel: TypeAlias = Callable[[int], tuple[bool, str]]
"""Sends a test message over a channel. Returns whether it was accepted, and the problem."""


_EXTENSION = "zhiwen"

READ_AT_ONCE = 2
"""Long requests that one process serves at the same time. With one site preview beside them, one of the server's four
threads stays free.
"""

Fetch: TypeAlias = "Callable[[str], Fetched | Refusal]"
"""Gets a page through the crawler's guard."""

Enqueue = Callable[..., object]
"""Starts a job of the given name with the given arguments."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Services:
    """What an app needs from outside. None: this app does without it."""

    engine: "Engine"
    replica: "Replica | None" = None
    """For requests that only read; None: the primary answers them, too."""
    secret_key: str = field(repr=False)
    """Signs session cookies."""
    secure_cookies: bool = False
    """Whether the app is served over HTTPS only."""
    language: str = "zh"
    """Used where neither session nor account names one; the same holds for `time_zone`."""
    time_zone: str = "Asia/Shanghai"
    fetch: "Fetch | None" = None
    enqueue: Enqueue | None = None
    home: "Path | None" = None
    """The folder with the files of the evidence."""
    preview_site: "PreviewSite | None" = None
    preview_page: "PreviewPage | None" = None
    try_channel: "TryChannel | None" = None
    desk_url: str | None = None
    """Address under which people reach the desk; None: the host that the request names."""
    metrics_token: str | None = field(default=None, repr=False)
    """Token that opens the metrics; None: only this machine may read them."""
    import_folder: "Path | None" = None
    """Folder whose files can be imported; None: uploads only."""
    case_rule: CaseRule = DEFAULT_RULE
    """Bounds above which a copy of ours becomes a case; the desk previews the effect of others."""

    public_certificates: bool = False
    """Whether whoever has the number of a certificate of a check may look it up without an account."""
    open_search: "OpenSearch | None" = None
    """Opens the search by meaning; None: checks compare the wording only."""
    search: "SearchDesk | None" = None
    """Search services that are asked for copies on the open web; None: this desk does not set them up."""
    settings: "SettingsDesk | None" = None
    """Settings that the desk shows and changes; None: this desk has none."""
    as_set: "Callable[[Services], Services] | None" = None
    """These services as the settings are at present; None: settings do not change while the app runs."""

    witness_kinds: Collection[str] = ()
    """The kinds of witnesses of the evidence that are set up; see `storage.records.witnesses`."""
    accepted_keys: Collection[str] = ()
    """Ids of the keys of other installations whose heads are countersigned."""

    reading_slots: threading.BoundedSemaphore = field(
        default_factory=lambda: threading.BoundedSemaphore(READ_AT_ONCE), repr=False
    )
    """See `admin.web.reading_slots`."""

    def attach(self, app: Flask) -> None:
        app.extensions[_EXTENSION] = self


def current_services() -> Services:
    """The services of the current app, by the settings of this moment."""
    found = cast("Services", current_app.extensions[_EXTENSION])
    return found if found.as_set is None else found.as_set(found)
