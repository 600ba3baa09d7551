"""The values that columns may hold. Without the library of the database, which readers of pages need not load."""

from enum import StrEnum
from typing import Final


class SiteRole(StrEnum):
    """Whether a site's articles are ours to protect, or the site is searched for copies."""

    ORIGINAL = "original"
    WATCHED = "watched"


class FoundBy(StrEnum):
    """How a page was discovered."""

    SPIDER = "spider"
    SITEMAP = "sitemap"
    FEED = "feed"
    IMPORT = "import"
    HAND = "hand"
    SEARCH = "search"
    """A search service returned it for an article of ours."""


FOUND_BY_CRAWLS: Final = (FoundBy.SPIDER, FoundBy.SITEMAP, FoundBy.FEED)
"""On a site that is crawled: when it was first seen says when it appeared."""
NOT_SEEN_WHEN_NEW: Final = frozenset({FoundBy.IMPORT, FoundBy.SEARCH})
"""May have stood somewhere for years before it was first seen here."""
FOUND_ON_THE_WEB: Final = (*FOUND_BY_CRAWLS, FoundBy.SEARCH)
"""What anybody can read, as opposed to what people of this installation handed in."""


class FindState(StrEnum):
    """What became of a page that a search service returned for an article of ours."""

    WAITING = "waiting"
    LEFT_OUT = "left-out"
    REFUSED = "refused"
    """It could not be fetched or read."""
    NO_COPY = "no-copy"
    PASSAGE = "passage"
    """It shares a passage only: a person looks first."""
    COPY = "copy"


class HostDecision(StrEnum):
    """What a person decided about a host on which copies were found."""

    WATCHED = "watched"
    IGNORED = "ignored"


class Rights(StrEnum):
    """Whose text it is: a wire story is not ours to claim."""

    OWN = "own"
    AGENCY = "agency"
    LICENSED_IN = "licensed-in"
    UNKNOWN = "unknown"


class ArticleKind(StrEnum):
    """What an article is, as its page declares or is built."""

    ARTICLE = "article"
    THREAD = "thread"
    RECIPE = "recipe"
    PRODUCT = "product"
    QUESTION = "question"
    DOCUMENT = "document"
    """A manual, a report, conditions, a long page about its site."""


class Precision(StrEnum):
    """How exact a declared date is."""

    SECOND = "second"
    MINUTE = "minute"
    DAY = "day"
    MONTH = "month"
    NONE = "none"


class DateOrigin(StrEnum):
    """Where a declared date was read, the most reliable first."""

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
    """Kind of copy, seen from the copying text."""

    IDENTICAL = "identical"
    NEAR = "near"
    EXCERPT = "excerpt"
    EMBEDDED = "embedded"
    MOSAIC = "mosaic"
    SCRAMBLED = "scrambled"


class RetellingKind(StrEnum):
    """How a text says what another says, where the wording is not the same."""

    RETOLD = "retold"
    TRANSLATED = "translated"


class CaseKind(StrEnum):
    """Kind of copy in a case: that of a match, or of a retelling where nothing but meaning was found."""

    IDENTICAL = "identical"
    NEAR = "near"
    EXCERPT = "excerpt"
    EMBEDDED = "embedded"
    MOSAIC = "mosaic"
    SCRAMBLED = "scrambled"
    RETOLD = "retold"
    TRANSLATED = "translated"


BY_MEANING: Final = frozenset({CaseKind.RETOLD, CaseKind.TRANSLATED})
"""Kinds that no wording proves."""


class Relation(StrEnum):
    """How two alike texts are related."""

    COPY = "copy"
    BOTH_FROM_THIRD = "both_from_third"
    """Both have it from a third text, and neither from the other."""


class RetellingState(StrEnum):
    """What a person decided about a possible retelling."""

    OPEN = "open"
    CASE = "case"
    DISMISSED = "dismissed"


class Credit(StrEnum):
    """How the copy names its source."""

    LINKED = "linked"
    NAMED = "named"
    NONE = "none"


class CaseState(StrEnum):
    """The state of a case. `case_states` says who may move it to which state."""

    NEW = "new"
    REVIEWING = "reviewing"
    CONFIRMED = "confirmed"
    LICENSED = "licensed"
    DISMISSED = "dismissed"
    NOTIFIED = "notified"
    REMOVED = "removed"
    REAPPEARED = "reappeared"
    WITHDRAWN = "withdrawn"
    """Withdrawn by the program before a person touched it: its hits are no longer found."""


class CaseQueue(StrEnum):
    """The list that a case belongs to."""

    COPIED = "copied"
    WE_MAY_BE_COPIER = "we-may-be-copier"
    AGENCY = "agency"
    """The text may be a news agency's, which both may use."""
    SHARED_PASSAGE = "shared-passage"
    """A search service returned the page, which shares a passage only: both may have it from elsewhere."""


