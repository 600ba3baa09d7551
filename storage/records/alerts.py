"""The words and frozen values of alerts: what happened, to whom it is told, and what became of the telling."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from storage.types import CaseQueue, Credit, MatchKind, Severity


class AlertKind(StrEnum):
    """What somebody may be told of."""

    CASE_OPENED = "case-opened"
    COPY_REMOVED = "copy-removed"
    """A page of a case that was found to be a copy is gone."""
    COPY_REAPPEARED = "copy-reappeared"
    """One that was gone is there again, or another copy came to a case that was closed as taken down."""
    SITE_BLIND = "site-blind"
    """A site gives other articles than it used to, or none: redesigned, or it turns us away."""
    SITE_RECOVERED = "site-recovered"
    ALERTS_HELD = "alerts-held"
    """A run looks wrong; what it would have told waits for a look."""
    DISK_LOW = "disk-low"
    BACKUP_FAILED = "backup-failed"
    JOB_SET_ASIDE = "job-set-aside"


OF_CASES = frozenset({AlertKind.CASE_OPENED, AlertKind.COPY_REMOVED, AlertKind.COPY_REAPPEARED})
"""These have a case, may come as a digest, and are held back where a run looks wrong. The others are told at once."""

OF_OPERATION = frozenset(AlertKind) - OF_CASES


class AlertState(StrEnum):
    """What became of telling one channel of one event."""

    WAITING = "waiting"
    """For its time, or for the channel to work."""
    HELD = "held"
    """For somebody to look at the run."""
    SENT = "sent"
    SET_ASIDE = "set-aside"
    """The channel failed too often."""
    DROPPED = "dropped"
    """By a person, or because the case was decided before it was told of."""


class MessageState(StrEnum):
    """What became of one message, which tells of one event or of many."""

    WAITING = "waiting"
    SENT = "sent"
    SET_ASIDE = "set-aside"
    DROPPED = "dropped"


@dataclass(frozen=True, slots=True)
class ChannelRecord:
    """A way to somebody, without its secrets: `shown` is as much of its address as may be read."""

    id: int
    name: str
    kind: str
    """One of `admin.alerts.kinds`."""
    shown: str
    language: str
    enabled: bool
    sent_at: datetime | None
    """When a message last went through."""
    failed_at: datetime | None
    """When one last did not, and why (`problem`)."""
    problem: str


@dataclass(frozen=True, slots=True)
class NewAddress:
    """The address of a new channel, with its kind and the part of it that is not secret."""

    kind: str
    full: str = field(repr=False)
    shown: str
    is_signed: bool = False
    """Whether the channel gets a secret of its own that signs its messages."""


@dataclass(frozen=True, slots=True)
class ChannelAddress:
    """The secrets of a channel, for whoever sends. Never to be shown or logged."""

    address: str = field(repr=False)
    secret: str = field(default="", repr=False)
    """Signs the channel's messages; empty where its kind signs none."""


@dataclass(frozen=True, slots=True)
class RuleTerms:
    """Of what a channel is told, and when. Conditions hold together; an empty one asks nothing."""

    name: str
    kinds: frozenset[AlertKind] = frozenset(AlertKind)
    queue: CaseQueue | None = CaseQueue.COPIED
    """None: where we may be the copier too."""
    site_id: int | None = None
    """Of either side of the case; of an event without a case, the site that it is about."""
    owner_id: int | None = None
    """Who is behind the copies."""
    least: Severity = Severity.SLIGHT
    match_kinds: frozenset[MatchKind] = frozenset()
    credits: frozenset[Credit] = frozenset()
    view_id: int | None = None
    """A saved list of cases: only what stands in it."""
    digest_at: str | None = "08:30"
    """The time of day at which news of cases is told together; None: at once."""
    time_zone: str = ""
    """Of `digest_at`; empty: that of the site whose article was copied."""
    enabled: bool = True


@dataclass(frozen=True, slots=True)
class RuleRecord:
    id: int
    channel_id: int
    channel: str
    terms: RuleTerms
    site: str | None
    owner: str | None
    view: str | None
    """Names of what the terms name by number."""


@dataclass(frozen=True, slots=True)
class EventRecord:
    """Something that happened and that somebody may be told of."""

    id: int
    kind: AlertKind
    at: datetime
    case_id: int | None
    site_id: int | None
    details: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class HoldRecord:
    """Alerts of a site that wait for a look. `waiting`: how many do."""

    id: int
    site_id: int
    site: str
    reason: str
    run_id: int | None
    since: datetime
    """Events from then on are held."""
    begun_at: datetime
    waiting: int


@dataclass(frozen=True, slots=True)
class MessageRecord:
    """A message as it was or will be sent."""

    id: int
    channel: str
    subject: str
    text: str
    events: int
    state: MessageState
    made_at: datetime
    next_at: datetime
    sent_at: datetime | None
    attempts: int
    problem: str
