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
    ServiceKind.JSON: _l("Another service that answers with JSON"),
    ServiceKind.FEED: _l("A feed of results"),
    ServiceKind.INFINI_GRAM: _l("infini-gram, an index of a past crawl"),
}

ABOUT_KINDS: Final[Mapping[str, object]] = {
    ServiceKind.SEARXNG: _l("An instance of your own. JSON must be among its formats. It asks several search engines."),
    ServiceKind.BRAVE: _l("An index of its own, with a key. Each query has the price of your plan."),
    ServiceKind.JSON: _l(
        "Any service that is asked by an address and answers with JSON: you say where its results are."
    ),
    ServiceKind.FEED: _l("An address with the phrase in it that answers with RSS or Atom, as RSSHub has them."),
    ServiceKind.INFINI_GRAM: _l("Says where a text stood when the web was crawled for it. It knows nothing newer."),
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
    Limit.QUERIES_A_DAY: _l("the queries of today are used up"),
    Limit.QUERIES_A_MONTH: _l("the queries of this month are used up"),
    Limit.MONEY_A_MONTH: _l("the money of this month is used up"),
}

FIND_STATES: Final[Mapping[str, object]] = {
    FindState.WAITING: _l("waits to be fetched"),
    FindState.LEFT_OUT: _l("left out"),
    FindState.REFUSED: _l("could not be read"),
    FindState.NO_COPY: _l("no copy"),
    FindState.COPY: _l("copy"),
}

LEFT_OUT: Final[Mapping[str, object]] = {
    LeftOut.KNOWN_PAGE: _l("stored already"),
    LeftOut.OWN_HOST: _l("a host of ours"),
    LeftOut.LICENSED: _l("licensed"),
    LeftOut.IGNORED_HOST: _l("the host is ignored"),
    LeftOut.UNLIKE: _l("its excerpt has nothing of the article"),
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
    "service.first": _l("search service put first"),
    "service.remove": _l("search service removed"),
    "service.all": _l("how search services are asked changed"),
    "service.try": _l("search service tried out"),
    "searches.edit": _l("search rule of a site changed"),
    "searches.remove": _l("search rule of a site removed"),
    "host.ignore": _l("host ignored"),
    "host.propose": _l("host proposed again"),
    "host.watch": _l("proposed host watched"),
}
