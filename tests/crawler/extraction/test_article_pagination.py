"""Articles on several pages, threads, and pages that show only a beginning."""

from dataclasses import replace
from datetime import UTC, datetime

import lxml.html
import pytest

from crawler.extraction.article import Article, Page
from crawler.extraction.article_pagination import MOST_PARTS, first_part, joined_text, next_part
from crawler.extraction.extract import read_page
from crawler.extraction.join_pages import joined
from crawler.extraction.site_knowledge import SiteKnowledge
from crawler.outcomes.refusals import Refusal
from tests.fake_web.pages import SENTENCES, article, story

NOW = datetime(2026, 11, 21, tzinfo=UTC)
HOST = "http://news.example"


def read(markup: str, *, url: str = "/a.html", known: SiteKnowledge | None = None) -> Page:
    return read_page(
        markup.encode(),
        url=HOST + url,
        content_type="text/html; charset=utf-8",
        fetched_at=NOW,
        time_zone="Asia/Shanghai",
        known=known or SiteKnowledge(),
    )


def following(link: str, *, url: str, first: str | None = None) -> str | None:
    root = lxml.html.document_fromstring(f"<html><body>{link}</body></html>")
    found = next_part(root, base=HOST + url, url=HOST + url, first=HOST + first if first else None)
    return found.removeprefix(HOST) if found else None


@pytest.mark.parametrize(
    ("url", "target"),
    [
        ("/2026/a.html", "/2026/a_2.html"),
        ("/2026/a.html", "/2026/a_1.html"),
        ("/2026/a.shtml", "/2026/a-2.shtml"),
        ("/2026/a/", "/2026/a/2/"),
        ("/2026/a.html", "/2026/a/2.html"),
        ("/2026/a/", "/2026/a/page/2"),
        ("/show.php?id=7", "/show.php?id=7&page=2"),
        ("/show.php?id=7&page=1", "/show.php?id=7&page=2"),
        ("/2026/11/a", "/2026/11/a?p=2"),
        ("/news-4711.html", "/news-4711_2.html"),
    ],
)
def test_a_second_part_is_known_by_its_link_and_its_address(url: str, target: str) -> None:
    assert following(f"<a href='{target}'>下一页</a>", url=url) == target
    assert following(f"<a href='{target}'>更多</a>", url=url) is None


@pytest.mark.parametrize(
    ("url", "link"),
    [
        ("/a.html", "<a href='/b.html'>下一页</a>"),
        ("/a.html", "<a href='/a_2.html'>下一篇</a>"),
        ("/a.html", "<a href='/a_3.html'>下一页</a>"),
        ("/post-1.html", "<a rel='next' href='/post-2.html'>江上的雾</a>"),
        ("/post-12.html", "<a rel='next' href='/post-13.html'>江上的雾</a>"),
        ("/post-12.html", "<a href='/post-13.html'>下一页</a>"),
        ("/a.html", "<a href='http://other.example/a_2.html'>下一页</a>"),
        ("/a.html", "<a href='javascript:next()'>下一页</a>"),
    ],
)
def test_another_article_is_no_second_part(url: str, link: str) -> None:
    assert following(link, url=url) is None


def test_later_parts_are_followed_from_the_first() -> None:
    link = "<link rel='next' href='/a_3.html'>"
    assert following(link, url="/a_2.html", first="/a.html") == "/a_3.html"
    assert following(link, url="/a_2.html") is None
    assert following("<a href='/a_2.html'>下一页</a>", url="/a_3.html", first="/a.html") is None


def test_a_page_in_the_middle_names_the_part_before_it() -> None:
    page = article(3, extra="<a href='/a.html'>上一页</a> <a href='/a_3.html'>下一页</a>")
    found = read(page, url="/a_2.html")
    assert (found.outcome, found.part_of) == (Refusal.FOLLOWING_PART, f"{HOST}/a.html")
    assert isinstance(read(page, url="/b_2.html").outcome, Article)


@pytest.mark.parametrize(
    "link",
    ["<a rel='prev' href='/post-11.html'>江上的雾</a>", "<a href='/post.html'>首页</a>", "<a href='/post/'>列表</a>"],
)
def test_an_article_with_a_number_in_its_address_is_no_part(link: str) -> None:
    root = lxml.html.document_fromstring(f"<html><body>{link}</body></html>")
    assert first_part(root, base=HOST, url=f"{HOST}/post-12.html") is None


def test_parts_become_one_article() -> None:
    pages = {
        "/a.html": article(1, extra="<div class='pages'><a href='/a_2.html'>下一页</a></div>"),
        "/a_2.html": article(2, extra="<div class='pages'><a href='/a_3.html'>下一页</a></div>"),
        "/a_3.html": article(3, extra="<div class='pages'><a href='/a_2.html'>上一页</a></div>"),
    }
    known, url, found = SiteKnowledge(), "/a.html", []
    for _ in range(MOST_PARTS):
        page = read(pages[url], url=url, known=known)
        assert isinstance(page.outcome, Article)
        found.append(page.outcome)
        if page.next_part is None:
            break
        known, url = replace(known, first_part=f"{HOST}/a.html"), page.next_part.removeprefix(HOST)

    whole = joined(found)

    assert whole.title == "渡口札记之1"
    assert [f"这是第{number}篇报道" in whole.text for number in (1, 2, 3)] == [True] * 3
    assert "下一页" not in whole.text


