"""The words for what storage and the matcher name by code. Templates look them up; unknown codes show as they are."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Final

from flask_babel import lazy_gettext as _l

from admin.accounts.labels import ACCESS_ACTS
from admin.alerts.labels import ALERT_ACTS, ALERT_TABLES
from admin.auth.passwords import Refused
from admin.cases.labels import CASE_ACTS, CASE_TABLES, CHANNELS, STATES
from admin.check.labels import CHECK_ACTS
from admin.imports.labels import IMPORT_ACTS, IMPORT_TABLES
from admin.monitoring.labels import WATCH_TABLES
from admin.pages.labels import PAGE_ACTS, PAGE_TABLES
from crawler.outcomes.refusals import Refusal
from matcher.alignment.diff import DifferenceType
from storage.types import AccountRole, Credit, DateOrigin, FoundBy, MatchKind, Precision, Rights, SiteRole

KINDS: Final[Mapping[str, object]] = {
    MatchKind.IDENTICAL: _l("Identical"),
    MatchKind.NEAR: _l("Near copy"),
    MatchKind.EXCERPT: _l("Excerpt"),
    MatchKind.EMBEDDED: _l("Embedded"),
    MatchKind.MOSAIC: _l("Mosaic"),
    MatchKind.SCRAMBLED: _l("Scrambled"),
}

KIND_MEANINGS: Final[Mapping[str, object]] = {
    MatchKind.IDENTICAL: _l("The same text; at most the way characters are written differs."),
    MatchKind.NEAR: _l("The whole article with small changes."),
    MatchKind.EXCERPT: _l("Most of the copy is one part of the source."),
    MatchKind.EMBEDDED: _l("A part of the copy comes from the source; the rest is something else."),
    MatchKind.MOSAIC: _l("The copy is put together from several sources."),
    MatchKind.SCRAMBLED: _l("The source in another order."),
}

CREDITS: Final[Mapping[str, object]] = {
    Credit.LINKED: _l("Linked"),
    Credit.NAMED: _l("Named"),
    Credit.NONE: _l("No credit"),
}

ROLES: Final[Mapping[str, object]] = {
    SiteRole.ORIGINAL: _l("Original (ours)"),
    SiteRole.WATCHED: _l("Watched"),
}

DIFFERENCES: Final[Mapping[str, object]] = {
    DifferenceType.HOMOPHONE: _l("Homophone"),
    DifferenceType.VARIANT: _l("Script variant"),
    DifferenceType.LOOKALIKE: _l("Look-alike"),
    DifferenceType.EDITED: _l("Reworded"),
    DifferenceType.INSERTED: _l("Added"),
    DifferenceType.DELETED: _l("Left out"),
    "moved": _l("Moved"),
}

DIFFERENCE_MEANINGS: Final[Mapping[str, object]] = {
    DifferenceType.HOMOPHONE: _l("another character that sounds the same"),
    DifferenceType.VARIANT: _l("simplified for traditional, full width for half width, or the like"),
    DifferenceType.LOOKALIKE: _l("another character that looks the same"),
    DifferenceType.EDITED: _l("other words"),
    DifferenceType.INSERTED: _l("stands in the copy only"),
    DifferenceType.DELETED: _l("stands in the source only"),
    "moved": _l("a passage that stands at another place in the order"),
}

RIGHTS: Final[Mapping[str, object]] = {
    Rights.OWN: _l("own"),
    Rights.AGENCY: _l("agency"),
    Rights.LICENSED_IN: _l("licensed in"),
    Rights.UNKNOWN: _l("unknown"),
}

PRECISIONS: Final[Mapping[str, object]] = {
    Precision.SECOND: _l("to the second"),
    Precision.MINUTE: _l("to the minute"),
    Precision.DAY: _l("day only"),
    Precision.MONTH: _l("month only"),
    Precision.NONE: _l("not stated"),
}

ORIGINS: Final[Mapping[str, object]] = {
    DateOrigin.FEED: _l("from the feed"),
    DateOrigin.SITEMAP: _l("from the sitemap"),
    DateOrigin.JSON_LD: _l("from the page's structured data"),
    DateOrigin.META: _l("from the page's meta data"),
    DateOrigin.VISIBLE: _l("as printed on the page"),
    DateOrigin.URL: _l("from the address"),
    DateOrigin.HTTP: _l("from the server"),
    DateOrigin.IMPORT: _l("as imported"),
    DateOrigin.NONE: _l("not stated"),
}

FOUND_BY: Final[Mapping[str, object]] = {
    FoundBy.SPIDER: _l("found by the spider"),
    FoundBy.SITEMAP: _l("found in the sitemap"),
    FoundBy.FEED: _l("found in the feed"),
    FoundBy.IMPORT: _l("imported"),
    FoundBy.HAND: _l("added by hand"),
}

REFUSALS: Final[Mapping[str, object]] = {
    Refusal.UNUSABLE_URL: _l("not a usable address"),
    Refusal.OUT_OF_SCOPE: _l("outside the site"),
    Refusal.DENIED: _l("denied by a pattern"),
    Refusal.SLOW_PATTERN: _l("a pattern takes too long on it"),
    Refusal.URL_TOO_LONG: _l("address too long"),
    Refusal.URL_TOO_DEEP: _l("address too deep"),
    Refusal.REPEATED_PATH: _l("address repeats itself"),
    Refusal.LINK_TOO_DEEP: _l("too many links from the start"),
    Refusal.ENDLESS_PARAMETERS: _l("endless parameters"),
    Refusal.BEYOND_BOUND: _l("longer than is read"),
    Refusal.BUDGET: _l("page budget used up"),
    Refusal.ROBOTS: _l("robots.txt says no"),
    Refusal.NOT_TO_BE_KEPT: _l("asks not to be kept"),
    Refusal.BLOCKED_ADDRESS: _l("private network address"),
    Refusal.UNREACHABLE: _l("unreachable"),
    Refusal.TIMEOUT: _l("no answer in time"),
    Refusal.BAD_STATUS: _l("error status"),
    Refusal.HOST_HELD: _l("the server asked for a pause"),
    Refusal.BARRED: _l("asks for a captcha or a log-in"),
    Refusal.GONE: _l("gone"),
    Refusal.TOO_MANY_REDIRECTS: _l("too many redirects"),
    Refusal.TOO_LARGE: _l("too large"),
    Refusal.BROKEN_RESPONSE: _l("broken response"),
    Refusal.WRONG_TYPE: _l("not a text page"),
    Refusal.NOT_A_FILE: _l("a link, a pipe or a device, not a file"),
    Refusal.UNDECODABLE: _l("unknown encoding"),
    Refusal.BROKEN_MARKUP: _l("broken markup"),
    Refusal.NESTED_TOO_DEEP: _l("nested too deep"),
    Refusal.TOO_MANY_ATTRIBUTES: _l("a tag with too many attributes"),
    Refusal.PARSE_DEADLINE: _l("took too long to read"),
    Refusal.PARSER_DIED: _l("could not be read"),
    Refusal.NOT_AN_ARTICLE: _l("not an article"),
    Refusal.LIST_PAGE: _l("a list of articles"),
    Refusal.SITE_PAGE: _l("about the site itself (contact, search)"),
    Refusal.TOO_SHORT: _l("too short"),
    Refusal.PAYWALL: _l("behind a paywall"),
    Refusal.FOLLOWING_PART: _l("a later part of another page"),
    Refusal.RULE_FOUND_NOTHING: _l("the site's rule finds no text"),
    Refusal.DUPLICATE: _l("seen already"),
    Refusal.NO_EVIDENCE: _l("its response is not at hand"),
}

COUNTERS: Final[Mapping[str, object]] = {
    "pages/fetched": _l("pages fetched"),
    "articles/new": _l("new articles"),
    "articles/chars": _l("characters of new articles"),
    "articles/changed": _l("changed articles"),
    "articles/unchanged": _l("unchanged articles"),
    "articles/gone": _l("articles gone"),
    "articles/back": _l("articles back again"),
    "lists/unchanged": _l("unchanged lists"),
    "parts/fetched": _l("later parts fetched"),
    "feeds/read": _l("feeds read"),
    "sitemaps/read": _l("sitemaps read"),
    "hosts/asked-too-much": _l("times told to slow down"),
    "waits/room": _l("waits for room on the disk"),
}

EXITS: Final[Mapping[str, object]] = {
    "finished": _l("finished"),
    "shutdown": _l("stopped"),
    "failed": _l("failed"),
    "died": _l("died"),
    "busy": _l("another crawl was at work"),
    "outside-window": _l("outside its hours"),
    "storage-failed": _l("the database could not write"),
    "lost": _l("lost: its process is gone"),
    "out-of-time": _l("its time was over"),
    "out-of-memory": _l("it took too much memory"),
    "stalled": _l("it made no progress"),
}

TRIGGERS: Final[Mapping[str, object]] = {
    "command line": _l("on the command line"),
    "demo": _l("for the demo"),
    "desk": _l("from the desk"),
    "run now": _l("at once, by hand"),
    "schedule": _l("by schedule"),
}

PASSWORDS: Final[Mapping[str, object]] = {
    Refused.TOO_SHORT: _l("The password is too short: at least ten characters, best a few words."),
    Refused.TOO_LONG: _l("The password is too long: at most 1,024 characters."),
    Refused.IS_NAME: _l("The password is made of the account's name; choose something else."),
    Refused.COMMON: _l("This password is among the first that anybody would try; choose something else."),
}

ACCOUNT_ROLES: Final[Mapping[str, object]] = {
    AccountRole.VIEWER: _l("Viewer"),
    AccountRole.REVIEWER: _l("Reviewer"),
    AccountRole.MANAGER: _l("Manager"),
    AccountRole.ADMINISTRATOR: _l("Administrator"),
}

ACCOUNT_ROLE_MEANINGS: Final[Mapping[str, object]] = {
    AccountRole.VIEWER: _l("reads everything except people"),
    AccountRole.REVIEWER: _l("also decides cases and checks texts"),
    AccountRole.MANAGER: _l("also keeps sites, owners, licences and rules"),
    AccountRole.ADMINISTRATOR: _l("also keeps people and sees the audit log"),
}

REQUIREMENTS: Final[Mapping[str, object]] = {
    Credit.LINKED: _l("a link to the original"),
    Credit.NAMED: _l("a credit, or a link"),
    Credit.NONE: _l("nothing"),
}

LICENCE_STANDINGS: Final[Mapping[str, object]] = {
    "valid": _l("valid"),
    "ending": _l("ends soon"),
    "expired": _l("expired"),
    "waiting": _l("not yet"),
}

AUDIT_DETAILS: Final[Mapping[str, object]] = {
    "address": _l("address:"),
    "browser": _l("browser:"),
    "by": _l("by:"),
    "cases": _l("cases:"),
    "channel": _l("by way of:"),
    "count": _l("count:"),
    "enabled": _l("may log in:"),
    "from": _l("from:"),
    "kept": _l("stays:"),
    "kind": _l("kind:"),
    "language": _l("language:"),
    "licence": _l("licence:"),
    "manners": _l("manners:"),
    "owner": _l("owner:"),
    "pages": _l("pages:"),
    "query": _l("filter:"),
    "recipient": _l("to whom:"),
    "requires": _l("requires:"),
    "role": _l("role:"),
    "rule": _l("rule:"),
    "rights": _l("rights:"),
    "scope": _l("for:"),
    "site": _l("site:"),
    "start": _l("start pages:"),
    "time_zone": _l("time zone:"),
    "title": _l("title:"),
    "to": _l("to:"),
    "until": _l("until:"),
}

AUDIT_WORDS: Final[Mapping[str, object]] = {
    "article": _l("this article"),
    "everything": _l("all articles from now on"),
    "link": _l("by link"),
    "password": _l("by one-time password"),
    **ROLES,
    **ACCOUNT_ROLES,
    **STATES,
    **CHANNELS,
    **REQUIREMENTS,
    **RIGHTS,
}
"""Values of the audit log that are codes."""

ACTS: Final[Mapping[str, object]] = {
    **CASE_ACTS,
    **ALERT_ACTS,
    **PAGE_ACTS,
    **IMPORT_ACTS,
    **CHECK_ACTS,
    **ACCESS_ACTS,
    "account.add": _l("account added"),
    "account.edit": _l("account changed"),
    "account.password": _l("own password changed"),
    "account.preferences": _l("own preferences changed"),
    "account.remove": _l("account removed"),
    "account.reset": _l("password reset"),
    "licence.add": _l("licence added"),
    "licence.remove": _l("licence taken back"),
    "owner.add": _l("owner added"),
    "owner.edit": _l("owner changed"),
    "site.add": _l("site added"),
    "site.crawl": _l("crawl asked for"),
    "site.edit": _l("site changed"),
    "alarm.accept": _l("taken for usual"),
    "site.pause": _l("site paused"),
    "site.remove": _l("site removed"),
    "site.resume": _l("site resumed"),
    "site.schedule": _l("schedule changed"),
    "site.rule": _l("extraction rule changed"),
    "session.begin": _l("logged in"),
    "session.end": _l("logged out"),
    "session.revoke": _l("browsers logged out"),
}

TABLES: Final[Mapping[str, Mapping[str, object]]] = {
    "kind": KINDS,
    "kind_meaning": KIND_MEANINGS,
    "credit": CREDITS,
    "role": ROLES,
    "difference": DIFFERENCES,
    "difference_meaning": DIFFERENCE_MEANINGS,
    "rights": RIGHTS,
    "precision": PRECISIONS,
    "origin": ORIGINS,
    "found_by": FOUND_BY,
    "refusal": REFUSALS,
    "exit": EXITS,
    "counter": COUNTERS,
    "trigger": TRIGGERS,
    "password": PASSWORDS,
    "requirement": REQUIREMENTS,
    "licence_standing": LICENCE_STANDINGS,
    "account_role": ACCOUNT_ROLES,
    "account_role_meaning": ACCOUNT_ROLE_MEANINGS,
    "act": ACTS,
    "audit_detail": AUDIT_DETAILS,
    "audit_word": AUDIT_WORDS,
    **IMPORT_TABLES,
    **CASE_TABLES,
    **WATCH_TABLES,
    **ALERT_TABLES,
    **PAGE_TABLES,
}


def label(code: str | StrEnum | None, table: str) -> str:
    """The word for `code` in the reader's language."""
    return str(TABLES[table].get(code, code)) if code is not None else ""
