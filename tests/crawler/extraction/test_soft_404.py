"""Pages that say with status 200 that there is nothing."""

import pytest

from crawler.extraction.html.parsing import parse
from crawler.extraction.page_types.barriers import asks_who_is_there, is_barrier_address
from crawler.extraction.page_types.soft_404 import LONGEST_NOTICE, holds_notice, says_it_is_absent


def says_so(body: str, *, title: str = "") -> bool:
    root = parse(f"<html><head><title>{title}</title></head><body><nav>首页 新闻 体育</nav>{body}</body></html>")
    assert root is not None
    return says_it_is_absent(root)


@pytest.mark.parametrize(
    "words",
    [
        "抱歉，您访问的页面不存在",
        "该文章已被作者删除",
        "很抱歉，您要找的内容已下线",
        "没有找到您要的页面，5秒后返回首页",
        "此信息已失效",
        "Sorry, the page cannot be found.".replace("cannot be", "was not"),
        "Page not found",
        "This article is no longer available.",
        "The story you asked for has been removed.",
        "404 Not Found",
        "Error 404",
        "该内容已被发布者删除",
        "此内容被投诉且经审核涉嫌侵权，无法查看。",
        "此内容因违规无法查看",
        "该回答已被删除",
        "抱歉，此微博已被作者删除",
        "该文章已设为私密",
        "作者已自行删除",
    ],
)
def test_a_notice_is_recognised_in_the_page_and_in_the_title(words: str) -> None:
    assert says_so(f"<p>{words}</p>")
    assert says_so("<p>请稍候</p>", title=words)


@pytest.mark.parametrize(
    "words",
    [
        "江边的老渡口拆除以后，镇上的人说起它还是很怀念。",
        "公司发布第404号公告。",
        "会议讨论了文件的起草。",
        "The bridge has been removed from the river.",
        "渡轮票价四元零四分",
        "该评论已被删除，评论内容已被删除",
        "您没有权限，无法访问该页面",
    ],
)
def test_a_short_text_about_something_is_none(words: str) -> None:
    assert not says_so(f"<p>{words}</p>")


def test_a_long_article_that_speaks_of_missing_pages_is_none() -> None:
    assert not says_so("<p>" + "网页不存在的时候该怎么办呢？" * (LONGEST_NOTICE // 10) + "</p>")


def test_hostile_text_is_judged_in_no_time() -> None:
    for bait in (
        "违规" * 50_000,
        "文章被" * 50_000,
        "作者已" * 50_000,
        "access to this page " * 20_000,
        "请先登" * 50_000,
    ):
        says_so(f"<p>{bait}</p>", title=bait)
        asks_who_is_there(bait)
        holds_notice(bait, [bait])
    for bait in ("页面" * 50_000, "page " * 50_000, "404 " * 50_000, "内容已" * 50_000):
        says_so(f"<p>{bait}</p>", title=bait)


def test_a_line_among_many_is_a_notice_if_it_is_short_and_asks_for_nothing() -> None:
    others = ["江边的老渡口拆除以后，镇上的人说起它还是很怀念。"] * 40

    assert holds_notice("江城号", [*others, "抱歉，该文章已被作者删除"])
    assert not holds_notice("江城号", [*others, "内容不存在，请先登录"])
    assert not holds_notice("江城号", [*others, "编辑部收到读者来信说" * 8 + "这篇文章已被删除"])


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("https://passport.example/login?next=1", True),
        ("https://mp.example/mp/wappoc_appmsgcaptcha?poc=1", True),
        ("https://example.com/signin", True),
        ("https://example.com/a/blogging-in-spring.html", False),
        ("https://example.com/news/verified-account-story", False),
    ],
)
def test_an_address_of_a_log_in_or_a_captcha_is_known_by_its_parts(url: str, expected: bool) -> None:
    assert is_barrier_address(url) is expected
