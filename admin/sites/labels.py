"""Words for sites, refusals and runs."""

from collections.abc import Mapping
from typing import Final

from flask_babel import lazy_gettext as _l

from crawler.outcomes.refusals import Refusal
from storage.types import SiteRole

ROLES: Final[Mapping[str, object]] = {
    SiteRole.ORIGINAL: _l("Original (ours)"),
    SiteRole.WATCHED: _l("Watched"),
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

SITE_TABLES: Final[Mapping[str, Mapping[str, object]]] = {
    "role": ROLES,
    "refusal": REFUSALS,
    "exit": EXITS,
    "counter": COUNTERS,
    "trigger": TRIGGERS,
}
