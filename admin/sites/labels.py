"""Labels of sites, refusals and runs."""

from collections.abc import Mapping
from typing import Final

from flask_babel import lazy_gettext as _l

from crawler.outcomes.refusal_words import REFUSAL_WORDS
from storage.types import SiteRole

ROLES: Final[Mapping[str, object]] = {
    SiteRole.ORIGINAL: _l("Original (ours)"),
    SiteRole.WATCHED: _l("Watched"),
}


REFUSALS: Final[Mapping[str, object]] = {refusal: _l(words) for refusal, words in REFUSAL_WORDS.items()}


SITE_TABLES: Final[Mapping[str, Mapping[str, object]]] = {
    "role": ROLES,
    "refusal": REFUSALS,
    "exit": {
        "finished": _l("finished"),
        "shutdown": _l("stopped"),
        "failed": _l("failed"),
        "died": _l("crashed"),
        "busy": _l("another crawl was running"),
        "outside-window": _l("outside crawl hours"),
        "storage-failed": _l("could not write to the database"),
        "lost": _l("lost: process no longer exists"),
        "out-of-time": _l("time limit reached"),
        "out-of-memory": _l("memory limit reached"),
        "stalled": _l("no progress"),
    },
    "counter": {
        "pages/fetched": _l("pages fetched"),
        "articles/new": _l("new articles"),
        "articles/chars": _l("characters of new articles"),
        "articles/changed": _l("changed articles"),
        "articles/unchanged": _l("unchanged articles"),
        "articles/gone": _l("articles removed"),
        "articles/back": _l("articles back online"),
        "lists/unchanged": _l("unchanged lists"),
        "parts/fetched": _l("continuation pages fetched"),
        "feeds/read": _l("feeds read"),
        "sitemaps/read": _l("sitemaps read"),
        "hosts/asked-too-much": _l("requests to slow down"),
        "waits/room": _l("waits for disk space"),
    },
    "trigger": {
        "command line": _l("on the command line"),
        "demo": _l("for the demo"),
        "desk": _l("from the desk"),
        "run now": _l("at once, by hand"),
        "schedule": _l("by schedule"),
    },
}
