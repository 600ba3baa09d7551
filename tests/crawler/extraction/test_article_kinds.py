"""Kinds of articles: recipes, products, threads, questions and documents are articles with a name."""

import json

import pytest

from crawler.extraction.article import Article
from crawler.extraction.page_types.posts import LONG_POST, Reply, with_posts
from storage.records.pages import Post
from storage.types import ArticleKind
from tests.support.import_lines import ENGLISH, marked_up, read

TITLE = "The last ferry leaves the northern pier"
TEXT = marked_up(ENGLISH * 3)
OPENING = "Does anybody know when the last ferry leaves the northern pier on Sundays? The table says nothing."
ANSWER = "At nine, but only from May to October. In winter the captain goes home at six, and so do I."


def page(body: str, *, data: object = None, head: str = "", url: str = "http://news.example/a") -> Article:
    script = "" if data is None else f"<script type='application/ld+json'>{json.dumps(data)}</script>"
    found = read(
        f"<html><head><title>{TITLE}</title>{script}{head}</head><body><h1>{TITLE}</h1>{body}</body></html>", url=url
    )
    assert isinstance(found, Article), found
    return found


@pytest.mark.parametrize(
    ("data", "head", "kind"),
    [
        ({"@type": "Recipe", "name": "Soup"}, "", ArticleKind.RECIPE),
        ({"@graph": [{"@type": ["Product", "Thing"]}]}, "", ArticleKind.PRODUCT),
        ({"@type": "QAPage"}, "", ArticleKind.QUESTION),
        ({"@type": "DiscussionForumPosting"}, "", ArticleKind.THREAD),
        ({"@type": "TechArticle"}, "", ArticleKind.DOCUMENT),
        (None, "<meta property='og:type' content='product'>", ArticleKind.PRODUCT),
        ({"@type": "NewsArticle"}, "", ArticleKind.ARTICLE),
        (None, "", ArticleKind.ARTICLE),
        # What the article is about, and a recipe that names its pans.
        ([{"@type": "NewsArticle"}, {"@type": "Product"}], "", ArticleKind.ARTICLE),
        ([{"@type": "Product"}, {"@type": "Recipe"}], "", ArticleKind.RECIPE),
        ({"@type": {"not": "a name"}}, "<meta property='og:type' content='Unknown'>", ArticleKind.ARTICLE),
    ],
)
def test_a_page_is_of_the_kind_that_it_declares(data: object, head: str, kind: ArticleKind) -> None:
    assert page(f"<article>{TEXT}</article>", data=data, head=head).kind is kind


def test_microdata_declare_a_kind_unless_they_are_part_of_another_item() -> None:
    item = "<div itemscope itemtype='https://schema.org/{0}' {1}>{2}</div>"
    assert page(item.format("Recipe", "", TEXT)).kind is ArticleKind.RECIPE
    assert page(TEXT + item.format("Product", "itemprop='isRelatedTo'", "A new pan")).kind is ArticleKind.ARTICLE
    assert page(f"<div class='hrecipe'>{TEXT}</div>").kind is ArticleKind.RECIPE


def test_a_long_page_about_its_site_is_a_document() -> None:
    assert page(marked_up(ENGLISH * 12), url="http://news.example/about").kind is ArticleKind.DOCUMENT


def thread(*posts: str) -> str:
    items = "".join(
        f"<div id='post_{number}'><a class='username' href='/u/{number}'>Writer {number}</a>"
        f"<div class='postcontent'>{text}</div><div class='signature'>Ships are my life.</div></div>"
        for number, text in enumerate(posts, 1)
    )
    return f"<div id='posts'>{items}</div>"


def test_a_conversation_is_one_article_with_its_posts_and_their_authors() -> None:
    quote = f"<blockquote class='quote'>{OPENING}</blockquote>"
    found = page(thread(f"<p>{OPENING}</p>", f"{quote}<p>{ANSWER}</p>", "<p>Thank you, that helps a lot.</p>"))
    assert found.kind is ArticleKind.THREAD
    assert [post.author for post in found.posts] == ["Writer 1", "Writer 2", "Writer 3"]
    assert [found.text[post.start :].splitlines()[0] for post in found.posts] == [
        OPENING,
        ANSWER,
        "Thank you, that helps a lot.",
    ]
    assert found.text.count(OPENING) == 1
    assert "Ships are my life" not in found.text


def test_of_a_declared_thread_all_posts_are_read_however_long_the_first_is() -> None:
    found = page(thread(TEXT, f"<p>{ANSWER}</p>", f"<p>{ANSWER[:40]}.</p>"), data={"@type": "DiscussionForumPosting"})
    assert (found.kind, len(found.posts)) == (ArticleKind.THREAD, 3)
    assert ANSWER in found.text


def test_comments_below_an_article_are_none_of_it() -> None:
    comments = "".join(f"<div id='p{n}'><p>{ANSWER * 2}</p></div>" for n in range(3))
    found = page(f"<article>{TEXT}</article><div class='comments'>{comments}</div>", data={"@type": "BlogPosting"})
    assert (found.kind, found.posts) == (ArticleKind.ARTICLE, ())
    assert ANSWER not in found.text


def test_a_reply_that_is_a_text_of_its_own_is_part_of_a_thread() -> None:
    opening, pasted = "江" * 400, Reply("路人", "渡" * LONG_POST)
    assert with_posts(Reply("楼主", opening), [Reply("甲", "好文章"), pasted], is_conversation=False) == (
        f"{opening}\n{pasted.text}",
        (Post("楼主", 0), Post("路人", 401)),
    )
    assert with_posts(Reply("楼主", opening), [Reply("甲", "好文章")], is_conversation=False) == (opening, ())


def test_hostile_threads_are_read_in_bounds() -> None:
    deep = "<div>" * 100 + "x" + "</div>" * 100
    found = page(
        thread(
            f"<p>{OPENING}</p>",
            "",
            "<p>\ud800\x00</p>".encode("utf-8", "replace").decode(),
            deep,
            *["<p>Yes.</p>"] * 2_000,
        )
    )
    assert len(found.posts) <= 501
    assert page(f"<article>{TEXT}</article>", data={"@type": ["x"] * 10_000}).kind is ArticleKind.ARTICLE
