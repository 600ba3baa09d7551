"""Refusals in words, with the way out where there is one: for somebody who asked for a single page."""

from typing import Final

from crawler.outcomes.refusals import Refusal

_WORDS: Final = {
    Refusal.UNUSABLE_URL: "it is not a usable web address",
    Refusal.BLOCKED_ADDRESS: (
        "it is on a private network, which the crawler never enters; to open one, name it in ZHIWEN_ALLOWED_NETWORKS, "
        "for example 192.168.0.0/16"
    ),
    Refusal.UNREACHABLE: "nothing answers there; check the address in a browser",
    Refusal.TIMEOUT: "it did not answer in time; try again later",
    Refusal.BAD_STATUS: "the server refused it; check the address in a browser",
    Refusal.HOST_HELD: "its server asks to be left alone for a while; try again later",
    Refusal.BARRED: "it asks for a captcha or a log-in; save it from a browser and give the file with --page",
    Refusal.GONE: "it says that it does not exist (any more)",
    Refusal.TOO_MANY_REDIRECTS: "it leads in circles",
    Refusal.TOO_LARGE: "it is larger than any article",
    Refusal.BROKEN_RESPONSE: "the server's answer is broken",
    Refusal.WRONG_TYPE: "it is no web page; save its text into a file and give that",
    Refusal.NOT_A_FILE: "it is a link, a pipe or a device, not a file",
    Refusal.UNDECODABLE: "it is not text in any encoding known",
    Refusal.BROKEN_MARKUP: "its markup cannot be read",
    Refusal.NESTED_TOO_DEEP: "its markup is nested too deep to be read",
    Refusal.NOT_AN_ARTICLE: "no article was found on it; paste its text into a file and give that",
    Refusal.LIST_PAGE: "it is a list of articles; give the address of one of them",
    Refusal.SITE_PAGE: "it is about its site (contact, search) and none of its articles",
    Refusal.PAYWALL: "it shows only the beginning of its article to who does not pay",
    Refusal.FOLLOWING_PART: "it is a later part of another page; give the address of the first",
    Refusal.RULE_FOUND_NOTHING: "the site's extraction rule finds no text on it",
    Refusal.TOO_SHORT: "its text is too short to be judged",
}


def in_words(refusal: Refusal) -> str:
    """A clause that goes on from the address and a colon."""
    return _WORDS.get(refusal, refusal.value.replace("-", " "))
