"""The meaning and remedy of each refusal: one table for command line, imports and desk."""

from collections.abc import Mapping
from typing import Final

from crawler.outcomes.refusals import Refusal
from storage.messages import N_

REFUSAL_WORDS: Final[Mapping[Refusal, str]] = {
    Refusal.UNUSABLE_URL: N_("not a usable address"),
    Refusal.OUT_OF_SCOPE: N_("outside the site"),
    Refusal.DENIED: N_("denied by a pattern"),
    Refusal.SLOW_PATTERN: N_("a pattern takes too long"),
    Refusal.URL_TOO_LONG: N_("address too long"),
    Refusal.URL_TOO_DEEP: N_("address too deep"),
    Refusal.REPEATED_PATH: N_("address repeats itself"),
    Refusal.LINK_TOO_DEEP: N_("too many links from the start"),
    Refusal.ENDLESS_PARAMETERS: N_("endless parameters"),
    Refusal.BEYOND_BOUND: N_("longer than the limit"),
    Refusal.BUDGET: N_("page budget used up"),
    Refusal.ROBOTS: N_("blocked by robots.txt"),
    Refusal.NOT_TO_BE_KEPT: N_("page asks not to be stored"),
    Refusal.BLOCKED_ADDRESS: N_("private network address"),
    Refusal.UNREACHABLE: N_("unreachable"),
    Refusal.TIMEOUT: N_("no answer in time"),
    Refusal.BAD_STATUS: N_("error status"),
    Refusal.HOST_HELD: N_("the server asked for a pause"),
    Refusal.BARRED: N_("asks for a captcha or login"),
    Refusal.GONE: N_("gone"),
    Refusal.TOO_MANY_REDIRECTS: N_("too many redirects"),
    Refusal.TOO_LARGE: N_("too large"),
    Refusal.BROKEN_RESPONSE: N_("broken response"),
    Refusal.WRONG_TYPE: N_("not a text page"),
    Refusal.NOT_A_FILE: N_("a link, a pipe or a device, not a file"),
    Refusal.UNDECODABLE: N_("unknown encoding"),
    Refusal.BROKEN_MARKUP: N_("broken markup"),
    Refusal.NESTED_TOO_DEEP: N_("nested too deep"),
    Refusal.TOO_MANY_ATTRIBUTES: N_("a tag with too many attributes"),
    Refusal.PARSE_DEADLINE: N_("took too long to read"),
    Refusal.PARSER_DIED: N_("could not be read"),
    Refusal.SCAN: N_("a scan: page images without text"),
    Refusal.ENCRYPTED: N_("an encrypted document"),
    Refusal.BROKEN_DOCUMENT: N_("a damaged document"),
    Refusal.NOT_AN_ARTICLE: N_("not an article"),
    Refusal.LIST_PAGE: N_("a list of articles"),
    Refusal.SITE_PAGE: N_("about the site itself (contact, search)"),
    Refusal.TOO_SHORT: N_("too short"),
    Refusal.PAYWALL: N_("behind a paywall"),
    Refusal.FOLLOWING_PART: N_("a later part of another page"),
    Refusal.RULE_FOUND_NOTHING: N_("the site's rule finds no text"),
    Refusal.DUPLICATE: N_("already seen"),
    Refusal.NO_EVIDENCE: N_("response not available"),
}

REMEDIES: Final[Mapping[Refusal, str]] = {
    Refusal.BLOCKED_ADDRESS: (
        "the crawler never enters private networks; to open one, name it in ZHIWEN_ALLOWED_NETWORKS, for example "
        "192.168.0.0/16"
    ),
    Refusal.UNREACHABLE: "check the address in a browser",
    Refusal.TIMEOUT: "try again later",
    Refusal.BAD_STATUS: "check the address in a browser",
    Refusal.HOST_HELD: "try again later",
    Refusal.BARRED: "save the page from a browser and give the file with --page",
    Refusal.GONE: "the server says that the page does not exist (any more)",
    Refusal.SCAN: "recognise its text with another program and give that",
    Refusal.ENCRYPTED: "save it without a password and give that",
    Refusal.WRONG_TYPE: "save its text into a file and give that",
    Refusal.NOT_AN_ARTICLE: "paste its text into a file and give that",
    Refusal.LIST_PAGE: "give the address of one of its articles",
    Refusal.PAYWALL: "only the beginning of the article is shown",
    Refusal.FOLLOWING_PART: "give the address of the first part",
    Refusal.RULE_FOUND_NOTHING: "correct the rule, and try it with: zhiwen site try",
}
"""For people at the command line who asked for one page. Not every refusal has a remedy."""


def in_words(refusal: Refusal) -> str:
    """The meaning of a refusal with its remedy, as a clause that follows an address and a colon."""
    remedy = REMEDIES.get(refusal)
    return REFUSAL_WORDS[refusal] if remedy is None else f"{REFUSAL_WORDS[refusal]}; {remedy}"
