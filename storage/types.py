"""Column types and the words that columns may hold."""

from collections.abc import Iterable
from enum import StrEnum
from typing import Any

from sqlalchemy import BigInteger, Dialect, Enum, TypeDecorator

_SIGN_BIT = 1 << 63
_WRAP = 1 << 64


def to_signed(value: int) -> int:
    """An unsigned 64-bit number in the signed form Postgres can hold: same bits, so XOR and bit_count agree."""
    if not 0 <= value < _WRAP:
        message = f"{value} does not fit in 64 unsigned bits"
        raise ValueError(message)
    return value - _WRAP if value >= _SIGN_BIT else value


def to_unsigned(value: int) -> int:
    return value + _WRAP if value < 0 else value


def array_literal(numbers: Iterable[int]) -> str:
    """An array as one value: of nine hundred the database would read each as an expression of its own."""
    return "{" + ",".join(map(str, numbers)) + "}"


class Unsigned64(TypeDecorator[int]):
    """64 unsigned bits in a signed bigint: half of all simhashes would overflow otherwise."""

    impl = BigInteger
    cache_ok = True

    def process_bind_param(self, value: int | None, dialect: Dialect) -> int | None:
        return None if value is None else to_signed(value)

    def process_result_value(self, value: Any | None, dialect: Dialect) -> int | None:
        return None if value is None else to_unsigned(int(value))


class SiteRole(StrEnum):
    """Whether a site's articles are ours to protect or a place to look for copies."""

    ORIGINAL = "original"
    WATCHED = "watched"


class FoundBy(StrEnum):
    """How a page became known."""

    SPIDER = "spider"
    SITEMAP = "sitemap"
    FEED = "feed"
    IMPORT = "import"
    HAND = "hand"


class Rights(StrEnum):
    """Whose text it is: a wire story is not ours to claim."""

    OWN = "own"
    AGENCY = "agency"
    LICENSED_IN = "licensed-in"
    UNKNOWN = "unknown"


class Precision(StrEnum):
    """How exact a declared date is."""

    SECOND = "second"
    MINUTE = "minute"
    DAY = "day"
    MONTH = "month"
    NONE = "none"


class DateOrigin(StrEnum):
    """Where a declared date was read, surest first."""

    FEED = "feed"
    SITEMAP = "sitemap"
    JSON_LD = "json-ld"
    META = "meta"
    VISIBLE = "visible"
    URL = "url"
    HTTP = "http"
    IMPORT = "import"
    NONE = "none"


class MatchKind(StrEnum):
    """What the copy is, seen from the copying text."""

    IDENTICAL = "identical"
    NEAR = "near"
    EXCERPT = "excerpt"
    EMBEDDED = "embedded"
    MOSAIC = "mosaic"
    SCRAMBLED = "scrambled"


class Credit(StrEnum):
    """Whether the copy says where it is from."""

    LINKED = "linked"
    NAMED = "named"
    NONE = "none"


class CaseState(StrEnum):
    """Where a case stands. `case_states` says who may move it whereto."""

    NEW = "new"
    REVIEWING = "reviewing"
    CONFIRMED = "confirmed"
    LICENSED = "licensed"
    DISMISSED = "dismissed"
    NOTIFIED = "notified"
    REMOVED = "removed"
    REAPPEARED = "reappeared"
    WITHDRAWN = "withdrawn"
    """The program took it back before anybody looked: what it rested on is found no more."""


class CaseQueue(StrEnum):
    """Which list a case stands in."""

    COPIED = "copied"
    WE_MAY_BE_COPIER = "we-may-be-copier"


class CaseEventKind(StrEnum):
    """What happened to a case."""

    OPENED = "opened"
    PAGE_JOINED = "page-joined"
    PAGE_LEFT = "page-left"
    MOVED = "moved"
    QUEUED = "queued"
    ASSIGNED = "assigned"
    NOTED = "noted"
    DEADLINE = "deadline"
    UNDONE = "undone"
    """A person took the last move back."""
    NOTIFIED = "notified"
    """The copier was written to: to whom, on which way."""
    REPLIED = "replied"
    LICENSED = "licensed"
    """A person said that this copier may, and a licence was made of it."""
    PAGE_GONE = "page-gone"
    """A copy was found taken down."""
    PAGE_BACK = "page-back"
    """One that had been taken down was found there again."""
    FIGURES = "figures"
    """How much was taken is another figure than the one by which the case was decided."""
    PAGE_LOOKED = "page-looked"
    """One is in another state than before; `details` says in which."""


