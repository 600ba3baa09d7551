"""The article of a page with its kind, and with the posts of its thread. Pure."""

from dataclasses import replace

from crawler.extraction.article import Article, storable
from crawler.extraction.html.text_blocks import Element
from crawler.extraction.metadata.page_metadata import says_it_is_an_article
from crawler.extraction.page_types.article_kinds import declared_kinds, kind_of
from crawler.extraction.page_types.forums import Thread
from crawler.extraction.page_types.posts import Reply, is_short, replies_of, with_posts
from storage.types import ArticleKind


def of_its_kind(article: Article, root: Element, thread: Thread, *, url: str) -> Article:
    """The article with its kind, and with the posts of its thread that are part of the text."""
    declared = declared_kinds(root)
    kind = kind_of(
        declared,
        url=url,
        title=article.title,
        posts=len(thread.replies),
        is_dated=article.declared.at is not None,
        says_article=says_it_is_an_article(root),
    )
    if kind not in (ArticleKind.THREAD, ArticleKind.QUESTION):
        return replace(article, kind=kind)
    is_conversation = kind in declared or is_short(article.text)
    first = next(iter(replies_of([thread.opening])), None) if thread.opening is not None else None
    if first is not None and first.author:
        article = replace(article, author=storable(first.author))
    opening = first if first is not None and is_conversation else Reply(article.author, article.text)
    text, posts = with_posts(opening, replies_of(thread.replies), is_conversation=is_conversation)
    return replace(article, text=storable(text), kind=kind, posts=posts)