class CaseEventKind(StrEnum):
    """Kind of an event of a case."""

    OPENED = "opened"
    PAGE_JOINED = "page-joined"
    PAGE_LEFT = "page-left"
    MOVED = "moved"
    QUEUED = "queued"
    ASSIGNED = "assigned"
    NOTED = "noted"
    DEADLINE = "deadline"
    UNDONE = "undone"
    """A person undid the last move."""
    NOTIFIED = "notified"
    """A notice was sent to the copier: recipient and channel."""
    REPLIED = "replied"
    LICENSED = "licensed"
    """A person permitted the copy, and a licence was made of it."""
    PAGE_GONE = "page-gone"
    """A copy was found taken down."""
    PAGE_BACK = "page-back"
    """A copy that had been taken down was found again."""
    FIGURES = "figures"
    """The copied amount differs from that at the decision."""
    PAGE_LOOKED = "page-looked"
    """The state of a copy changed; `details` names it."""
    SNOOZED = "snoozed"
    """A person put the case off until a moment, or took it up again."""
    COMMENTED = "commented"
    """`note` is the comment, `details` names the accounts that it mentions."""


class SetAsideScope(StrEnum):
    """Where a text proves nothing by a person's decision: in comparisons with pages of one site or of one party, or in
    all.
    """

    SITE = "site"
    OWNER = "owner"
    EVERYWHERE = "everywhere"


class Sight(StrEnum):
    """The result of one recheck of a page."""

    THERE = "there"
    EDITED = "edited"
    """The page exists, without the passages of ours."""
    ABSENT = "absent"
    """The page says that it does not exist: 404, 410, a notice."""
    ELSEWHERE = "elsewhere"
    """The address leads to a front page, a list or another article."""
    UNREADABLE = "unreadable"
    """Inconclusive: no answer, an error, a captcha, a log-in, a paywall."""


class CopyState(StrEnum):
    """The state of a copy after all rechecks; see `copy_states`."""

    THERE = "there"
    EDITED = "edited"
    MISSING = "missing"
    """One recheck found that the page says it does not exist."""
    REMOVED = "removed"
    """Two rechecks did, some time apart."""
    ELSEWHERE = "elsewhere"
    UNREADABLE = "unreadable"


class Dismissal(StrEnum):
    """Why a person dismissed a case."""

    NOT_A_COPY = "not-a-copy"
    """The texts are only similar."""
    COMMON_WORDING = "common-wording"
    """They share common text: a disclaimer, a table, a set phrase."""
    QUOTATION = "quotation"
    """A marked quotation, or a use that the law permits."""
    NOT_OURS = "not-ours"
    """Both have it from a third party."""
    NOT_WORTH_IT = "not-worth-it"
    """A copy, but negligible."""


class Severity(StrEnum):
    """Severity of a copy: `storage.cases.severity` has the thresholds."""

    GRAVE = "grave"
    MIDDLING = "middling"
    SLIGHT = "slight"


class Verdict(StrEnum):
    """A person's decision as a label of the program's: `storage.cases.verdicts` maps them."""

    RIGHT = "right"
    LAWFUL = "lawful"
    """A copy, and one that the law permits: found rightly, but nothing to pursue."""
    WRONG = "wrong"


class NoticeChannel(StrEnum):
    """The channel of a notice to a copier."""

    MAIL = "mail"
    FORM = "form"
    """The complaint form of a platform."""
    LETTER = "letter"
    LAWYER = "lawyer"
    PHONE = "phone"
    OTHER = "other"


class Standing(StrEnum):
    """The result of the licences for a copy."""

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
    """Roles of accounts. Each includes the permissions of the ones before it."""

    VIEWER = "viewer"
    REVIEWER = "reviewer"
    MANAGER = "manager"
    ADMINISTRATOR = "administrator"


class OnboardingStep(StrEnum):
    """The steps of the first hour, in order."""

    OWN_SITE = "own-site"
    OWN_ARTICLES = "own-articles"
    WATCHED_SITES = "watched-sites"
    ALERTS = "alerts"
    LETTERHEAD = "letterhead"


class CheckState(StrEnum):
    """How far the check of a text has come."""

    QUEUED = "queued"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"


class FilePlace(StrEnum):
    """Location of a file to import."""

    UPLOADED = "uploaded"
    """In the home, uploaded at the desk; deleted after the import."""
    FOLDER = "folder"
    """In the folder that this installation offers for imports."""


class FileFailure(StrEnum):
    """Why a file was not imported, or not to its end."""

    GONE = "gone"
    DENIED = "denied"
    OUTSIDE = "outside"
    """A link leads out of the offered folder."""
    NO_FOLDER = "no-folder"
    """No folder is offered any more."""
    BROKE_OFF = "broke-off"
