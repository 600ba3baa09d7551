"""Enums and records of alerts: events, channels, rules, holds, messages."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from storage.types import CaseKind, CaseQueue, Credit, Severity


class AlertKind(StrEnum):
    """Kinds of events that can be notified."""

    CASE_OPENED = "case-opened"
    COPY_REMOVED = "copy-removed"
    """A copy of a case was removed."""
    COPY_REAPPEARED = "copy-reappeared"
    """A removed copy is back, or another copy joined a case in state removed."""
    RETELLING_FOUND = "retelling-found"
    """A page of another owner may say in other words what a page of ours says. Only sent to those who ask for it."""
    SITE_BLIND = "site-blind"
    """A site yields unusual articles or none: it was redesigned, or blocks us."""
    SITE_RECOVERED = "site-recovered"
    ALERTS_HELD = "alerts-held"
    """A run looks wrong; its alerts wait for a person."""
    DISK_LOW = "disk-low"
    BACKUP_FAILED = "backup-failed"
    JOB_SET_ASIDE = "job-set-aside"
    MENTIONED = "mentioned"
    """A comment on a case names a person, or cases are assigned to one. Only sent to those who ask for it, at once."""
    EVIDENCE_ALARM = "evidence-alarm"
    """A page could not be captured, a witness does not confirm, or two heads of one chain contradict each other."""


ASSIGNED_CASES = "assigned"
"""The detail of a `MENTIONED` event that says how many cases were assigned; a comment has none."""

OF_CASES = frozenset({AlertKind.CASE_OPENED, AlertKind.COPY_REMOVED, AlertKind.COPY_REAPPEARED})
"""Events of cases: held back if a run looks wrong, and if a rule says so, in a digest."""

OF_ARTICLES = OF_CASES | {AlertKind.RETELLING_FOUND}
"""Events that may come in a digest. All others are sent at once."""

OF_OPERATION = frozenset(AlertKind) - OF_ARTICLES - {AlertKind.MENTIONED}

UNASKED = frozenset(AlertKind) - {AlertKind.RETELLING_FOUND, AlertKind.MENTIONED}
"""What a new rule is about: similarities are no news of copies, and a comment is for the person it names."""


class AlertState(StrEnum):
    """The state of one event for one channel."""

    WAITING = "waiting"
    """Not due yet, or the channel does not work."""
    HELD = "held"
    """On hold until a person has looked at the run."""
    SENT = "sent"
    SET_ASIDE = "set-aside"
    """The channel failed too often."""
    DROPPED = "dropped"
    """By a person, or because the case was decided before the alert was sent."""


class MessageState(StrEnum):
    """The state of one message about one or more events."""

    WAITING = "waiting"
    SENT = "sent"
    SET_ASIDE = "set-aside"
    DROPPED = "dropped"


@dataclass(frozen=True, slots=True)
class ChannelRecord:
    """A channel without its secrets. `shown`: the part of its address that may be displayed."""

    id: int
    name: str
    kind: str
    """One of `admin.alerts.kinds`."""
    shown: str
    language: str
    enabled: bool
    sent_at: datetime | None
    """When a message was last accepted."""
    failed_at: datetime | None
    """When one last failed; `problem` says why."""
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
    """The secrets of a channel, for sending. Never displayed or logged."""

    address: str = field(repr=False)
    secret: str = field(default="", repr=False)
    """Signs the channel's messages; empty where its kind signs none."""


@dataclass(frozen=True, slots=True)
class RuleTerms:
    """What a channel is notified of, and when. All conditions must match; an empty one always does."""

    name: str
    kinds: frozenset[AlertKind] = UNASKED
    queue: CaseQueue | None = CaseQueue.COPIED
    """None: also cases in which we may be the copier."""
    site_id: int | None = None
    """Of either side of the case; for other events, the site concerned."""
    owner_id: int | None = None
    """The owner of the copies."""
    least: Severity = Severity.SLIGHT
    match_kinds: frozenset[CaseKind] = frozenset()
    credits: frozenset[Credit] = frozenset()
    view_id: int | None = None
    """A saved list of cases: only cases in it."""
    digest_at: str | None = "08:30"
    """The time of day of the digest; None: alerts about cases are sent at once."""
    time_zone: str = ""
    """The zone of `digest_at`; empty: that of the site whose article was copied."""
    enabled: bool = True
    mentioned_id: int | None = None
    """The account whose mentions are meant; None: everybody's."""


@dataclass(frozen=True, slots=True)
class RuleRecord:
    id: int
    channel_id: int
    channel: str
    terms: RuleTerms
    site: str | None
    owner: str | None
    view: str | None
    mentioned: str | None = None
    """The names of what the terms refer to by id."""


@dataclass(frozen=True, slots=True)
class EventRecord:
    """An event that channels may be notified of."""

    id: int
    kind: AlertKind
    at: datetime
    case_id: int | None
    site_id: int | None
    details: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class HoldRecord:
    """A hold on the alerts of a site. `waiting`: how many alerts it holds."""

    id: int
    site_id: int
    site: str
    reason: str
    run_id: int | None
    since: datetime
    """Alerts about events from then on are held."""
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
