"""Turns the bytes of a response into an article, or into the reason why it holds none. Pure."""

from dataclasses import replace
from datetime import datetime, tzinfo
from typing import Final

from crawler.extraction.article import MAX_PAGE_BYTES, SHORTEST_ARTICLE, Outcome, Page, plain_article
from crawler.extraction.article_pagination import first_part, next_part
from crawler.extraction.documents.articles import document_kind
from crawler.extraction.documents.document_article import article_of_document
from crawler.extraction.html.charset import decode
from crawler.extraction.html.element_removal import removed
from crawler.extraction.html.hidden_pieces import hidden_pieces
from crawler.extraction.html.page_tree import PageTree, page_tree
from crawler.extraction.html.parsing import is_other_xml, parsed, refusal_of_shape, written
from crawler.extraction.html.text_blocks import Element
from crawler.extraction.list_pagination import next_list
from crawler.extraction.metadata.page_metadata import base_url, feed_links, links_of
from crawler.extraction.page_article import PageFacts, article_in, text_of_blocks
from crawler.extraction.page_types.forums import Thread, is_later_page, thread_in
from crawler.extraction.page_types.kind_and_posts import of_its_kind
from crawler.extraction.page_types.list_pages import is_list_address
from crawler.extraction.site_knowledge import SiteKnowledge, marks_of
from crawler.outcomes.refusals import Refusal
from storage.time_zones import zone_named

_TEXT_TYPES: Final = ("text/html", "application/xhtml+xml", "text/plain", "application/xml", "text/xml", "")

_NOTHING_KNOWN: Final = SiteKnowledge()


def extract(
    body: bytes,
    *,
    url: str,
    content_type: str,
    fetched_at: datetime,
    time_zone: str,
    known: SiteKnowledge = _NOTHING_KNOWN,
) -> Outcome:
    """The article in a response, or why there is none. Never raises for anything a page can hold."""
    page = read_page(body, url=url, content_type=content_type, fetched_at=fetched_at, time_zone=time_zone, known=known)
    return page.outcome


def read_page(
    body: bytes,
    *,
    url: str,
    content_type: str,
    fetched_at: datetime,
    time_zone: str,
    known: SiteKnowledge = _NOTHING_KNOWN,
) -> Page:
    """As `extract`, with the links to follow."""
    media_type = media_type_of(content_type)
    kind = document_kind(body, media_type)
    if (kind is None and media_type not in _TEXT_TYPES) or len(body) > MAX_PAGE_BYTES:
        return Page(Refusal.TOO_LARGE if len(body) > MAX_PAGE_BYTES else Refusal.WRONG_TYPE)
    if kind is not None:
        return Page(article_of_document(body, kind, url=url, zone=zone_named(time_zone), now=fetched_at))
    decoded = decode(body, content_type=content_type)
    if decoded is None:
        return Page(Refusal.UNDECODABLE)
    if media_type == "text/plain":
        return Page(plain_article(decoded.text, title=""))
    if is_other_xml(decoded.text):
        return Page(Refusal.WRONG_TYPE)
    return _read_markup(decoded.text, url=url, zone=zone_named(time_zone), now=fetched_at, known=known)


def _read_markup(text: str, *, url: str, zone: tzinfo, now: datetime, known: SiteKnowledge) -> Page:
    root, markup = parsed(text)
    if isinstance(root, Refusal):
        return Page(root)
    refusal = refusal_of_shape(root)
    if refusal is not None:
        return Page(refusal)
    base = base_url(root, url)
    page = Page(Refusal.NOT_AN_ARTICLE, links_of(root, base), feed_links(root, base))
    thread = Thread() if known.rule.content else thread_in(root)
    if thread.replies and is_later_page(url):
        return replace(page, outcome=Refusal.FOLLOWING_PART)
    next_page = None if thread.replies else next_part(root, base=base, url=url, first=known.first_part)
    earlier = None if known.first_part or is_list_address(url) else first_part(root, base=base, url=url)
    stated = known.rule.stated(root)
    unwanted = [*known.rule.elements("remove", root), *thread.replies, *hidden_pieces(root)]
    is_as_sent = not removed(unwanted)
    facts = PageFacts(
        root, lambda: markup if is_as_sent else written(root), _tree_of(root), url, base, zone, now, known, stated
    )
    outcome, read = article_in(facts)
    if isinstance(outcome, Refusal):
        return replace(page, outcome=outcome, next_list=next_list(root, base=base, url=url))
    if earlier is not None:
        return replace(page, outcome=Refusal.FOLLOWING_PART, part_of=earlier)
    whole, found = text_of_blocks(read), of_its_kind(outcome, root, thread, url=url)
    return replace(
        page,
        outcome=found,
        next_part=next_page,
        marks=marks_of(read),
        whole=None if whole == outcome.text or found.posts else whole,
    )


def media_type_of(content_type: str) -> str:
    """A media type without its parameters."""
    return content_type.partition(";")[0].strip().lower()


def _tree_of(root: Element) -> PageTree:
    """The tree of what is seen; of what is seen without scripts, if hardly anything is seen with them."""
    tree = page_tree(root)
    if sum(block.words for block in tree.blocks) >= SHORTEST_ARTICLE:
        return tree
    return page_tree(root, has_scripts=False)
