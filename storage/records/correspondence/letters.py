"""Records of letters to copiers: what was written, where it is on its way, and what came back."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum
from typing import Any

from storage.records.correspondence.notices import Consented, NoticeForm, Signed
from storage.types import CaseState, NoticeChannel


class LetterKind(StrEnum):
    """What a letter is to the one before it."""

    NOTICE = "notice"
    REMINDER = "reminder"
    """The letter before it was not answered."""
    SECOND = "second"
    """The letter before it was answered, and pages are left."""


class LetterState(StrEnum):
    """Where a letter is on its way."""

    WAITING = "waiting"
    """A mail in the outbox: it can be taken back."""
    SENDING = "sending"
    SENT = "sent"
    """A mail that a server accepted, or a letter that a person marked as sent."""
    UNKNOWN = "unknown"
    """The connection or the process broke off while the server took the mail: it may have arrived or not."""
    FAILED = "failed"
    """Surely not sent; a person decides what is next."""
    TAKEN_BACK = "taken-back"
    """Before it was sent; its cases are as they were before it."""
    WITHDRAWN = "withdrawn"
    """After it was sent."""


class ReplyKind(StrEnum):
    """What the copier answered."""

    COMPLIED = "complied"
    """They say that they removed the copies, or will."""
    REFUSED = "refused"
    COUNTER_NOTICE = "counter-notice"
    """They state in due form that they may publish it."""
    OTHER = "other"


class LetterTab(StrEnum):
    """The lists of the follow-up."""

    OUTBOX = "outbox"
    AWAITING = "awaiting"
    DUE = "due"
    """The deadline ends within days."""
    NO_ANSWER = "no-answer"
    """The deadline is over."""
    ANSWERED = "answered"
    ALL = "all"


@dataclass(frozen=True, slots=True)
class NamedCase:
    """A case that a letter names. `expected`: the state in which the person saw it. `pages`: what the letter says of
    each of their pages (`url`, `chars`, `share`), as stored with it.
    """

    case_id: int
    expected: CaseState
    pages: tuple[Mapping[str, Any], ...]


@dataclass(frozen=True, slots=True)
class ByMail:
    """How a mail leaves: the channel whose mail server takes it, its sender as shown, and the earliest moment."""

    channel_id: int
    sender: str
    send_at: datetime


@dataclass(frozen=True, slots=True)
class NewLetter:
    """A letter to store. `key`: 32 hexadecimal digits that make it one letter however often it is handed in.

    `mail` None: the letter is sent by a person, and only recorded. `pdf` None: this machine cannot print. `signed`: the
    statements of forms that have some. `consented`: where a second person must consent.
    """

    key: str
    case_id: int
    other_key: str
    copier: str
    kind: LetterKind
    follows_id: int | None
    language: str
    subject: str
    recipient: str
    channel: NoticeChannel
    dated: date
    sent_at: datetime
    deadline: datetime | None
    body: str
    pdf: bytes | None
    mail: ByMail | None
    form: NoticeForm = NoticeForm.LETTER
    signed: Signed | None = None
    consented: Consented | None = None


@dataclass(frozen=True, slots=True)
class LetterRecord:
    """A letter without its text."""

    id: int
    case_id: int
    other_key: str
    copier: str
    form: NoticeForm
    kind: LetterKind
    follows_id: int | None
    followed_by: int | None
    """The newest letter that followed it and was not taken back."""
    language: str
    subject: str
    recipient: str
    channel: NoticeChannel
    sender: str
    is_mail: bool
    """Whether the program sends it."""
    state: LetterState
    dated: date
    deadline: datetime | None
    """The first moment after the term that the letter sets."""
    made_at: datetime
    made_by: str
    send_at: datetime | None
    attempts: int
    sent_at: datetime | None
    problem: str
    reply_kind: ReplyKind | None
    reply: str
    replied_at: datetime | None
    closed_at: datetime | None
    """When it was taken back or withdrawn."""
    closed_by: str
    closed_note: str
    cases: int
    open_cases: int
    """Cases that still wait for the copier."""
    sha256: bytes
    """Of the text, in UTF-8."""
    pdf_sha256: bytes | None


@dataclass(frozen=True, slots=True)
class LetterDocumentRecord:
    """What a letter says, for ever."""

    body: str
    sha256: bytes
    pdf: bytes | None
    pdf_sha256: bytes | None


@dataclass(frozen=True, slots=True)
class LetterCaseRecord:
    """A case that a letter names, with its present state."""

    case_id: int
    title: str
    state: CaseState
    pages: tuple[Mapping[str, Any], ...]


@dataclass(frozen=True, slots=True)
class ClaimedLetter:
    """A mail claimed by this sender. `attempts` includes this one."""

    id: int
    key: str
    attempts: int
    claimed_until: datetime
    channel_id: int
    recipient: str
    subject: str
    made_at: datetime


@dataclass(frozen=True, slots=True)
class LetterheadRecord:
    """Who writes letters: what people of the installation entered once for all letters."""

    organisation: str = ""
    contact: str = ""
    telephone: str = ""
    mail: str = ""
    address: str = ""
    postcode: str = ""
    signatory: str = ""
    identity: str = ""
    """Document that proves who we are, with its number."""
    representative: str = ""
    """Legal representative of the organisation."""
    heading: str = ""
    """Lines above each letter on paper."""
    has_seal: bool = False
    mail_channel_id: int | None = None
    outbox_minutes: int = 10
    changed_by: str = ""
    changed_at: datetime | None = None
