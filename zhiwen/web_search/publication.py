"""Whether a page of ours is published: it answers a stranger with an article, and asks no robot to leave it out.

What does not is private, and nothing of it is sent to a search service.
"""

from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from crawler.extraction.extract import Article
from crawler.extraction.html.robots_meta import NOINDEX, directives
from crawler.outcomes.refusals import Refusal
from crawler.urls.canonical import identity_of

if TYPE_CHECKING:
    from crawler.evidence.page_capture import Look

NO_ANSWER: Final = frozenset(
    {
        Refusal.UNREACHABLE,
        Refusal.TIMEOUT,
        Refusal.BROKEN_RESPONSE,
        Refusal.HOST_HELD,
        Refusal.PARSE_DEADLINE,
        Refusal.PARSER_DIED,
    }
)
"""Says nothing about the page: it is looked at again in the next run."""
HIDDEN: Final = frozenset({Refusal.BARRED, Refusal.GONE})
FAILING: Final = 500
LATER: Final = frozenset({408, 425, 429})


class NoAnswer(Exception):
    """The server of a page of ours did not answer, so that nobody knows whether the page is published."""


def is_published(url: str, look: "Look | Refusal") -> bool:
    """Judge a look at `url` by a stranger who obeys robots.txt. Raises NoAnswer.

    Not published: an error status, a captcha, a log-in, “not found” with status 200, what robots.txt forbids, what asks
    with `noindex` not to be found by search, a private address, and a redirect to something that is no article.
    """
    if isinstance(look, Refusal):
        if look in NO_ANSWER:
            raise NoAnswer(url)
        return False
    page = look.last.page
    if look.outcome in NO_ANSWER or page.status >= FAILING or page.status in LATER:
        raise NoAnswer(url)
    if page.refusal is not None or look.outcome in HIDDEN:
        return False
    if NOINDEX in directives(page.body, page.headers.get("x-robots-tag")):
        return False
    if identity_of(page.url) == identity_of(url):
        return True
    return isinstance(look.outcome, Article) and urlsplit(page.url).path not in ("", "/")