def test_lines_with_which_every_part_begins_and_ends_stand_once() -> None:
    parts = ["导语\n一\n二\n待续", "导语\n三\n待续", "导语\n四\n五\n待续"]
    assert joined_text(parts) == "导语\n一\n二\n三\n四\n五\n待续"
    assert joined_text(["一\n二"]) == "一\n二"
    assert joined_text(["一", "一"]) == "一\n一"


REPLY = "<p>楼主写得真好，江边长大的人都记得那条渡船，也记得那碗热汤面，谢谢分享。</p>"


@pytest.mark.parametrize(
    "thread",
    [
        f"<div id='post_101'>{story(1)}</div><div id='post_102'>{REPLY * 3}</div><div id='post_103'>{REPLY}</div>",
        f"<table><tr><td id='pid7'>{story(1)}</td></tr><tr><td id='pid8'>{REPLY * 3}</td></tr></table>",
        f"<div class='topic'>{story(1)}</div><div><div id='r_1'>{REPLY}</div><div id='r_2'>{REPLY}</div></div>",
        f"<div id='question'>{story(1)}</div><div id='answer-5'>{REPLY * 9}</div>",
        "<div itemscope itemtype='https://schema.org/Question'>"
        f"<div>{story(1)}</div><div itemtype='https://schema.org/Answer'>{REPLY * 9}</div></div>",
    ],
)
def test_of_a_thread_the_main_post_is_read(thread: str) -> None:
    found = read(f"<html><head><title>渡口札记之一</title></head><body><h1>渡口札记之一</h1>{thread}</body></html>")
    assert isinstance(found.outcome, Article)
    assert "这是第1篇报道" in found.outcome.text
    assert "楼主" not in found.outcome.text


def test_a_later_page_of_a_thread_is_refused_by_name() -> None:
    posts = "".join(f"<div id='post_{number}'>{REPLY * 3}</div>" for number in range(5))
    assert read(f"<html><body>{posts}</body></html>", url="/thread-7-2-1.html").outcome is Refusal.FOLLOWING_PART
    assert read(f"<html><body>{posts}</body></html>", url="/t/7?page=3").outcome is Refusal.FOLLOWING_PART


def test_numbered_paragraphs_of_an_article_are_no_thread() -> None:
    lines = "".join(f"<p id='p{number}'>{sentence}</p>" for number, sentence in enumerate(SENTENCES))
    found = read(f"<html><head><title>渡口</title></head><body><article>{lines}</article></body></html>")
    assert isinstance(found.outcome, Article)
    assert SENTENCES[-1] in found.outcome.text


@pytest.mark.parametrize(
    "asking",
    [
        "<div>登录后阅读全文</div>",
        "<p>本文为付费内容</p>",
        "<p>开通会员，即可阅读全文</p>",
        "<p>剩余 72% 付费内容未读</p>",
        "<p>Subscribe to continue reading</p>",
        '<script type="application/ld+json">{"@type": "NewsArticle", "isAccessibleForFree": false}</script>',
    ],
)
def test_a_page_that_shows_a_beginning_for_free_is_named(asking: str) -> None:
    assert read(article(1, extra=asking)).outcome is Refusal.PAYWALL


@pytest.mark.parametrize(
    "innocent",
    [
        "<p>登录后可以发表评论</p>",
        "<p>展开阅读全文</p>",
        "<p>订阅我们的周刊</p>",
        '<script type="application/ld+json">{"@type": "NewsArticle", "isAccessibleForFree": true}</script>',
    ],
)
def test_an_offer_is_no_paywall(innocent: str) -> None:
    assert isinstance(read(article(1, extra=innocent)).outcome, Article)


def test_a_long_text_with_an_offer_below_is_there_as_a_whole() -> None:
    text = "".join(f"<p>{sentence}其{number}。</p>" for number in range(8) for sentence in SENTENCES)
    page = f"<html><body><article>{text}<p>登录后阅读全文</p></article></body></html>"
    assert isinstance(read(page).outcome, Article)


def test_what_stands_on_other_pages_of_the_site_is_left_out() -> None:
    notice = "江城日报是江边最老的一份报纸，明年满一百岁，社址在渡口街七号。"
    first, second = read(article(1, extra=f"<p>{notice}</p>")), read(article(2, extra=f"<p>{notice}</p>"))
    assert isinstance(first.outcome, Article)
    assert notice in first.outcome.text

    elsewhere = frozenset(first.marks) & frozenset(second.marks)
    again = read(article(1, extra=f"<p>{notice}</p>"), known=SiteKnowledge(elsewhere=elsewhere))

    assert isinstance(again.outcome, Article)
    assert again.outcome.text == first.outcome.text.replace(f"\n{notice}", "")


def test_an_article_that_stands_under_two_addresses_stays() -> None:
    first = read(article(1))
    again = read(article(1), url="/print/a.html", known=SiteKnowledge(elsewhere=frozenset(first.marks)))
    assert again.outcome == first.outcome


@pytest.mark.parametrize(
    ("head", "extra", "image"),
    [
        ("<meta property='og:image' content='/i/1.jpg'>", "", f"{HOST}/i/1.jpg"),
        ("", "<p>图：<img src='data:image/gif;base64,R0' data-src='/i/2.jpg'></p>", f"{HOST}/i/2.jpg"),
        ('<script type="application/ld+json">{"image": [{"url": "/i/3.jpg"}]}</script>', "", f"{HOST}/i/3.jpg"),
        ("", "", None),
    ],
)
def test_the_lead_image_is_the_page_s_own(head: str, extra: str, image: str | None) -> None:
    found = read(article(1, head=head, extra=extra)).outcome
    assert isinstance(found, Article)
    assert found.lead_image == image
