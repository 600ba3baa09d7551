"""Decisions about a page that holds an article, or one part of it."""

from typing import TYPE_CHECKING

from crawler.extraction.metadata.rights import with_rights
from crawler.outcomes.refusals import Refusal
from crawler.spider.crawl_store import VisitedArticle
from crawler.spider.decisions.model import Alias, NextPart, Refuse, Store, Wait
from crawler.spider.duplicates import is_same_article
from crawler.spider.link_filter import entry
from crawler.urls.canonical import identity_of
from storage.records.crawl import UrlKind
from storage.records.pages import NewArticle

if TYPE_CHECKING:
    from crawler.spider.decisions.series import Series
    from crawler.spider.run_state import RunState
    from fingerprint.model import Fingerprint


def next_part(state: "RunState", series: "Series", url: str | None) -> NextPart | None:
    """The part at `url`, if there is one, it is inside the site's scope, and the series has room for it."""
    if url is None or not series.has_room or series.holds(url):
        return None
    refusal = state.scope.refusal(url)
    if refusal is not None:
        state.refusals.add(refusal, url)
        return None
    return NextPart(series, url)


def decide_article(state: "RunState", series: "Series", fingerprint: "Fingerprint | None") -> Store | Wait | Refuse:
    """The decisions about an article without further parts. `fingerprint` of its text; None: it took too long.

    An article that names another address of the site as canonical waits for that. A canonical link to another site is
    a claim about the source, and merges nothing.
    """
    if fingerprint is None:
        return Refuse(series.claim, Refusal.PARSE_DEADLINE, series.answer.url)
    item = VisitedArticle(
        with_rights(_new_article(state, series), state.site),
        fingerprint,
        tuple((part.url, part.response) for part in series.parts),
        series.claim,
        series.found,
        whole=series.whole_text,
        later_parts=series.later_parts,
    )
    named = item.article.canonical_link
    if named is None or identity_of(named) == identity_of(item.article.url) or state.scope.refusal(named) is not None:
        return Store(item)
    return Wait(item, entry(named, UrlKind.ARTICLE))


def decide_waiting(item: VisitedArticle, text: str | None) -> Store | Alias:
    """The decisions about an article after its canonical address was visited. `text` of the article there, if any."""
    if text is None or not is_same_article(text, item.article.text):
        return Store(item)
    return Alias(item.claim, item.article.url, item.found)


def _new_article(state: "RunState", series: "Series") -> NewArticle:
    article, claim, answer = series.article, series.claim, series.answer
    return NewArticle(
        url=answer.url,
        text=article.text,
        found_by=claim.found_by,
        fetched_at=answer.at,
        title=article.title,
        author=article.author,
        language=article.language,
        declared=article.declared if article.declared.at else claim.declared,
        site_id=state.site.id,
        credit_lines=article.credit_lines,
        credit_links=article.credit_links,
        canonical_link=article.canonical_link,
        lead_image=article.lead_image,
        kind=article.kind,
        posts=article.posts,
        etag=answer.etag,
        last_modified=answer.last_modified,
        account=None if article.account is None else article.account.key,
        account_name="" if article.account is None else article.account.name,
    )
