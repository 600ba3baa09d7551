"""Whether a page of ours is published: it answers a stranger with an article, and asks no robot to leave it out.

What does not is private, and nothing of it is sent to a search service.
"""

import re
from html import unescape
from typing import TYPE_CHECKING, Final

from crawler.extraction.extract import Article
from crawler.extraction.html.charset import decode
from crawler.extraction.html.robots_meta import NOINDEX, directives
from crawler.outcomes.refusals import Refusal
from crawler.urls.canonical import identity_of
from crawler.web_search.ranking import ENOUGH_GRAMS, LONGEST_ARTICLE, ArticleGrams

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
"""Says nothing about the page: the next run rechecks it."""
HIDDEN: Final = frozenset({Refusal.BARRED, Refusal.GONE})
FAILING: Final = 500
_TAG: Final = re.compile(r"<[^<>]{0,2000}>")
LATER: Final = frozenset({408, 425, 429})


class NoAnswer(Exception):
    """The server of a page of ours did not answer, so that nobody knows whether the page is published."""


def is_published(url: str, look: "Look | Refusal", body: str) -> bool:
    """Judge a look at `url` by a stranger who obeys robots.txt. `body`: the text that is stored. Raises NoAnswer.

    Not published: an error status, a captcha, a log-in, “not found” with status 200, what robots.txt forbids, what asks
    with `noindex` not to be found by search, a private address, a redirect to something that is no article, and a page
    that shows nothing of the text.
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
    if identity_of(page.url) != identity_of(url) and not isinstance(look.outcome, Article):
        return False
    return _shows(look, body)


def _shows(look: "Look", body: str) -> bool:
    """Whether a page shows some of a text: of a paywalled one, its beginning is enough. Also where the article cannot
    be read without the rule of its site.
    """
    article = ArticleGrams(body)
    page = look.last.page
    decoded = decode(page.body, content_type=page.content_type)
    shown = [look.outcome.text if isinstance(look.outcome, Article) else ""]
    shown += [] if decoded is None else [unescape(_TAG.sub("", decoded.text))[:LONGEST_ARTICLE]]
    shared = max(article.shared_with(one)[0] for one in shown)
    return shared >= max(1, min(ENOUGH_GRAMS, len(article.grams) // 2))