class Sight(StrEnum):
    """What one look at a page says of the copy on it."""

    THERE = "there"
    EDITED = "edited"
    """The page is there; the passages that were ours are not in it."""
    ABSENT = "absent"
    """The page says that it is not there: 404, 410, a notice."""
    ELSEWHERE = "elsewhere"
    """The address leads to a front page, a list or another article."""
    UNREADABLE = "unreadable"
    """Nothing can be said: no answer, an error, a captcha, a log-in, a paywall."""


class CopyState(StrEnum):
    """What is known of a copy after all looks; see `copy_states`."""

    THERE = "there"
    EDITED = "edited"
    MISSING = "missing"
    """One look found that the page says that it is not there."""
    REMOVED = "removed"
    """Two looks did, some time apart."""
    ELSEWHERE = "elsewhere"
    UNREADABLE = "unreadable"


class Dismissal(StrEnum):
    """Why a person dismissed a case."""

    NOT_A_COPY = "not-a-copy"
    """The texts only look alike."""
    COMMON_WORDING = "common-wording"
    """They share what everybody writes: a disclaimer, a table, a form of words."""
    QUOTATION = "quotation"
    """A marked quotation, or what the law lets everybody use."""
    NOT_OURS = "not-ours"
    """Both have it from somebody else."""
    NOT_WORTH_IT = "not-worth-it"
    """A copy, and not worth the trouble."""


class Severity(StrEnum):
    """How grave a copy is: `storage.cases.severity` says from where on."""

    GRAVE = "grave"
    MIDDLING = "middling"
    SLIGHT = "slight"


class Verdict(StrEnum):
    """What a person's decision says of the program's: `storage.cases.verdicts` says which decision is which."""

    RIGHT = "right"
    WRONG = "wrong"


class NoticeChannel(StrEnum):
    """On which way a copier was written to."""

    MAIL = "mail"
    FORM = "form"
    """The complaint form of a platform."""
    LETTER = "letter"
    LAWYER = "lawyer"
    PHONE = "phone"
    OTHER = "other"


class Standing(StrEnum):
    """What the licences say of a copy."""

    UNLICENSED = "unlicensed"
    LICENSED = "licensed"
    BREACH = "breach"


class LicenceTerm(StrEnum):
    """A term of a licence that a copy may break."""

    NO_CREDIT = "no-credit"
    NO_LINK = "no-link"
    TOO_EARLY = "too-early"
    NOT_BEGUN = "not-begun"
    EXPIRED = "expired"
    OUTSIDE_COLUMNS = "outside-columns"


class AccountRole(StrEnum):
    """Each role may do what the ones before it may."""

    VIEWER = "viewer"
    REVIEWER = "reviewer"
    MANAGER = "manager"
    ADMINISTRATOR = "administrator"


class FilePlace(StrEnum):
    """Where a file that is to be imported lies."""

    UPLOADED = "uploaded"
    """In the home, put there by the desk; deleted when it is done with."""
    FOLDER = "folder"
    """In the folder that this installation offers for it."""


class FileFailure(StrEnum):
    """Why nothing of a file that was brought, or not all of it, was imported."""

    GONE = "gone"
    DENIED = "denied"
    OUTSIDE = "outside"
    """A link leads out of the folder that is offered."""
    NO_FOLDER = "no-folder"
    """None is offered any more."""
    BROKE_OFF = "broke-off"


def word(enum: type[StrEnum], *, check: str | None = None) -> Enum:
    """A column that holds the values of `enum` as text with a check constraint: a native type is hard to change.

    `check` names the constraint where a table has two columns of one enum.
    """
    return Enum(
        enum,
        native_enum=False,
        create_constraint=True,
        length=24,
        values_callable=lambda members: [member.value for member in members],
        name=check or enum.__name__.lower(),
    )
