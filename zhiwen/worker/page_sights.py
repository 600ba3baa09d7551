"""Results of rechecking a page: is the copy still there? Pure."""

from dataclasses import dataclass
from typing import Final

import numpy as np

from crawler.extraction.article import Article, Outcome
from crawler.extraction.page_types.barriers import is_barrier_address
from crawler.extraction.page_types.list_pages import is_list_address
from crawler.extraction.page_types.soft_404 import holds_notice
from crawler.outcomes.refusals import Refusal
from crawler.spider.duplicates import is_same_article
from crawler.urls.canonical import identity_of
from fingerprint.initials import to_initials
from fingerprint.normalize import canonicalize
from matcher.alignment.kgrams import Grams
from matcher.judgement.judge import judge
from storage.types import Sight

STUB_SHARE: Final = 0.6
"""Share of the stored text's length: a page with only its beginning, up to this share, is a stub and not an edit."""

_NO_BOILERPLATE: Final[Grams] = np.empty(0, np.uint64)


@dataclass(frozen=True, slots=True)
class Known:
    """The stored data: the address of the copy, its text, and the source text that it shares passages with.

    Both texts are None for a page of the source: only its presence is checked.
    """

    url: str
    theirs: str | None = None
    ours: str | None = None


def sight_of(known: Known, url: str, outcome: Outcome) -> Sight:
    """`url`: the final address, after redirects. `outcome`: the article on the page, or why there is none."""
    if isinstance(outcome, Article):
        return _of_article(known, url, outcome.text)
    is_redirected = identity_of(url) != identity_of(known.url)
    if outcome is Refusal.GONE:
        # A stored text about deleted articles would look like a deletion notice itself.
        speaks = known.theirs is not None and holds_notice("", known.theirs.splitlines())
        return Sight.UNREADABLE if speaks else Sight.ABSENT
    if outcome is Refusal.LIST_PAGE:
        return Sight.UNREADABLE if is_redirected and is_barrier_address(url) else Sight.ELSEWHERE
    if outcome in _READ and is_redirected and is_list_address(url):
        return Sight.ELSEWHERE
    return Sight.UNREADABLE


_READ: Final = frozenset({Refusal.NOT_AN_ARTICLE, Refusal.TOO_SHORT, Refusal.SITE_PAGE, Refusal.PAYWALL})
"""The page was read and is no article: often a front page."""


def _of_article(known: Known, url: str, text: str) -> Sight:
    if known.theirs is None or known.ours is None:
        return Sight.THERE
    if _holds_ours(known.theirs, known.ours, text):
        return Sight.THERE
    if identity_of(url) != identity_of(known.url):
        return Sight.UNREADABLE if is_barrier_address(url) else Sight.ELSEWHERE
    return Sight.UNREADABLE if _is_stub(known.theirs, text) else Sight.EDITED


def _holds_ours(theirs: str, ours: str, text: str) -> bool:
    if _plain(text) == _plain(theirs) or _shares_passages(text, ours):
        return True
    # A match without shared passages (the same words in another order) is there as long as the text is.
    is_kept = len(_plain(text)) > STUB_SHARE * len(_plain(theirs)) and is_same_article(theirs, text)
    return is_kept and not _shares_passages(theirs, ours)


def _shares_passages(text: str, ours: str) -> bool:
    """True if a comparison of the two texts gives a match, as `zhiwen match` would find."""
    left, right = to_initials(canonicalize(text)), to_initials(canonicalize(ours))
    return judge(left, right, boilerplate=_NO_BOILERPLATE).is_match


def _is_stub(stored: str, text: str) -> bool:
    """True if the text is only the beginning of the stored one, except for its last line, which may be an offer."""
    shown, whole = _plain(text), _plain(stored)
    without_last = _plain(text.rpartition("\n")[0])
    is_short = 0 < len(shown) <= STUB_SHARE * len(whole)
    return is_short and whole.startswith(without_last or shown)


def _plain(text: str) -> str:
    return "".join(filter(str.isalnum, text))
