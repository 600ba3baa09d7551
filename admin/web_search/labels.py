"""Labels of search services: kinds, faults, limits, and what became of what they found."""

from collections.abc import Mapping
from typing import Final

from flask_babel import lazy_gettext as _l

from crawler.web_search.budget import Limit
from crawler.web_search.declared import ServiceKind
from crawler.web_search.ranking import LeftOut
from crawler.web_search.service import Fault
from storage.types import FindState

KINDS: Final[Mapping[str, object]] = {
    ServiceKind.SEARXNG: "SearXNG",
    ServiceKind.BRAVE: "Brave Search API",
    ServiceKind.JSON: _l("Another service with JSON results"),
    ServiceKind.FEED: _l("A feed of results"),
    ServiceKind.INFINI_GRAM: _l("infini-gram, an index of a past crawl"),
}

ABOUT_KINDS: Final[Mapping[str, object]] = {
    ServiceKind.SEARXNG: _l("Your own instance, with JSON among its formats. It queries several search engines."),
    ServiceKind.BRAVE: _l("Its own index; requires a key. Each query is charged by your plan."),
    ServiceKind.JSON: _l("Any service queried by URL that returns JSON; you specify where its results are."),
    ServiceKind.FEED: _l("A URL containing the phrase that returns RSS or Atom, such as RSSHub’s."),
    ServiceKind.INFINI_GRAM: _l("Knows where a text appeared when its crawl was made, and nothing newer."),
}

FAULTS: Final[Mapping[str, object]] = {
    Fault.UNREACHABLE: _l("cannot be reached"),
    Fault.BUSY: _l("busy or failing"),
    Fault.OUT_OF_QUOTA: _l("no queries left"),
    Fault.KEY_REFUSED: _l("key refused"),
    Fault.REDIRECT: _l("redirect, not followed"),
    Fault.CAPTCHA: _l("asks for a captcha"),
    Fault.TOO_LARGE: _l("answer too large"),
    Fault.GARBAGE: _l("answer not understood"),
    Fault.REFUSED: _l("query refused"),
    Fault.INTERRUPTED: _l("interrupted"),
}

LIMITS: Final[Mapping[str, object]] = {
    Limit.QUERIES_A_DAY: _l("today’s queries are used up"),
    Limit.QUERIES_A_MONTH: _l("this month’s queries are used up"),
    Limit.MONEY_A_MONTH: _l("this month’s money is used up"),
}

FIND_STATES: Final[Mapping[str, object]] = {
    FindState.WAITING: _l("waiting to be fetched"),
    FindState.LEFT_OUT: _l("left out"),
    FindState.REFUSED: _l("could not be read"),
    FindState.NO_COPY: _l("not a copy"),
    FindState.PASSAGE: _l("shares a passage"),
    FindState.COPY: _l("copy"),
}

LEFT_OUT: Final[Mapping[str, object]] = {
    LeftOut.KNOWN_PAGE: _l("already stored"),
    LeftOut.OWN_HOST: _l("our own host"),
    LeftOut.LICENSED: _l("licensed"),
    LeftOut.IGNORED_HOST: _l("the host is ignored"),
    LeftOut.UNLIKE: _l("excerpt unrelated to the article"),
    LeftOut.TRIED: _l("fetched before"),
}

SEARCH_TABLES: Final[Mapping[str, Mapping[str, object]]] = {
    "search_kind": KINDS,
    "search_kind_about": ABOUT_KINDS,
    "search_fault": FAULTS,
    "search_limit": LIMITS,
    "find_state": FIND_STATES,
    "left_out": LEFT_OUT,
}

SEARCH_ACTS: Final[Mapping[str, object]] = {
    "service.add": _l("search service added"),
    "service.edit": _l("search service changed"),
    "service.first": _l("search service moved to top"),
    "service.remove": _l("search service removed"),
    "service.all": _l("search service order changed"),
    "service.try": _l("search service tried"),
    "searches.edit": _l("search rule of a site changed"),
    "searches.remove": _l("search rule of a site removed"),
    "host.ignore": _l("host ignored"),
    "host.propose": _l("host proposed again"),
    "host.watch": _l("proposed host watched"),
}
